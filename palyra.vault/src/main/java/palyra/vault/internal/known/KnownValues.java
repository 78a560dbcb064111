package palyra.vault.internal.known;

import java.nio.CharBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.core.vault.SecretReach;
import palyra.api.core.vault.SecretRef;
import palyra.vault.internal.crypto.Hkdf;

/**
 * Fingerprints of every value, in each of its forms, under keys that this process made up. Each
 * scope and each value has an index of its own, and a search opens those of its reach alone.
 * Reading never waits; {@link #put} and {@link #remove} are for one thread at a time.
 */
public final class KnownValues implements KnownSecrets {
    private static final int MAC_BYTES = 16;

    private final Fingerprint fingerprint;
    private final byte[] macKey = new byte[32];
    private final ValueIndex all = new ValueIndex();
    private final Map<String, ValueIndex> scopes = new ConcurrentHashMap<>();
    private final Map<SecretRef, ValueIndex> single = new ConcurrentHashMap<>();
    private final Map<SecretRef, List<Form>> forms = new ConcurrentHashMap<>();

    /** Creates it empty. */
    public KnownValues() {
        SecureRandom random = new SecureRandom();
        random.nextBytes(macKey);
        fingerprint = new Fingerprint(random);
    }

    /** Knows a value from now on, in place of an earlier one; the value is left as it is. */
    public void put(SecretRef ref, byte[] value) {
        List<Form> added = new ArrayList<>();
        for (char[] text : Forms.of(value)) {
            added.add(form(ref, CharBuffer.wrap(text)));
            Arrays.fill(text, '\0');
        }
        List<Form> old = forms.put(ref, List.copyOf(added));
        ValueIndex scope = scopes.computeIfAbsent(ref.scope(), name -> new ValueIndex());
        ValueIndex own = single.computeIfAbsent(ref, name -> new ValueIndex());
        for (Form form : added) {
            List.of(all, scope, own).forEach(index -> index.add(form));
        }
        forget(ref, old);
    }

    /** Forgets a value. */
    public void remove(SecretRef ref) {
        forget(ref, forms.remove(ref));
        single.remove(ref);
        scopes.computeIfPresent(ref.scope(), (name, index) -> index.isEmpty() ? null : index);
    }

    private void forget(SecretRef ref, List<Form> old) {
        if (old == null) {
            return;
        }
        for (Form form : old) {
            all.remove(form);
            scopes.get(ref.scope()).remove(form);
            single.get(ref).remove(form);
        }
    }

    private Form form(SecretRef ref, CharSequence text) {
        int length = text.length();
        long[] steps = new long[length / Form.STEP];
        long[] beginnings = new long[Forms.HEAD];
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = fingerprint.longer(value, text.charAt(i));
            if ((i + 1) % Form.STEP == 0) {
                steps[i / Form.STEP] = value;
            }
            if (i + 1 < Forms.HEAD) {
                beginnings[i + 1] = value;
            }
        }
        long head = fingerprint.of(text, 0, Forms.HEAD);
        return new Form(ref, length, head, value, steps, beginnings, mac(text, 0, length));
    }

    private byte[] mac(CharSequence text, int from, int to) {
        byte[] bytes = new byte[2 * (to - from)];
        for (int i = from; i < to; i++) {
            bytes[2 * (i - from)] = (byte) (text.charAt(i) >> 8);
            bytes[2 * (i - from) + 1] = (byte) text.charAt(i);
        }
        byte[] mac = Arrays.copyOf(Hkdf.mac(macKey, bytes), MAC_BYTES);
        Arrays.fill(bytes, (byte) 0);
        return mac;
    }

    @Override
    public List<Found> find(CharSequence text, SecretReach reach) {
        return search(reach).find(text);
    }

    @Override
    public int safeLength(CharSequence text, SecretReach reach) {
        return search(reach).safeLength(text);
    }

    /** Finds every value of every scope: for the log of the gateway only. */
    List<Found> findAny(CharSequence text) {
        return new ValueSearch(fingerprint, this::mac, List.of(all)).find(text);
    }

    private ValueSearch search(SecretReach reach) {
        List<ValueIndex> within = new ArrayList<>();
        for (String scope : reach.scopes()) {
            add(within, scopes.get(scope));
        }
        for (SecretRef ref : reach.secrets()) {
            if (!reach.scopes().contains(ref.scope())) {
                add(within, single.get(ref));
            }
        }
        return new ValueSearch(fingerprint, this::mac, within);
    }

    private static void add(List<ValueIndex> within, ValueIndex index) {
        if (index != null && !index.isEmpty()) {
            within.add(index);
        }
    }
}

package palyra.vault.internal.known;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.core.vault.SecretRef;
import palyra.vault.internal.crypto.Hkdf;

/**
 * Fingerprints of every value, in each of its forms, under keys that this process made up. Reading
 * never waits; {@link #put} and {@link #remove} are for one thread at a time.
 */
public final class KnownValues implements KnownSecrets {
    /** Text is looked at in pieces of so many characters, each with what may go on after it. */
    private static final int PIECE = 32_768;

    private static final int MAC_BYTES = 16;

    private final Fingerprint fingerprint;
    private final byte[] macKey = new byte[32];

    private final Map<Long, List<Form>> heads = new ConcurrentHashMap<>();

    /** How many forms begin so, for beginnings shorter than {@link Forms#FEWEST}. */
    private final List<Map<Long, AtomicInteger>> beginnings = new ArrayList<>();

    private final Map<SecretRef, List<Form>> forms = new ConcurrentHashMap<>();
    private final Map<SecretRef, List<long[]>> shorts = new ConcurrentHashMap<>();
    private volatile int longest;

    /** Creates it empty. */
    public KnownValues() {
        SecureRandom random = new SecureRandom();
        random.nextBytes(macKey);
        fingerprint = new Fingerprint(random);
        for (int i = 0; i < Forms.FEWEST; i++) {
            beginnings.add(new ConcurrentHashMap<>());
        }
    }

    /** Knows a value from now on, in place of an earlier one; the value is left as it is. */
    public void put(SecretRef ref, byte[] value) {
        List<Form> added = new ArrayList<>();
        List<long[]> brief = new ArrayList<>();
        for (char[] text : Forms.of(value)) {
            CharSequence chars = java.nio.CharBuffer.wrap(text);
            Form form = form(ref, chars);
            added.add(form);
            brief.add(shortBeginnings(chars));
            longest = Math.max(longest, form.length());
            Arrays.fill(text, '\0');
        }
        List<Form> old = forms.put(ref, added);
        List<long[]> oldShort = shorts.put(ref, brief);
        added.forEach(this::add);
        brief.forEach(each -> count(each, 1));
        forget(old, oldShort);
    }

    /** Forgets a value. */
    public void remove(SecretRef ref) {
        forget(forms.remove(ref), shorts.remove(ref));
    }

    private void forget(List<Form> old, List<long[]> oldShort) {
        if (old != null) {
            old.forEach(this::drop);
            oldShort.forEach(each -> count(each, -1));
        }
    }

    private Form form(SecretRef ref, CharSequence text) {
        int length = text.length();
        long[] steps = new long[length / Form.STEP];
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = fingerprint.longer(value, text.charAt(i));
            if ((i + 1) % Form.STEP == 0) {
                steps[i / Form.STEP] = value;
            }
        }
        long head = fingerprint.of(text, 0, Forms.FEWEST);
        return new Form(ref, length, head, value, steps, mac(text, 0, length));
    }

    private long[] shortBeginnings(CharSequence text) {
        long[] values = new long[Forms.FEWEST];
        for (int i = 1; i < Forms.FEWEST; i++) {
            values[i] = fingerprint.longer(values[i - 1], text.charAt(i - 1));
        }
        return values;
    }

    private void count(long[] values, int by) {
        for (int i = 1; i < values.length; i++) {
            beginnings
                    .get(i)
                    .compute(
                            values[i],
                            (key, count) -> {
                                AtomicInteger known = count == null ? new AtomicInteger() : count;
                                return known.addAndGet(by) > 0 ? known : null;
                            });
        }
    }

    private void add(Form form) {
        heads.merge(
                form.head(),
                List.of(form),
                (old, more) -> {
                    List<Form> all = new ArrayList<>(old);
                    all.addAll(more);
                    all.sort((a, b) -> Integer.compare(b.length(), a.length())); // longest first
                    return List.copyOf(all);
                });
    }

    private void drop(Form form) {
        heads.computeIfPresent(
                form.head(),
                (key, all) -> {
                    List<Form> rest = new ArrayList<>(all);
                    rest.remove(form); // equal only to itself: it has an array
                    return rest.isEmpty() ? null : List.copyOf(rest);
                });
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
    public List<Found> find(CharSequence text) {
        List<Found> found = new ArrayList<>();
        if (heads.isEmpty()) {
            return found;
        }
        int at = 0;
        while (at + Forms.FEWEST <= text.length()) {
            int end = (int) Math.min(text.length(), (long) at + PIECE + longest);
            at = new Piece(text, at, end).find(Math.min(end, at + PIECE), found);
        }
        return found;
    }

    @Override
    public int safeLength(CharSequence text) {
        int from = Math.max(0, text.length() - Math.max(0, longest - 1));
        return heads.isEmpty() ? text.length() : new Piece(text, from, text.length()).safeLength();
    }

    /** Part of a text, with the fingerprints of all its beginnings. */
    private final class Piece {
        private final CharSequence text;
        private final int from;
        private final int to;
        private final long[] until;

        Piece(CharSequence text, int from, int to) {
            this.text = text;
            this.from = from;
            this.to = to;
            until = new long[to - from + 1];
            for (int i = from; i < to; i++) {
                until[i - from + 1] = fingerprint.longer(until[i - from], text.charAt(i));
            }
        }

        private long of(int start, int end) {
            return fingerprint.end(until[end - from], until[start - from], end - start);
        }

        /** Finds what begins before {@code limit}; returns where to go on. */
        int find(int limit, List<Found> found) {
            int at = from;
            while (at < limit && at + Forms.FEWEST <= to) {
                Form form = formAt(at);
                if (form == null) {
                    at++;
                } else {
                    found.add(new Found(at, at + form.length(), form.ref()));
                    at += form.length();
                }
            }
            return Math.max(at, limit);
        }

        private Form formAt(int at) {
            for (Form form : heads.getOrDefault(of(at, at + Forms.FEWEST), List.of())) {
                int end = at + form.length();
                if (end <= to
                        && of(at, end) == form.whole()
                        && Arrays.equals(form.mac(), mac(text, at, end))) {
                    return form;
                }
            }
            return null;
        }

        int safeLength() {
            for (int at = from; at < to; at++) {
                if (begins(at)) {
                    return at;
                }
            }
            return to;
        }

        private boolean begins(int at) {
            int length = to - at;
            if (length < Forms.FEWEST) {
                return beginnings.get(length).containsKey(of(at, to));
            }
            for (Form form : heads.getOrDefault(of(at, at + Forms.FEWEST), List.of())) {
                int steps = length / Form.STEP;
                boolean fits =
                        form.length() > length
                                && (steps == 0
                                        || of(at, at + steps * Form.STEP)
                                                == form.steps()[steps - 1]);
                if (fits) {
                    return true;
                }
            }
            return false;
        }
    }
}

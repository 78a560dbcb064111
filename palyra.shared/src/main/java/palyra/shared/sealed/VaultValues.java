package palyra.shared.sealed;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.core.vault.SecretReach;
import palyra.shared.gate.Gate;
import palyra.shared.secrets.KnownValues;
import palyra.shared.secrets.SecretMatch;

/**
 * The values of the vault. A vault that is away is waited for, and what needs it is refused with
 * KEYS_UNAVAILABLE when it does not come: no text that might hold a secret is passed on. Until
 * {@link #require} is called, or a first vault came, there are no values. Thread-safe.
 */
public final class VaultValues {
    /** The kind of a secret that the vault knows. */
    public static final String KIND = "vault";

    private final Gate<KnownSecrets> gate;
    private volatile boolean required;

    /**
     * Creates it without a vault.
     *
     * @param waitMillis how long a vault that left is waited for
     */
    public VaultValues(long waitMillis) {
        this.gate = new Gate<>("The vault", ErrorCode.KEYS_UNAVAILABLE, waitMillis);
    }

    /** A vault arrives. */
    public void add(KnownSecrets arrived, Map<String, ?> properties) {
        gate.add(arrived, properties);
        required = true;
    }

    /**
     * From now on what needs a vault is refused without one, also before the first one came: its
     * key may be lost.
     */
    public void require() {
        required = true;
    }

    /** A vault leaves. */
    public void remove(KnownSecrets leaving) {
        gate.remove(leaving);
    }

    /**
     * Returns the values that one reader's texts are searched for.
     *
     * @param reach asked at each search, so that it may grow
     */
    KnownValues within(Supplier<SecretReach> reach) {
        return new KnownValues() {
            @Override
            public List<SecretMatch> find(CharSequence text) {
                SecretReach now = reach.get();
                return ask(
                        List.of(),
                        known -> known.find(text, now).stream().map(VaultValues::asFind).toList());
            }

            @Override
            public int safeLength(CharSequence text) {
                SecretReach now = reach.get();
                return ask(text.length(), known -> known.safeLength(text, now));
            }
        };
    }

    private static SecretMatch asFind(KnownSecrets.Found found) {
        return new SecretMatch(found.start(), found.end(), KIND, found.ref().toString());
    }

    private <R> R ask(R withoutVault, Function<KnownSecrets, R> question) {
        return required ? gate.call(question) : withoutVault;
    }
}

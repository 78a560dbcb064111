package palyra.vault.internal.key;

import java.io.IOException;
import java.util.List;

/**
 * Where the master key's material comes from. The caller overwrites material after use. For one
 * thread at a time. Every method throws {@link palyra.api.PalyraException} with KEYS_UNAVAILABLE
 * and a sentence when the source refuses.
 */
public interface MasterKeySource {
    /** Returns {@code file}, {@code passphrase}, {@code systemd-credential}, {@code keychain}. */
    String name();

    /** Returns what a person calls the place. */
    String place();

    /** Returns whether a person thought of the material, so that it has to be stretched. */
    boolean guessable();

    /** Returns all available material, the usual one first; empty without any. */
    List<byte[]> materials() throws IOException;

    /** Returns material for a new vault: what there is, or, where the source can, a new one. */
    byte[] make() throws IOException;

    /**
     * Returns material to rotate to, durable beside the one in use; a copy of the one in use when
     * the source has no other.
     */
    byte[] renew(byte[] inUse) throws IOException;

    /** Says that from now on only {@code inUse} is needed. */
    void settle(byte[] inUse) throws IOException;

    /** Returns what an operator should do about the source; empty for nothing. */
    default String advice(byte[] inUse) throws IOException {
        return "";
    }
}

package palyra.api.core.keys;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Seals the file of the boot keys under a key that the vault's master key guards. The vault offers
 * it as soon as its own keys are open, for which it needs neither the boot keys nor the journal.
 * Thread-safe; a call takes well under a millisecond.
 */
@ConsumerType
public interface BootSeal {
    /**
     * Returns whether the operator wants the file sealed. If not, a file that was sealed can still
     * be opened, and is written again without this seal.
     */
    boolean wanted();

    /**
     * Encrypts and authenticates the content of the file.
     *
     * @throws palyra.api.PalyraException KEYS_UNAVAILABLE when the vault has gone meanwhile
     */
    byte[] close(byte[] content);

    /**
     * Undoes {@link #close}.
     *
     * @throws palyra.api.PalyraException KEYS_UNAVAILABLE when the bytes were sealed by another
     *     vault or changed, or the vault has gone meanwhile
     */
    byte[] open(byte[] sealed);
}

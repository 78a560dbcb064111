package palyra.keys.internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.BootSeal;

/**
 * How the key file is stored: encrypted by the vault where the operator configured that ({@code
 * "PBK2" ‖ what the vault made of it}), else under the credential where there is one ({@link
 * CredentialSeal}), else as it is. Any of the three can be read, so that one is changed into
 * another in place. Thread-safe.
 */
final class KeyFileSeal {
    private static final byte[] MAGIC = "PBK2".getBytes(StandardCharsets.US_ASCII);

    private final Optional<CredentialSeal> credential;
    private volatile Optional<BootSeal> vault = Optional.empty();

    /** Creates it; empty says that the service manager handed nothing in. */
    KeyFileSeal(Optional<CredentialSeal> credential) {
        this.credential = credential;
    }

    /** From now on this vault seals and opens; empty while the vault is absent. */
    void vault(Optional<BootSeal> seal) {
        vault = seal;
    }

    /** Returns whether the vault is there at present. */
    boolean hasVault() {
        return vault.isPresent();
    }

    /** Returns whether only the vault can open a file. */
    static boolean isByVault(byte[] file) {
        return Arrays.equals(MAGIC, Arrays.copyOf(file, MAGIC.length));
    }

    /**
     * Returns whether a file has the configured form. While the vault is absent that is not known
     * the configured form, so the file stays as it is.
     */
    boolean isSettled(byte[] file) {
        Optional<BootSeal> there = vault;
        boolean byVault = isByVault(file);
        boolean wanted = there.map(BootSeal::wanted).orElse(byVault);
        return wanted
                ? byVault
                : !byVault && CredentialSeal.isSealed(file) == credential.isPresent();
    }

    /**
     * Returns the new content of a file.
     *
     * @param before the file that is there; empty for none
     * @throws PalyraException KEYS_UNAVAILABLE when that is under a vault that is away
     */
    byte[] close(byte[] content, Optional<byte[]> before) {
        Optional<BootSeal> there = vault;
        boolean byVault = before.filter(KeyFileSeal::isByVault).isPresent();
        if (there.isEmpty() && byVault) {
            throw absent();
        }
        if (there.isPresent() && there.get().wanted()) {
            byte[] sealed = there.get().close(content);
            byte[] file = Arrays.copyOf(MAGIC, MAGIC.length + sealed.length);
            System.arraycopy(sealed, 0, file, MAGIC.length, sealed.length);
            return file;
        }
        return credential.map(seal -> seal.close(content)).orElse(content);
    }

    /**
     * Returns the content of a file.
     *
     * @throws PalyraException KEYS_UNAVAILABLE when what it is sealed under is missing or another
     */
    byte[] open(byte[] file) {
        if (isByVault(file)) {
            BootSeal there = vault.orElseThrow(KeyFileSeal::absent);
            return there.open(Arrays.copyOfRange(file, MAGIC.length, file.length));
        }
        if (CredentialSeal.isSealed(file)) {
            return credential.orElseThrow(CredentialSeal::missing).open(file);
        }
        return file;
    }

    private static PalyraException absent() {
        return new PalyraException(
                ErrorCode.KEYS_UNAVAILABLE,
                "The boot keys are sealed under the vault, and the vault is not open. They wait for"
                        + " it; palyra doctor says what the vault waits for.");
    }
}

package palyra.vault.internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.BootSeal;
import palyra.vault.internal.crypto.Aead;
import palyra.vault.internal.crypto.Hkdf;
import palyra.vault.internal.key.KeyRing;

/**
 * Seals the boot keys by AES-256-GCM under a key that follows, by HKDF, from the one key of the
 * ring that stays when master keys are rotated, and the ring is encrypted under the key of the
 * vault's source. So a rotation and a change of the source change what guards the boot keys, and
 * their file needs not be written again. Associated data are the vault's id and the use.
 * Thread-safe.
 */
final class VaultBootSeal implements BootSeal {
    private static final String USE = "palyra.boot-keys.v1";

    private final boolean wanted;
    private final Aead aead = new Aead();
    private final ReentrantLock lock = new ReentrantLock();
    private byte[] key = new byte[0]; // guarded by lock; empty while no key is open
    private byte[] associated = new byte[0]; // guarded by lock

    VaultBootSeal(boolean wanted) {
        this.wanted = wanted;
    }

    /** The vault is open. */
    void begin(KeyRing ring) {
        lock.lock();
        try {
            key = Hkdf.derive(ring.indexKey(), "palyra.vault.v1", USE);
            associated = (USE + " " + ring.vaultId()).getBytes(StandardCharsets.US_ASCII);
        } finally {
            lock.unlock();
        }
    }

    /** The vault goes: the key is overwritten. */
    void end() {
        lock.lock();
        try {
            Arrays.fill(key, (byte) 0);
            key = new byte[0];
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean wanted() {
        return wanted;
    }

    @Override
    public byte[] close(byte[] content) {
        lock.lock();
        try {
            requireOpen();
            return aead.seal(key, content, associated);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public byte[] open(byte[] sealed) {
        lock.lock();
        try {
            requireOpen();
            return aead.open(key, sealed, 0, sealed.length, associated)
                    .orElseThrow(VaultBootSeal::another);
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (key.length == 0) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "The vault that the boot keys are sealed under is being replaced; try again.");
        }
    }

    private static PalyraException another() {
        return new PalyraException(
                ErrorCode.KEYS_UNAVAILABLE,
                "The file of the boot keys does not open by this vault: another vault sealed it, or"
                        + " the file was changed. Nothing was overwritten; restore keys and vault"
                        + " from the same backup.");
    }
}

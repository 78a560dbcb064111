package palyra.vault.internal.crypto;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM of the JDK (NIST SP 800-38D): {@code nonce[12] ‖ ciphertext ‖ tag[16]}. Nonces are
 * random; no key here ever encrypts more than a few thousand times. Thread-safe.
 */
public final class Aead {
    /** Length of a key in bytes. */
    public static final int KEY_BYTES = 32;

    /** How much longer than its plain text a sealed one is. */
    public static final int OVERHEAD = 28;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecureRandom random = new SecureRandom();

    /** Returns so many random bytes. */
    public byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Encrypts; {@code plain} is left as it is. */
    public byte[] seal(byte[] key, byte[] plain, byte[] associated) {
        byte[] sealed = new byte[OVERHEAD + plain.length];
        byte[] nonce = randomBytes(NONCE_BYTES);
        System.arraycopy(nonce, 0, sealed, 0, NONCE_BYTES);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, associated);
            cipher.doFinal(plain, 0, plain.length, sealed, NONCE_BYTES);
            return sealed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot encrypt by AES-GCM", e);
        }
    }

    /**
     * Decrypts part of an array; empty when key, bytes or associated data are not those of the
     * encryption.
     */
    public Optional<byte[]> open(
            byte[] key, byte[] from, int offset, int length, byte[] associated) {
        if (length < OVERHEAD) {
            return Optional.empty();
        }
        byte[] nonce = new byte[NONCE_BYTES];
        System.arraycopy(from, offset, nonce, 0, NONCE_BYTES);
        byte[] plain = new byte[length - OVERHEAD];
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, nonce, associated);
            cipher.doFinal(from, offset + NONCE_BYTES, length - NONCE_BYTES, plain, 0);
            return Optional.of(plain);
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot decrypt by AES-GCM", e);
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, byte[] associated)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(associated);
        return cipher;
    }
}

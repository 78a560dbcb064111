package palyra.keys.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Encrypts the key file under a secret that the service manager hands in: {@code "PBK1" ‖ nonce[12]
 * ‖ AES-256-GCM(file)}. The key is the HMAC-SHA-256 of the secret under a fixed text: the secret is
 * random and at least 32 bytes long, so nothing has to be stretched.
 */
final class CredentialSeal {
    private static final byte[] MAGIC = ascii("PBK1");
    private static final byte[] TAG = ascii("palyra.boot-keys.sealed.v1");
    private static final int FEWEST_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;

    private CredentialSeal(SecretKeySpec key) {
        this.key = key;
    }

    /**
     * Seals by a secret, which is overwritten.
     *
     * @throws PalyraException KEYS_UNAVAILABLE when it is too short
     */
    static CredentialSeal by(byte[] secret) {
        if (secret.length < FEWEST_BYTES) {
            throw unavailable(
                    "the secret to open the key file by has fewer than " + FEWEST_BYTES + " bytes");
        }
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(TAG, "HmacSHA256"));
            return new CredentialSeal(new SecretKeySpec(mac.doFinal(secret), "AES"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC-SHA-256", e);
        } finally {
            Arrays.fill(secret, (byte) 0);
        }
    }

    /** Returns whether a file was sealed by a credential. */
    static boolean isSealed(byte[] file) {
        return Arrays.equals(MAGIC, Arrays.copyOf(file, MAGIC.length));
    }

    /** Returns the encrypted form of a content. */
    byte[] close(byte[] content) {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(content);
            return ByteBuffer.allocate(MAGIC.length + nonce.length + sealed.length)
                    .put(MAGIC)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot encrypt the key file", e);
        }
    }

    /**
     * Returns the content of a sealed file.
     *
     * @throws PalyraException KEYS_UNAVAILABLE when the secret is another one
     */
    byte[] open(byte[] file) {
        int from = MAGIC.length + NONCE_BYTES;
        if (file.length < from) {
            throw unavailable("the key file was changed: it is cut short");
        }
        byte[] nonce = Arrays.copyOfRange(file, MAGIC.length, from);
        try {
            return cipher(Cipher.DECRYPT_MODE, nonce).doFinal(file, from, file.length - from);
        } catch (AEADBadTagException e) {
            throw unavailable(
                    "the key file does not open by the secret that was handed in: it is another"
                            + " one, or the file was changed");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot decrypt the key file", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(TAG);
        return cipher;
    }

    /** Says that there is no credential to open a sealed file by. */
    static PalyraException missing() {
        return unavailable("the key file is sealed, and the secret to open it by is missing");
    }

    private static PalyraException unavailable(String found) {
        return new PalyraException(
                ErrorCode.KEYS_UNAVAILABLE,
                "The boot keys stay closed: "
                        + found
                        + ". Hand in the credential palyra-boot-wrap that the file was sealed"
                        + " under; nothing was changed.");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

package palyra.keys.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;

/**
 * Encrypts data keys for storage: {@code 0x01 ‖ nonce[12] ‖ AES-256-GCM(key)}, with {@code
 * "palyra.data-key.v1" ‖ context} as associated data. Thread-safe.
 */
final class DataKeyWrap {
    private static final byte VERSION = 1;
    private static final int NONCE_LENGTH = 12;
    private static final int TAG_LENGTH = 16;
    private static final int OVERHEAD = 1 + NONCE_LENGTH + TAG_LENGTH;
    private static final int LARGEST_BYTES = 4_096;
    private static final byte[] TAG = "palyra.data-key.v1".getBytes(StandardCharsets.US_ASCII);

    private final SecureRandom random = new SecureRandom();

    byte[] wrap(SecretKey key, byte[] dataKey, byte[] context) {
        Require.present(context, "context");
        Require.that(
                dataKey != null && dataKey.length >= 1 && dataKey.length <= LARGEST_BYTES,
                "a data key has 1 to " + LARGEST_BYTES + " bytes");
        byte[] nonce = new byte[NONCE_LENGTH];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce, context).doFinal(dataKey);
            return ByteBuffer.allocate(1 + nonce.length + sealed.length)
                    .put(VERSION)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot wrap a key", e);
        }
    }

    byte[] unwrap(SecretKey key, byte[] wrapped, byte[] context) {
        Require.present(context, "context");
        Require.present(wrapped, "wrapped key");
        if (wrapped.length <= OVERHEAD || wrapped[0] != VERSION) {
            throw corrupt();
        }
        byte[] nonce = Arrays.copyOfRange(wrapped, 1, 1 + NONCE_LENGTH);
        try {
            return cipher(Cipher.DECRYPT_MODE, key, nonce, context)
                    .doFinal(wrapped, 1 + NONCE_LENGTH, wrapped.length - 1 - NONCE_LENGTH);
        } catch (AEADBadTagException e) {
            throw corrupt();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot unwrap a key", e);
        }
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, byte[] context)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(8 * TAG_LENGTH, nonce));
        cipher.updateAAD(TAG);
        cipher.updateAAD(context);
        return cipher;
    }

    private static PalyraException corrupt() {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "A wrapped data key or its context was changed; restore it from a" + " backup.");
    }
}

package palyra.vault.internal.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA-256 and HKDF over it (RFC 5869), for outputs of 32 bytes. */
public final class Hkdf {
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] FIRST_BLOCK = {1};

    private Hkdf() {}

    /** Returns the MAC of the parts, one after the other. */
    public static byte[] mac(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC-SHA-256", e);
        }
    }

    /** Returns a key of 32 bytes that follows from {@code material}, for the use that is named. */
    public static byte[] derive(byte[] material, String salt, String use) {
        byte[] extracted = mac(salt.getBytes(StandardCharsets.US_ASCII), material);
        try {
            return mac(extracted, use.getBytes(StandardCharsets.US_ASCII), FIRST_BLOCK);
        } finally {
            Arrays.fill(extracted, (byte) 0);
        }
    }
}

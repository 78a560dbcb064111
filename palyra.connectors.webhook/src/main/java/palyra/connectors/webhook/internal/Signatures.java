package palyra.connectors.webhook.internal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Symmetric signatures of the Standard Webhooks specification, version 1.0.0. Pure. */
final class Signatures {
    private static final String SECRET = "whsec_";
    private static final String MAC = "HmacSHA256";
    private static final int LEAST = 24; // bytes of a key, as the specification says
    private static final int MOST = 64;
    private static final int MOST_SIGNATURES = 16;

    private Signatures() {}

    /** Returns the key of a secret {@code whsec_BASE64}; empty when it is not one. */
    static Optional<byte[]> key(String secret) {
        if (!secret.startsWith(SECRET)) {
            return Optional.empty();
        }
        try {
            byte[] key = Base64.getDecoder().decode(secret.substring(SECRET.length()));
            boolean fits = key.length >= LEAST && key.length <= MOST;
            return fits ? Optional.of(key) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Signs a message.
     *
     * @param id without a full stop, which separates it from what follows
     * @param seconds unix time
     */
    static String sign(byte[] key, String id, long seconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            mac.update((id + "." + seconds + ".").getBytes(StandardCharsets.US_ASCII));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + MAC, e);
        }
    }

    /**
     * Returns whether one of the signatures of a header is the expected one, in a time that does
     * not depend on where they differ.
     */
    static boolean matches(String header, String expected) {
        byte[] wanted = expected.getBytes(StandardCharsets.US_ASCII);
        boolean found = false;
        for (String each : header.split(" ", MOST_SIGNATURES + 1)) {
            found |= MessageDigest.isEqual(wanted, each.getBytes(StandardCharsets.UTF_8));
        }
        return found;
    }
}

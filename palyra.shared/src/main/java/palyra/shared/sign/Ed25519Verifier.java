package palyra.shared.sign;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Verifies Ed25519 signatures (RFC 8032) of one key with nothing but the JDK, strictly: the key and
 * {@code R} are canonical points of the prime-order subgroup and not neutral, {@code S} is below
 * the order, and the equation holds without the cofactor. Thread-safe.
 */
public final class Ed25519Verifier {
    private static final String NAME = "Ed25519";
    private static final int KEY_LENGTH = 32;
    private static final int SIGNATURE_LENGTH = 64;
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private final PublicKey key;

    private Ed25519Verifier(PublicKey key) {
        this.key = key;
    }

    /**
     * Takes a raw public key.
     *
     * @throws GeneralSecurityException when it is not 32 bytes long or no canonical point of the
     *     prime-order subgroup
     */
    public static Ed25519Verifier of(byte[] publicKey) throws GeneralSecurityException {
        if (publicKey.length != KEY_LENGTH) {
            throw new GeneralSecurityException("an Ed25519 key has 32 bytes");
        }
        if (!EdwardsPoint.isOfPrimeOrder(publicKey)) {
            throw new GeneralSecurityException("an Ed25519 key is not a point of the subgroup");
        }
        byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + KEY_LENGTH);
        System.arraycopy(publicKey, 0, encoded, X509_PREFIX.length, KEY_LENGTH);
        return new Ed25519Verifier(
                KeyFactory.getInstance(NAME).generatePublic(new X509EncodedKeySpec(encoded)));
    }

    /** Returns whether the signature is right; anything malformed is not. */
    public boolean verify(byte[] message, byte[] signature) {
        if (signature.length != SIGNATURE_LENGTH
                || !EdwardsPoint.isCanonical(signature)
                || EdwardsPoint.isNeutral(signature)) {
            return false;
        }
        try {
            Signature check = Signature.getInstance(NAME);
            check.initVerify(key);
            check.update(message);
            return check.verify(signature);
        } catch (GeneralSecurityException e) {
            return false; // a signature of another form is no signature
        }
    }
}

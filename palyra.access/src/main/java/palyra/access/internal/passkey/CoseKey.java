package palyra.access.internal.passkey;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Map;

/**
 * A public key as authenticators give it (RFC 9052, RFC 9053): ES256 on P-256, EdDSA on Ed25519, or
 * RS256 with 2,048 to 8,192 bits. No other algorithm is accepted.
 */
record CoseKey(String algorithm, PublicKey key) {
    private static final long KEY_TYPE = 1;
    private static final long ALGORITHM = 3;
    private static final long CURVE = -1;
    private static final long X = -2;
    private static final long Y = -3;
    private static final int FIELD_BYTES = 32;
    private static final int LEAST_RSA_BITS = 2_048;
    private static final int MOST_RSA_BITS = 8_192;

    /** Reads a key. */
    static CoseKey of(byte[] cose) {
        return of(CborReader.asMap(CborReader.readWhole(cose)));
    }

    private static CoseKey of(Map<?, ?> map) {
        try {
            long type = number(map, KEY_TYPE);
            long algorithm = number(map, ALGORITHM);
            if (type == 2 && algorithm == -7 && number(map, CURVE) == 1) {
                return new CoseKey("SHA256withECDSA", elliptic(map));
            }
            if (type == 1 && algorithm == -8 && number(map, CURVE) == 6) {
                return new CoseKey("Ed25519", edwards(map));
            }
            if (type == 3 && algorithm == -257) {
                return new CoseKey("SHA256withRSA", rsa(map));
            }
            throw new PasskeyException(
                    "the key is of type " + type + " for algorithm " + algorithm);
        } catch (GeneralSecurityException e) {
            throw new PasskeyException("the key is not usable", e);
        }
    }

    private static PublicKey elliptic(Map<?, ?> map) throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec("secp256r1"));
        ECParameterSpec curve = parameters.getParameterSpec(ECParameterSpec.class);
        BigInteger x = new BigInteger(1, bytes(map, X, FIELD_BYTES));
        BigInteger y = new BigInteger(1, bytes(map, Y, FIELD_BYTES));
        requireOnCurve(curve, x, y);
        return KeyFactory.getInstance("EC")
                .generatePublic(new ECPublicKeySpec(new ECPoint(x, y), curve));
    }

    /** A point beside the curve would let its holder forge. */
    private static void requireOnCurve(ECParameterSpec curve, BigInteger x, BigInteger y) {
        BigInteger p = ((ECFieldFp) curve.getCurve().getField()).getP();
        BigInteger right =
                x.pow(3)
                        .add(curve.getCurve().getA().multiply(x))
                        .add(curve.getCurve().getB())
                        .mod(p);
        if (x.compareTo(p) >= 0 || y.compareTo(p) >= 0 || !y.multiply(y).mod(p).equals(right)) {
            throw new PasskeyException("the key is not a point of its curve");
        }
    }

    private static PublicKey edwards(Map<?, ?> map) throws GeneralSecurityException {
        byte[] x = bytes(map, X, FIELD_BYTES);
        boolean odd = (x[FIELD_BYTES - 1] & 0x80) != 0;
        byte[] big = new byte[FIELD_BYTES];
        for (int i = 0; i < FIELD_BYTES; i++) {
            big[i] = x[FIELD_BYTES - 1 - i];
        }
        big[0] &= 0x7f;
        return KeyFactory.getInstance("Ed25519")
                .generatePublic(
                        new EdECPublicKeySpec(
                                NamedParameterSpec.ED25519,
                                new EdECPoint(odd, new BigInteger(1, big))));
    }

    private static PublicKey rsa(Map<?, ?> map) throws GeneralSecurityException {
        BigInteger modulus = new BigInteger(1, bytes(map, -1, -1));
        BigInteger exponent = new BigInteger(1, bytes(map, -2, -1));
        boolean usable =
                modulus.bitLength() >= LEAST_RSA_BITS
                        && modulus.bitLength() <= MOST_RSA_BITS
                        && exponent.testBit(0)
                        && exponent.bitLength() >= 17
                        && exponent.bitLength() <= 64;
        if (!usable) {
            throw new PasskeyException("the RSA key is too short, too long or of a bad exponent");
        }
        return KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(modulus, exponent));
    }

    private static long number(Map<?, ?> map, long label) {
        if (map.get(label) instanceof Long value) {
            return value;
        }
        throw new PasskeyException("the key has no number " + label);
    }

    /** Returns bytes of that length; -1 for any. */
    private static byte[] bytes(Map<?, ?> map, long label, int length) {
        if (map.get(label) instanceof byte[] value && (length < 0 || value.length == length)) {
            return value;
        }
        throw new PasskeyException("the key has no bytes " + label + " of the right length");
    }

    /** Returns whether a signature is by this key; a malformed one is not. */
    boolean verify(byte[] message, byte[] signature) {
        try {
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(key);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}

package palyra.transport.grpc.internal.server;

import java.security.Key;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.security.interfaces.RSAKey;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Accepts only the keys and signatures that are known to be strong enough for TLS. Pure functions.
 */
final class TlsStrength {
    private static final int RSA_BITS = 2_048;

    /** Sizes of the curves of NIST that every peer knows. */
    private static final List<Integer> EC_BITS = List.of(256, 384, 521);

    private static final Pattern SIGNATURES =
            Pattern.compile(
                    "SHA(256|384|512)with(RSA|ECDSA)|RSASSA-PSS|Ed25519|Ed448|EdDSA",
                    Pattern.CASE_INSENSITIVE);

    private TlsStrength() {}

    /** Returns why a key is too weak, for the middle of a sentence; empty when it is not. */
    static Optional<String> weakness(Key key) {
        if (key instanceof RSAKey rsa) {
            int bits = rsa.getModulus().bitLength();
            return bits >= RSA_BITS
                    ? Optional.empty()
                    : Optional.of(
                            "an RSA key of " + bits + " bits; use " + RSA_BITS + " bits or more");
        }
        if (key instanceof ECKey ec) {
            int bits = ec.getParams().getCurve().getField().getFieldSize();
            return EC_BITS.contains(bits)
                    ? Optional.empty()
                    : Optional.of(
                            "an EC key on a curve of "
                                    + bits
                                    + " bits; use secp256r1, secp384r1 or secp521r1");
        }
        return key instanceof EdECKey
                ? Optional.empty()
                : Optional.of(
                        "a key of the kind " + key.getAlgorithm() + "; use RSA, EC or Ed25519");
    }

    /**
     * Returns why a certificate is too weak.
     *
     * @param trusted whether it is trusted by its file alone, so that its signature does not matter
     */
    static Optional<String> weakness(X509Certificate certificate, boolean trusted) {
        Optional<String> key = weakness(certificate.getPublicKey());
        String signature = certificate.getSigAlgName();
        return key.isPresent() || trusted || SIGNATURES.matcher(signature).matches()
                ? key
                : Optional.of(
                        "a signature by " + signature + "; have it issued with SHA-256 or better");
    }
}

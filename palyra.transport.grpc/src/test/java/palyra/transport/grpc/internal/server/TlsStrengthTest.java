package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.security.Key;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsStrengthTest {
    private static Key key(String algorithm, int bits) throws Exception {
        KeyPairGenerator maker = KeyPairGenerator.getInstance(algorithm);
        maker.initialize(bits);
        return maker.generateKeyPair().getPrivate();
    }

    @ParameterizedTest
    @CsvSource({"RSA, 2048", "EC, 256", "EC, 384", "EC, 521", "Ed25519, 255"})
    void takesStrongKeys(String algorithm, int bits) throws Exception {
        assertEquals(Optional.empty(), TlsStrength.weakness(key(algorithm, bits)));
    }

    @ParameterizedTest
    @CsvSource({"RSA, 1024", "DSA, 2048", "DH, 2048"})
    void refusesWeakAndUnknownKeys(String algorithm, int bits) throws Exception {
        assertTrue(TlsStrength.weakness(key(algorithm, bits)).isPresent());
    }

    /** The JDK makes no such keys any more, and reads them all the same where others made them. */
    private record OnCurve(int bits) implements Key, ECKey {
        @Override
        public ECParameterSpec getParams() {
            BigInteger prime = BigInteger.ONE.shiftLeft(bits - 1).setBit(0);
            EllipticCurve curve =
                    new EllipticCurve(new ECFieldFp(prime), BigInteger.ONE, BigInteger.ONE);
            return new ECParameterSpec(
                    curve, new ECPoint(BigInteger.ONE, BigInteger.ONE), BigInteger.TWO, 1);
        }

        @Override
        public String getAlgorithm() {
            return "EC";
        }

        @Override
        public String getFormat() {
            return "PKCS#8";
        }

        @Override
        public byte[] getEncoded() {
            return new byte[0];
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {160, 192, 224, 255, 320})
    void refusesUnknownCurves(int bits) {
        assertTrue(TlsStrength.weakness(new OnCurve(bits)).orElse("").contains(bits + " bits"));
    }

    @Test
    void anAuthorityIsTrustedForItsFileAndNotForItsSignature() throws Exception {
        var certificate = Pem.certificates(TestSettings.resource("sha1.pem")).get(0);
        assertTrue(TlsStrength.weakness(certificate, false).isPresent());
        assertEquals(Optional.empty(), TlsStrength.weakness(certificate, true));
    }
}

package palyra.connectors.webhook.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignaturesTest {
    /** The vector that the libraries of the Standard Webhooks specification share. */
    private static final String VECTOR = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    private static String vector(String secret) {
        return Signatures.sign(
                Signatures.key(secret).orElseThrow(),
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                1614265330,
                "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8));
    }

    private static String secretOf(int bytes) {
        return "whsec_" + Base64.getEncoder().encodeToString(new byte[bytes]);
    }

    @Test
    void signsAsTheSpecificationSays() {
        assertEquals(VECTOR, vector("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
    }

    @Test
    void findsTheSignatureAmongOthers() {
        String wrong = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=";
        assertTrue(Signatures.matches(VECTOR, VECTOR));
        assertTrue(
                Signatures.matches(
                        wrong + " " + wrong.replace("v1", "v1a") + " " + VECTOR + " " + wrong,
                        VECTOR));
        assertFalse(Signatures.matches(wrong + " " + wrong, VECTOR));
        assertFalse(Signatures.matches(VECTOR.replace("v1", "v2"), VECTOR), "another scheme");
        assertFalse(Signatures.matches(VECTOR.substring(0, 10), VECTOR));
        assertFalse(Signatures.matches("v1,", VECTOR));
        assertFalse(Signatures.matches("", VECTOR));
    }

    @Test
    void looksAtSoManySignaturesAndNoMore() {
        assertTrue(Signatures.matches("v1,x ".repeat(15) + VECTOR, VECTOR));
        assertFalse(Signatures.matches("v1,x ".repeat(16) + VECTOR + " v1,x", VECTOR));
    }

    @Test
    void keysHaveTheLengthThatTheSpecificationAsksFor() {
        assertTrue(Signatures.key(secretOf(24)).isPresent());
        assertTrue(Signatures.key(secretOf(64)).isPresent());
        assertTrue(Signatures.key(secretOf(23)).isEmpty());
        assertTrue(Signatures.key(secretOf(65)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "whsec_",
                "whsec_ÄÖÜ",
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw!",
                "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
            })
    void otherTextsAreNoSecrets(String text) {
        assertTrue(Signatures.key(text).isEmpty());
    }
}

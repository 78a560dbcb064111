package palyra.access.internal.passkey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.PalyraException;
import palyra.api.core.access.NewFactor;
import palyra.api.core.access.SignInProof;

class PasskeyVerifierTest {
    private static final String CHALLENGE = "c29tZS1jaGFsbGVuZ2U";
    private static final PasskeyVerifier.Expected EXPECTED =
            new PasskeyVerifier.Expected(CHALLENGE, SoftAuthenticator.ORIGIN);

    private static PasskeyVerifier.Credential registered(SoftAuthenticator authenticator) {
        NewFactor.Passkey made = authenticator.make("a", CHALLENGE);
        return PasskeyVerifier.registered(EXPECTED, made.clientData(), made.attestationObject());
    }

    private static PasskeyVerifier.Credential asserted(
            PasskeyVerifier.Credential known, SignInProof.Passkey proof) {
        return PasskeyVerifier.asserted(
                EXPECTED, known, proof.clientData(), proof.authenticatorData(), proof.signature());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ES256", "EdDSA", "RS256"})
    void acceptsAPasskeyOfEachAlgorithmAndNoOtherSignature(String algorithm) {
        SoftAuthenticator authenticator = new SoftAuthenticator(algorithm, 1);
        PasskeyVerifier.Credential known = registered(authenticator);
        assertEquals(authenticator.id(), known.id());
        authenticator.counter = 7;
        SignInProof.Passkey proof = authenticator.prove(CHALLENGE);
        assertEquals(7, asserted(known, proof).counter());
        byte[] signature = Base64.getUrlDecoder().decode(proof.signature());
        for (int i = 0; i < signature.length; i += 7) {
            byte[] flipped = signature.clone();
            flipped[i] ^= 1;
            SignInProof.Passkey spoiled =
                    new SignInProof.Passkey(
                            proof.credentialId(),
                            proof.clientData(),
                            proof.authenticatorData(),
                            SoftAuthenticator.encode(flipped));
            assertThrows(PasskeyException.class, () -> asserted(known, spoiled), "byte " + i);
        }
        SignInProof.Passkey other = new SoftAuthenticator(algorithm, 1).prove(CHALLENGE);
        assertThrows(PasskeyException.class, () -> asserted(known, other));
    }

    private static void refusesBoth(Consumer<SoftAuthenticator> spoiling, String why) {
        SoftAuthenticator authenticator = new SoftAuthenticator("ES256", 1);
        PasskeyVerifier.Credential known = registered(authenticator);
        asserted(known, authenticator.prove(CHALLENGE)); // it works before it is spoiled
        spoiling.accept(authenticator);
        for (Runnable attempt :
                new Runnable[] {
                    () -> registered(authenticator),
                    () -> asserted(known, authenticator.prove(CHALLENGE))
                }) {
            PasskeyException refused = assertThrows(PasskeyException.class, attempt::run);
            assertTrue(refused.getMessage().contains(why), refused.getMessage());
        }
    }

    @Test
    void refusesAnAnswerOfAnotherPageOrKind() {
        refusesBoth(a -> a.origin = "https://palyra.example.evil", "another origin");
        refusesBoth(a -> a.origin = "http://palyra.example", "another origin");
        refusesBoth(a -> a.origin = "https://palyra.example:444", "another origin");
        refusesBoth(a -> a.host = "example", "another host");
        refusesBoth(a -> a.type = "payment.get", "another kind");
        refusesBoth(a -> a.clientExtras = ",\"topOrigin\":\"https://evil\"", "in a frame");
        refusesBoth(a -> a.clientExtras = ",\"crossOrigin\":true", "not JSON"); // twice
        refusesBoth(a -> a.framed = true, "in a frame");
    }

    @Test
    void aRegistrationIsNoAssertion() {
        SoftAuthenticator authenticator = new SoftAuthenticator("ES256", 1);
        PasskeyVerifier.Credential known = registered(authenticator);
        authenticator.type = "webauthn.create";
        assertThrows(PasskeyException.class, () -> asserted(known, authenticator.prove(CHALLENGE)));
    }

    @Test
    void refusesAnAnswerWithoutAPersonWhoWasVerified() {
        refusesBoth(a -> a.flags = 0x01, "did not verify");
        refusesBoth(a -> a.flags = 0x04, "did not verify");
        refusesBoth(a -> a.flags = 0x15, "backed up and cannot be");
    }

    @Test
    void refusesAnotherChallenge() {
        SoftAuthenticator authenticator = new SoftAuthenticator("EdDSA", 1);
        PasskeyVerifier.Credential known = registered(authenticator);
        SignInProof.Passkey proof = authenticator.prove("b3RoZXI");
        assertThrows(PasskeyException.class, () -> asserted(known, proof));
    }

    @Test
    void refusesAHostWithoutAName() {
        for (String origin : new String[] {"http://127.0.0.1:7142", "http://[::1]:7142"}) {
            assertThrows(PalyraException.class, () -> PasskeyVerifier.host(origin));
        }
        assertEquals("localhost", PasskeyVerifier.host("http://localhost:7142"));
    }

    @Test
    void refusesAKeyBesideItsCurve() {
        byte[] cose = new SoftAuthenticator("ES256", 1).cose();
        CoseKey.of(cose);
        cose[cose.length - 1] ^= 1;
        assertThrows(PasskeyException.class, () -> CoseKey.of(cose));
    }
}

package palyra.access.internal.passkey;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.shared.hash.Digests;
import palyra.shared.json.StrictJson;

/**
 * Verifies what authenticators answer: registrations without attestation, and assertions. The
 * person has to be verified by the authenticator; the page has to be of the expected origin and in
 * no frame; the challenge has to be the expected one. What the counter says is the caller's to
 * judge.
 */
public final class PasskeyVerifier {
    private PasskeyVerifier() {}

    /**
     * What an answer has to be about.
     *
     * @param challenge base64url
     * @param origin of the page, such as {@code https://palyra.example}
     */
    public record Expected(String challenge, String origin) {
        /** Checks. */
        public Expected {
            Require.text(challenge, "challenge");
            Require.text(origin, "origin");
        }
    }

    /**
     * A credential.
     *
     * @param id base64url
     * @param publicKey COSE bytes
     * @param counter as the authenticator last said; 0 when it does not count
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as sent, never compared as records
    public record Credential(String id, byte[] publicKey, long counter) {}

    /**
     * Returns the host that passkeys of an origin are bound to.
     *
     * @throws IllegalArgumentException when it can have none: an address in digits
     */
    public static String host(String origin) {
        String host = URI.create(origin).getHost();
        Require.that(
                host != null && !host.startsWith("[") && !host.matches("[0-9.]+"),
                "passkeys need a host with a name; '"
                        + origin
                        + "' has none. Open the console under a name such as localhost, or use a"
                        + " password");
        return host.toLowerCase(Locale.ROOT);
    }

    /** Returns the credential of a registration. */
    public static Credential registered(
            Expected expected, String clientData, String attestationObject) {
        requireClientData(expected, "webauthn.create", decode(clientData));
        Map<?, ?> attestation = CborReader.asMap(CborReader.readWhole(decode(attestationObject)));
        if (!(attestation.get("authData") instanceof byte[] bytes)) {
            throw new PasskeyException("the attestation has no authenticator data");
        }
        AuthenticatorData data = AuthenticatorData.of(bytes);
        requireHost(expected, data);
        data.requirePerson();
        if (!data.hasCredential()) {
            throw new PasskeyException("the answer has no credential");
        }
        CoseKey.of(data.publicKey());
        return new Credential(encode(data.credentialId()), data.publicKey(), data.counter());
    }

    /** Returns the credential after an assertion by it: with its new counter. */
    public static Credential asserted(
            Expected expected,
            Credential known,
            String clientData,
            String authenticatorData,
            String signature) {
        byte[] client = decode(clientData);
        byte[] authenticator = decode(authenticatorData);
        requireClientData(expected, "webauthn.get", client);
        AuthenticatorData data = AuthenticatorData.of(authenticator);
        requireHost(expected, data);
        data.requirePerson();
        byte[] digest = Digests.sha256(client);
        byte[] message = new byte[authenticator.length + digest.length];
        System.arraycopy(authenticator, 0, message, 0, authenticator.length);
        System.arraycopy(digest, 0, message, authenticator.length, digest.length);
        if (!CoseKey.of(known.publicKey()).verify(message, decode(signature))) {
            throw new PasskeyException("the signature is not by the passkey");
        }
        return new Credential(known.id(), known.publicKey(), data.counter());
    }

    private static void requireClientData(Expected expected, String type, byte[] bytes) {
        JsonNode client = json(bytes);
        require(client.path("type").asText().equals(type), "the answer is of another kind");
        require(
                same(client.path("challenge").asText(), expected.challenge()),
                "the answer is to another challenge");
        require(
                same(client.path("origin").asText(), expected.origin()),
                "the answer is by a page of another origin");
        require(
                !client.path("crossOrigin").asBoolean(false) && !client.has("topOrigin"),
                "the answer is by a page in a frame");
    }

    private static JsonNode json(byte[] bytes) {
        try {
            return StrictJson.parse(bytes, "the client data");
        } catch (PalyraException e) {
            throw new PasskeyException("the client data is not JSON", e);
        }
    }

    private static void requireHost(Expected expected, AuthenticatorData data) {
        byte[] wanted = Digests.sha256(host(expected.origin()).getBytes(StandardCharsets.UTF_8));
        require(
                MessageDigest.isEqual(wanted, data.hostDigest()),
                "the passkey is bound to another host");
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new PasskeyException(otherwise);
        }
    }

    private static byte[] decode(String text) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new PasskeyException("a part is not base64url", e);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

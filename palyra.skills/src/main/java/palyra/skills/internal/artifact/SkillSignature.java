package palyra.skills.internal.artifact;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import palyra.api.PalyraException;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.sign.Ed25519Verifier;
import palyra.skills.internal.RefusedException;

/**
 * The content of {@code signature.json}.
 *
 * @param publisher who signed
 * @param publicKeyHex key, 64 digits of lower-case hex
 * @param payloadSha256 digest of the entries; signed together with publisher and time
 * @param signedAtMillis unix time in milliseconds, as the signer says; under the signature
 */
public record SkillSignature(
        String publisher, String publicKeyHex, String payloadSha256, long signedAtMillis) {
    /** The only algorithm. */
    public static final String ALGORITHM = "ed25519-sha256-v2";

    /** The one before, which left publisher and time out. */
    private static final String BEFORE = "ed25519-sha256";

    private static final String TAG = "palyra.skill.payload.v1";
    private static final String SIGNED = "palyra.skill.signature.v2";
    private static final String INVALID = "signature_invalid";
    private static final Set<String> KEYS =
            Set.of(
                    "algorithm",
                    "publisher",
                    "key_id",
                    "public_key_base64",
                    "payload_sha256",
                    "signature_base64",
                    "signed_at_unix_ms");

    /** Returns the id of the key. */
    public String keyId() {
        return SkillKey.id(HexFormat.of().parseHex(publicKeyHex));
    }

    /**
     * Returns the digest of everything but the signature: SHA-256 over the tag and, in the order of
     * the paths, each path and content with their lengths as 64-bit big-endian numbers.
     */
    public static String payload(SortedMap<String, byte[]> entries) {
        Digests digest = Digests.tagged(TAG);
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            if (!entry.getKey().equals(Paths.SIGNATURE)) {
                digest.lp(entry.getKey()).lp(entry.getValue());
            }
        }
        return Digests.hex(digest.bytes());
    }

    /**
     * Returns the signed statement: SHA-256 over tag, payload's digest, publisher and time, as hex.
     */
    static String statement(String payload, String publisher, long atMillis) {
        return Digests.hex(Digests.tagged(SIGNED).lp(payload).lp(publisher).u64(atMillis).bytes());
    }

    /** Returns {@code signature.json} for these entries. */
    static byte[] sign(
            SortedMap<String, byte[]> entries, String publisher, SkillKey key, long atMillis) {
        String payload = payload(entries);
        byte[] publicKey = key.publicKey();
        byte[] signature =
                key.sign(
                        statement(payload, publisher, atMillis)
                                .getBytes(StandardCharsets.US_ASCII));
        Base64.Encoder base64 = Base64.getEncoder();
        return Jcs.bytes(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("algorithm", ALGORITHM)
                        .put("publisher", publisher)
                        .put("key_id", SkillKey.id(publicKey))
                        .put("public_key_base64", base64.encodeToString(publicKey))
                        .put("payload_sha256", payload)
                        .put("signature_base64", base64.encodeToString(signature))
                        .put("signed_at_unix_ms", atMillis));
    }

    /**
     * Checks that the entries are what was signed, by the key that the signature names. Whether
     * that key is to be trusted is another question.
     *
     * @throws RefusedException {@code signature_missing} or {@code signature_invalid}
     */
    static SkillSignature verify(SortedMap<String, byte[]> entries) {
        byte[] file = entries.get(Paths.SIGNATURE);
        if (file == null) {
            throw new RefusedException(
                    "signature_missing",
                    "The artifact is not signed. Sign it with palyra skills sign.");
        }
        JsonNode json = parse(file);
        byte[] key = base64(json, "public_key_base64", 32);
        byte[] signature = base64(json, "signature_base64", 64);
        String payload = payload(entries);
        requireAlgorithm(json.path("algorithm").asText());
        require(
                SkillKey.id(key).equals(json.path("key_id").asText()),
                "key_id does not belong to the key");
        require(
                payload.equals(json.path("payload_sha256").asText()),
                "the entries are not those that were signed");
        require(
                json.path("signed_at_unix_ms").isIntegralNumber()
                        && json.path("signed_at_unix_ms").canConvertToLong(),
                "signed_at_unix_ms is not a time");
        String publisher = json.path("publisher").asText();
        long atMillis = json.path("signed_at_unix_ms").longValue();
        require(
                verifies(key, statement(payload, publisher, atMillis), signature),
                "the signature does not fit key, entries, publisher and signed_at_unix_ms");
        return new SkillSignature(publisher, HexFormat.of().formatHex(key), payload, atMillis);
    }

    private static void requireAlgorithm(String algorithm) {
        require(
                !BEFORE.equals(algorithm),
                "its algorithm "
                        + BEFORE
                        + " leaves signed_at_unix_ms unsigned; sign the artifact again: palyra skills"
                        + " sign");
        require(ALGORITHM.equals(algorithm), "its algorithm is not " + ALGORITHM);
    }

    private static JsonNode parse(byte[] file) {
        try {
            JsonNode json = StrictJson.parse(file, Paths.SIGNATURE);
            TreeSet<String> names = new TreeSet<>();
            json.fieldNames().forEachRemaining(names::add);
            require(
                    json.isObject() && names.equals(KEYS),
                    "its keys are not " + new TreeSet<>(KEYS));
            return json;
        } catch (PalyraException e) {
            throw new RefusedException(INVALID, "signature.json is not usable.", e);
        }
    }

    private static byte[] base64(JsonNode json, String key, int length) {
        try {
            byte[] bytes = Base64.getDecoder().decode(json.path(key).asText());
            require(bytes.length == length, key + " is not " + length + " bytes long");
            return bytes;
        } catch (IllegalArgumentException e) {
            throw new RefusedException(INVALID, "signature.json: " + key + " is not Base64.", e);
        }
    }

    /** Returns whether a message in ASCII was signed by a raw public key. */
    public static boolean verifies(byte[] publicKey, String message, byte[] signature) {
        try {
            return Ed25519Verifier.of(publicKey)
                    .verify(message.getBytes(StandardCharsets.US_ASCII), signature);
        } catch (GeneralSecurityException e) {
            return false; // an invalid key verifies nothing
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new RefusedException(INVALID, "The signature is invalid: " + otherwise + ".");
        }
    }
}

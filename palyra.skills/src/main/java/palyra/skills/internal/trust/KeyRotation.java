package palyra.skills.internal.trust;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import palyra.api.PalyraException;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.SkillKey;
import palyra.skills.internal.artifact.SkillSignature;

/**
 * A publisher's word that another key takes the place of the old one: signed by the old key, and by
 * the new one to show that it is there. Made and checked without a gateway.
 *
 * @param publisher whose
 * @param oldKey in hex
 * @param newKey in hex
 * @param atMillis unix time in milliseconds, as the publisher says
 */
public record KeyRotation(String publisher, String oldKey, String newKey, long atMillis) {
    private static final String FORMAT = "palyra.skill.key.rotation.v1";
    private static final String REASON = "rotation_invalid";
    private static final int MAX_BYTES = 10_000;

    /**
     * Returns the signed statement: SHA-256 over tag, publisher, both keys and time, as lower-case
     * hex.
     */
    private String statement() {
        return Digests.hex(
                Digests.tagged(FORMAT)
                        .lp(publisher)
                        .lp(HexFormat.of().parseHex(oldKey))
                        .lp(HexFormat.of().parseHex(newKey))
                        .u64(atMillis)
                        .bytes());
    }

    /** Makes the file. */
    public static byte[] make(String publisher, SkillKey from, SkillKey to, long atMillis) {
        KeyRotation rotation =
                new KeyRotation(publisher, from.publicHex(), to.publicHex(), atMillis);
        byte[] message = rotation.statement().getBytes(StandardCharsets.US_ASCII);
        Base64.Encoder base64 = Base64.getEncoder();
        return Jcs.bytes(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("format", FORMAT)
                        .put("publisher", publisher)
                        .put("old_key", rotation.oldKey())
                        .put("new_key", rotation.newKey())
                        .put("issued_at_unix_ms", atMillis)
                        .put("old_signature", base64.encodeToString(from.sign(message)))
                        .put("new_signature", base64.encodeToString(to.sign(message))));
    }

    /**
     * Reads and checks the file.
     *
     * @throws RefusedException {@code rotation_invalid}
     */
    public static KeyRotation verify(byte[] file) {
        try {
            require(file.length <= MAX_BYTES, "it is too long");
            JsonNode json = StrictJson.parse(file, "rotation");
            require(FORMAT.equals(json.path("format").asText()), "its format is not " + FORMAT);
            String oldKey = key(json, "old_key");
            String newKey = key(json, "new_key");
            require(!oldKey.equals(newKey), "both keys are the same");
            KeyRotation rotation =
                    new KeyRotation(
                            json.path("publisher").asText(),
                            oldKey,
                            newKey,
                            json.path("issued_at_unix_ms").asLong());
            rotation.check(oldKey, json, "old_signature");
            rotation.check(newKey, json, "new_signature");
            return rotation;
        } catch (PalyraException | IllegalArgumentException e) {
            throw new RefusedException(REASON, "The rotation is not usable JSON.", e);
        }
    }

    private static String key(JsonNode json, String name) {
        String key = json.path(name).asText();
        require(key.matches("[0-9a-f]{64}"), name + " is not a key in lower-case hex");
        return key;
    }

    private void check(String key, JsonNode json, String name) {
        byte[] signature = Base64.getDecoder().decode(json.path(name).asText());
        require(
                SkillSignature.verifies(HexFormat.of().parseHex(key), statement(), signature),
                name + " does not fit");
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new RefusedException(REASON, "The rotation is invalid: " + otherwise + ".");
        }
    }
}

package palyra.keys.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.PublishedKey;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The forms of {@code boot-keys.json} and {@code published.json}: canonical JSON, the former with a
 * digest over itself so that a damaged secret is noticed before it is used.
 *
 * <p>What a parser says about a damaged key file quotes it, so no such text or cause leaves here.
 */
final class KeyRingCodec {
    private static final String FORMAT = "palyra.boot-keys.v1";
    private static final String PUBLISHED_FORMAT = "palyra.published-keys.v1";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private KeyRingCodec() {}

    static byte[] bytes(KeyRing ring) {
        ObjectNode root = JSON.objectNode();
        root.put("format", FORMAT);
        ArrayNode signing = root.putArray("signing");
        for (SigningKey key : ring.signingKeys()) {
            ObjectNode entry = published(key.published());
            if (key.seed() != null) {
                entry.put("seed", encode(key.seed()));
            }
            signing.add(entry);
        }
        root.put("tokenDigestKey", encode(ring.tokenDigestKey().getEncoded()));
        root.put("dataKey", encode(ring.dataKey().getEncoded()));
        root.put("secretsCreatedAtMillis", ring.secretsCreatedAtMillis());
        root.put("sha256", Digests.sha256Hex(Jcs.bytes(root)));
        return Jcs.bytes(root);
    }

    /** Returns the keys, or empty when the bytes are not exactly what {@link #bytes} wrote. */
    static Optional<KeyRing> parse(byte[] bytes) {
        try {
            if (!(StrictJson.parse(bytes, "the key file") instanceof ObjectNode root)
                    || !FORMAT.equals(root.path("format").asText())) {
                return Optional.empty();
            }
            String stated = root.path("sha256").asText();
            root.remove("sha256");
            boolean intact = Digests.sha256Hex(Jcs.bytes(root)).equals(stated);
            return intact ? Optional.of(ring(root)) : Optional.empty();
        } catch (PalyraException | IllegalArgumentException | GeneralSecurityException e) {
            return Optional.empty();
        }
    }

    private static KeyRing ring(ObjectNode root) throws GeneralSecurityException {
        List<SigningKey> keys = new ArrayList<>();
        for (JsonNode entry : root.path("signing")) {
            PublishedKey published = published(entry);
            byte[] seed = entry.has("seed") ? decode(entry.path("seed").asText()) : null;
            keys.add(SigningKey.of(published, decode(published.publicKey()), seed));
        }
        return new KeyRing(
                keys,
                decode(root.path("tokenDigestKey").asText()),
                decode(root.path("dataKey").asText()),
                root.path("secretsCreatedAtMillis").asLong());
    }

    static byte[] publishedBytes(List<PublishedKey> keys) {
        ObjectNode root = JSON.objectNode();
        root.put("format", PUBLISHED_FORMAT);
        ArrayNode list = root.putArray("keys");
        keys.forEach(key -> list.add(published(key)));
        return Jcs.bytes(root);
    }

    /** Returns the ids that a {@code published.json} names, or empty when it cannot be read. */
    static Optional<List<String>> publishedIds(byte[] bytes) {
        try {
            JsonNode root = StrictJson.parse(bytes, "the published keys");
            if (!PUBLISHED_FORMAT.equals(root.path("format").asText())) {
                return Optional.empty();
            }
            List<String> ids = new ArrayList<>();
            root.path("keys").forEach(key -> ids.add(key.path("keyId").asText()));
            return Optional.of(ids);
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }

    private static ObjectNode published(PublishedKey key) {
        return JSON.objectNode()
                .put("keyId", key.keyId())
                .put("purpose", key.purpose().name())
                .put("publicKey", key.publicKey())
                .put("createdAtMillis", key.createdAtMillis())
                .put("retiredAtMillis", key.retiredAtMillis())
                .put("successorKeyId", key.successorKeyId())
                .put("rotationSignature", key.rotationSignature());
    }

    private static PublishedKey published(JsonNode node) {
        return new PublishedKey(
                node.path("keyId").asText(),
                KeyPurpose.valueOf(node.path("purpose").asText()),
                node.path("publicKey").asText(),
                node.path("createdAtMillis").asLong(),
                node.path("retiredAtMillis").asLong(),
                node.path("successorKeyId").asText(),
                node.path("rotationSignature").asText());
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] decode(String text) {
        return Base64.getUrlDecoder().decode(text);
    }
}

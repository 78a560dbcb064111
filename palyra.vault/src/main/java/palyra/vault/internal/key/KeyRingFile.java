package palyra.vault.internal.key;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.vault.internal.crypto.Aead;
import palyra.vault.internal.crypto.Hkdf;

/**
 * The ring at rest: JSON whose member {@code sealed} holds the keys, encrypted under the key of the
 * source and bound to every other member. {@code check} tells a wrong key from a changed file: it
 * is a MAC of the vault's id under the key of the source.
 *
 * @param source name of the source that the ring was written for
 */
record KeyRingFile(
        String vaultId, String source, KeyDerivation stretch, String check, String sealed) {
    static final String FORMAT = "palyra.vault.keyring.v1";

    private static final int CHECK_BYTES = 16;

    /** Writes a ring, encrypted under a key. */
    static KeyRingFile of(
            KeyRing ring, String source, KeyDerivation stretch, byte[] key, Aead aead) {
        String check = HexFormat.of().formatHex(check(key, ring.vaultId()));
        KeyRingFile head = new KeyRingFile(ring.vaultId(), source, stretch, check, "");
        byte[] plain = ring.bytes();
        byte[] sealingKey = Hkdf.derive(key, FORMAT, "seal");
        try {
            byte[] sealed = aead.seal(sealingKey, plain, head.associated());
            String text = Base64.getEncoder().encodeToString(sealed);
            return new KeyRingFile(ring.vaultId(), source, stretch, check, text);
        } finally {
            Arrays.fill(plain, (byte) 0);
            Arrays.fill(sealingKey, (byte) 0);
        }
    }

    private static byte[] check(byte[] key, String vaultId) {
        byte[] checking = Hkdf.derive(key, FORMAT, "check");
        byte[] mac = Hkdf.mac(checking, vaultId.getBytes(StandardCharsets.US_ASCII));
        Arrays.fill(checking, (byte) 0);
        return Arrays.copyOf(mac, CHECK_BYTES);
    }

    private byte[] associated() {
        return Jcs.bytes(head());
    }

    private ObjectNode head() {
        ObjectNode head = JsonNodeFactory.instance.objectNode();
        head.put("format", FORMAT);
        head.put("vault", vaultId);
        head.put("source", source);
        head.set("kdf", stretch.json());
        head.put("check", check);
        return head;
    }

    byte[] bytes() {
        return Jcs.bytes(head().put("sealed", sealed));
    }

    /** Parses a file; empty when it is not a key ring file. */
    static Optional<KeyRingFile> parse(byte[] bytes) {
        JsonNode json;
        try {
            json = StrictJson.parse(new String(bytes, StandardCharsets.UTF_8), "the key ring");
        } catch (PalyraException e) {
            return Optional.empty();
        }
        boolean formed =
                json.path("format").asText().equals(FORMAT)
                        && json.path("vault").asText().matches("[0-9a-f]{32}")
                        && json.path("check").asText().matches("[0-9a-f]{32}")
                        && json.path("sealed").asText().matches("[A-Za-z0-9+/]+={0,2}");
        return formed
                ? KeyDerivation.of(json.path("kdf"))
                        .map(
                                stretch ->
                                        new KeyRingFile(
                                                json.path("vault").asText(),
                                                json.path("source").asText(),
                                                stretch,
                                                json.path("check").asText(),
                                                json.path("sealed").asText()))
                : Optional.empty();
    }

    /** Returns whether a key is the one that the ring was written under. */
    boolean isKey(byte[] key) {
        return MessageDigest.isEqual(check(key, vaultId), HexFormat.of().parseHex(check));
    }

    /** Decrypts the ring by a key; empty when the file was changed. */
    Optional<KeyRing> open(byte[] key, Aead aead) {
        byte[] from;
        try {
            from = Base64.getDecoder().decode(sealed);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        byte[] sealingKey = Hkdf.derive(key, FORMAT, "seal");
        Optional<byte[]> plain = aead.open(sealingKey, from, 0, from.length, associated());
        Arrays.fill(sealingKey, (byte) 0);
        Optional<KeyRing> ring = plain.flatMap(bytes -> KeyRing.of(vaultId, bytes));
        plain.ifPresent(bytes -> Arrays.fill(bytes, (byte) 0));
        return ring;
    }
}

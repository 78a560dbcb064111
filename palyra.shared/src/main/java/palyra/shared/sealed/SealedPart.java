package palyra.shared.sealed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The sealed part of a run's record.
 *
 * <p>Form: base64url without padding of {@code 0x01 ‖ nonce[12] ‖ AES-256-GCM(content) ‖ tag[16]},
 * NIST SP 800-38D, with the associated data {@code "palyra.tape.sealed.v1" ‖ lp(run id) ‖ lp(record
 * type) ‖ lp(place)}, {@code lp(x)} = u64 big-endian length ‖ UTF-8 bytes, so that it opens in its
 * own record only. The content is RFC 8785 JSON {@code {"input": text, "secrets": {placeholder:
 * literal}}}, members left out while they say nothing.
 *
 * @param input the exact input of a proposed call; null for a record without a call
 * @param secrets literals by their placeholders, of secrets that no earlier record keeps
 */
record SealedPart(String input, Map<String, String> secrets) {
    private static final byte VERSION = 1;
    static final int NONCE_LENGTH = 12;
    private static final int TAG_LENGTH = 16;
    private static final String TAG = "palyra.tape.sealed.v1";
    private static final String INPUT = "input";
    private static final String SECRETS = "secrets";

    /** Copies. */
    SealedPart {
        secrets = Map.copyOf(secrets);
    }

    /** Hides the content. */
    @Override
    public String toString() {
        return "SealedPart";
    }

    /** The place of a sealed part. */
    record Place(String runId, String type, String place) {
        private byte[] bytes() {
            byte[][] parts = {utf8(runId), utf8(type), utf8(place)};
            byte[] tag = utf8(TAG);
            int length = tag.length;
            for (byte[] part : parts) {
                length += Long.BYTES + part.length;
            }
            ByteBuffer all = ByteBuffer.allocate(length).put(tag);
            for (byte[] part : parts) {
                all.putLong(part.length).put(part);
            }
            return all.array();
        }

        private static byte[] utf8(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Returns whether there is nothing to seal. */
    boolean isEmpty() {
        return input == null && secrets.isEmpty();
    }

    /**
     * Seals.
     *
     * @param key 32 bytes
     * @param nonce 12 bytes, never used with that key before
     */
    String seal(byte[] key, Place place, byte[] nonce) {
        byte[] closed = crypt(Cipher.ENCRYPT_MODE, key, nonce, place, content()).orElseThrow();
        ByteBuffer all = ByteBuffer.allocate(1 + nonce.length + closed.length);
        all.put(VERSION).put(nonce).put(closed);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
    }

    private byte[] content() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        if (input != null) {
            node.put(INPUT, input);
        }
        if (!secrets.isEmpty()) {
            ObjectNode all = node.putObject(SECRETS);
            secrets.forEach(all::put);
        }
        return Jcs.bytes(node);
    }

    /** Opens; empty when key, place or bytes are not those that were sealed. */
    static Optional<SealedPart> open(String sealed, byte[] key, Place place) {
        byte[] all;
        try {
            all = Base64.getUrlDecoder().decode(sealed);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        if (all.length < 1 + NONCE_LENGTH + TAG_LENGTH || all[0] != VERSION) {
            return Optional.empty();
        }
        ByteBuffer rest = ByteBuffer.wrap(all, 1, all.length - 1);
        byte[] nonce = new byte[NONCE_LENGTH];
        rest.get(nonce);
        byte[] closed = new byte[rest.remaining()];
        rest.get(closed);
        return crypt(Cipher.DECRYPT_MODE, key, nonce, place, closed).map(SealedPart::read);
    }

    private static SealedPart read(byte[] content) {
        JsonNode node = StrictJson.parse(content, "a sealed part");
        Map<String, String> secrets = new LinkedHashMap<>();
        node.path(SECRETS)
                .properties()
                .forEach(one -> secrets.put(one.getKey(), one.getValue().asText()));
        return new SealedPart(node.has(INPUT) ? node.get(INPUT).asText() : null, secrets);
    }

    /** Decrypting returns empty when the bytes are not authentic. */
    private static Optional<byte[]> crypt(
            int mode, byte[] key, byte[] nonce, Place place, byte[] data) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(
                    mode,
                    new SecretKeySpec(key, "AES"),
                    new GCMParameterSpec(8 * TAG_LENGTH, nonce));
            cipher.updateAAD(place.bytes());
            return Optional.of(cipher.doFinal(data));
        } catch (AEADBadTagException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no AES-GCM", e);
        }
    }
}

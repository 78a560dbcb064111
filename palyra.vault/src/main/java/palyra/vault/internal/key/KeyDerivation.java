package palyra.vault.internal.key;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import palyra.vault.internal.crypto.Aead;
import palyra.vault.internal.crypto.Hkdf;

/**
 * How a key of 32 bytes is derived from a source's material: by HKDF from random bytes, by Argon2id
 * (RFC 9106, version 0x13) from a passphrase.
 *
 * @param salt for Argon2id; empty says that the material is random
 * @param memoryKib memory in KiB
 * @param iterations passes over the memory
 * @param lanes parallel lanes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeyDerivation(byte[] salt, int memoryKib, int iterations, int lanes) {
    private static final String NONE = "hkdf-sha256";
    private static final String ARGON2ID = "argon2id";
    private static final int SALT_BYTES = 16;
    private static final int MOST_KIB = 1 << 20;
    private static final int MOST_ROUNDS = 64;

    /** Returns how random material is used. */
    static KeyDerivation random() {
        return new KeyDerivation(new byte[0], 0, 0, 0);
    }

    /** Returns the second recommended setting of RFC 9106, section 4, with a new salt. */
    static KeyDerivation passphrase(Aead aead) {
        return new KeyDerivation(aead.randomBytes(SALT_BYTES), 1 << 16, 3, 4);
    }

    /** Returns the key; the caller overwrites it and {@code material}. */
    byte[] key(byte[] material) {
        byte[] stretched = salt.length == 0 ? material.clone() : argon2(material);
        try {
            return Hkdf.derive(stretched, "palyra.vault.v1", "master-key");
        } finally {
            Arrays.fill(stretched, (byte) 0);
        }
    }

    private byte[] argon2(byte[] passphrase) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(
                new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                        .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                        .withSalt(salt)
                        .withMemoryAsKB(memoryKib)
                        .withIterations(iterations)
                        .withParallelism(lanes)
                        .build());
        byte[] out = new byte[Aead.KEY_BYTES];
        generator.generateBytes(passphrase, out);
        return out;
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", salt.length == 0 ? NONE : ARGON2ID);
        if (salt.length > 0) {
            json.put("salt", HexFormat.of().formatHex(salt));
            json.put("memoryKib", memoryKib);
            json.put("iterations", iterations);
            json.put("lanes", lanes);
        }
        return json;
    }

    /** Parses the parameters; empty when they are malformed, or cost more than a start may. */
    static Optional<KeyDerivation> of(JsonNode json) {
        if (json.path("name").asText().equals(NONE)) {
            return Optional.of(random());
        }
        String salt = json.path("salt").asText();
        KeyDerivation read =
                new KeyDerivation(
                        salt.matches("([0-9a-f]{2}){8,64}")
                                ? HexFormat.of().parseHex(salt)
                                : new byte[0],
                        json.path("memoryKib").asInt(),
                        json.path("iterations").asInt(),
                        json.path("lanes").asInt());
        boolean usable =
                json.path("name").asText().equals(ARGON2ID)
                        && read.salt.length > 0
                        && read.lanes >= 1
                        && read.lanes <= MOST_ROUNDS
                        && read.iterations >= 1
                        && read.iterations <= MOST_ROUNDS
                        && read.memoryKib >= 8 * read.lanes
                        && read.memoryKib <= MOST_KIB;
        return usable ? Optional.of(read) : Optional.empty();
    }
}

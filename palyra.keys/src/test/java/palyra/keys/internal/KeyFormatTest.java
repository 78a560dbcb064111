package palyra.keys.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;

/** Key files of a version that made and used its keys with the JDK, after one rotation. */
class KeyFormatTest {
    private static final byte[] MESSAGE = "a message".getBytes(StandardCharsets.UTF_8);
    private static final KeySignature BY_THE_RETIRED_KEY =
            signature(
                    "ed25519:861837cf26525661",
                    "a39a1d82aa20abdc4580d66f865b808bf965cada1dc88de01b3c07a9fe996beb"
                            + "67652802b933f6391f748664bd4ae12fb09d2bf74c8dd5d18a8db6f7b8d3e603");
    private static final KeySignature BY_THE_CURRENT_KEY =
            signature(
                    "ed25519:9b74f07b7861043a",
                    "498f81e53b92d4c2d4a5a8e9beaae80b03bde0c88d6b93d4f936bb5c9884f666"
                            + "fd8856f6d8875e4fbb1d32b31aca975677ab604b07cadfd2294948c17198060c");

    @TempDir Path state;

    private static KeySignature signature(String keyId, String hex) {
        return new KeySignature(keyId, HexFormat.of().parseHex(hex));
    }

    private static byte[] stored(String name) throws IOException {
        try (InputStream in =
                KeyFormatTest.class.getResourceAsStream("written-by-the-jdk/" + name)) {
            return in.readAllBytes();
        }
    }

    @BeforeEach
    void put() throws IOException {
        Path folder = Files.createDirectory(state.resolve("keys"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        for (String name : new String[] {"boot-keys.json", "published.json"}) {
            Path file = Files.write(folder.resolve(name), stored(name));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void goOnToSignAndVerifyTheSameBytes() {
        BootKeys keys = BootKeys.open(state, Optional.empty());
        KeySignature made = keys.sign(KeyPurpose.TAPE_HEAD, MESSAGE);
        assertEquals(BY_THE_CURRENT_KEY.keyId(), made.keyId());
        assertArrayEquals(BY_THE_CURRENT_KEY.signature(), made.signature());
        assertTrue(keys.verify(KeyPurpose.TAPE_HEAD, MESSAGE, BY_THE_RETIRED_KEY));
        assertTrue(keys.verify(KeyPurpose.TAPE_HEAD, MESSAGE, BY_THE_CURRENT_KEY));
    }

    @Test
    void areWrittenAsTheyWere() throws Exception {
        BootKeys.open(state, Optional.empty());
        for (String name : new String[] {"boot-keys.json", "published.json"}) {
            assertArrayEquals(
                    stored(name), Files.readAllBytes(state.resolve("keys/" + name)), name);
        }
        KeyRing ring = KeyRingCodec.parse(stored("boot-keys.json")).orElseThrow();
        assertArrayEquals(stored("boot-keys.json"), KeyRingCodec.bytes(ring));
        assertArrayEquals(stored("published.json"), KeyRingCodec.publishedBytes(ring.published()));
    }
}

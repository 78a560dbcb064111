package palyra.keys.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;

/** The key file sealed under a credential. */
class SealedKeyFileTest {
    private static final byte[] MESSAGE = {1, 2, 3};

    @TempDir Path folder;
    private Path state;
    private Path file;

    @BeforeEach
    void folders() throws IOException {
        state = Files.createDirectory(folder.resolve("state"));
        file = state.resolve("keys/boot-keys.json");
    }

    private Optional<Path> secret(String text) throws IOException {
        Path secret = Files.writeString(folder.resolve("wrap"), text);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("r--------"));
        return Optional.of(secret);
    }

    private BootKeys open(Optional<Path> secret) {
        return BootKeys.open(state, Optional.empty(), secret);
    }

    private String text() throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    private void refused(Optional<Path> secret, String because) throws IOException {
        String before = text();
        PalyraException refused = assertThrows(PalyraException.class, () -> open(secret));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        assertTrue(refused.getMessage().contains(because), refused.getMessage());
        assertEquals(before, text());
    }

    @Test
    void aSealedFileOpensByItsSecretAlone() throws Exception {
        Optional<Path> secret = secret("x".repeat(32));
        KeySignature signature = open(secret).sign(KeyPurpose.TAPE_HEAD, MESSAGE);
        assertFalse(text().contains("palyra.boot-keys"));
        assertTrue(open(secret).verify(KeyPurpose.TAPE_HEAD, MESSAGE, signature));
        refused(Optional.empty(), "missing");
        Files.delete(secret.get());
        refused(secret("y".repeat(32)), "another");
        Files.delete(secret.get());
        refused(secret("short"), "fewer than 32");
    }

    @Test
    void aFileFromBeforeIsSealedAndStaysSoWhenKeysAreRotated() throws Exception {
        BootKeys plain = BootKeys.open(state, Optional.empty());
        KeySignature signature = plain.sign(KeyPurpose.TAPE_HEAD, MESSAGE);
        assertTrue(text().contains("palyra.boot-keys"));
        Optional<Path> secret = secret("x".repeat(40));
        BootKeys sealed = open(secret);
        assertFalse(text().contains("palyra.boot-keys"));
        sealed.rotate(KeyPurpose.TAPE_HEAD);
        assertFalse(text().contains("palyra.boot-keys"));
        assertTrue(open(secret).verify(KeyPurpose.TAPE_HEAD, MESSAGE, signature));
    }

    @Test
    void aChangedSealIsRefused() throws Exception {
        Optional<Path> secret = secret("x".repeat(32));
        open(secret);
        byte[] good = Files.readAllBytes(file);
        for (int at = 4; at < good.length; at += 11) {
            byte[] bad = good.clone();
            bad[at] ^= 1;
            Files.write(file, bad);
            refused(secret, "changed");
        }
        Files.write(file, java.util.Arrays.copyOf(good, 10));
        refused(secret, "changed");
        Files.write(file, good);
        open(secret);
    }
}

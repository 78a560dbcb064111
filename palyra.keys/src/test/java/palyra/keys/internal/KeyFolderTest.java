package palyra.keys.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.shared.json.StrictJson;

class KeyFolderTest {
    @TempDir Path state;

    private BootKeys open() {
        return BootKeys.open(state, Optional.empty());
    }

    private Path folder() {
        return state.resolve("keys");
    }

    private Path keyFile() {
        return folder().resolve("boot-keys.json");
    }

    private PalyraException refusal() {
        return assertThrows(PalyraException.class, this::open);
    }

    private static void mode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void makesFilesThatNobodyElseCanRead() throws Exception {
        open();
        assertEquals("rwx------", mode(folder()));
        assertEquals("rw-------", mode(keyFile()));
        assertTrue(Files.isRegularFile(folder().resolve("published.json")));
        try (var files = Files.list(folder())) {
            assertEquals(2, files.count(), "no temporary file stays");
        }
    }

    @Test
    void refusesAKeyFileThatOthersMayRead() throws Exception {
        open();
        for (String open : List.of("rw-r-----", "rw----r--", "rw--w----", "rw------x")) {
            mode(keyFile(), open);
            PalyraException refused = refusal();
            assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
            assertTrue(refused.getMessage().contains("chmod 600"), refused.getMessage());
        }
        mode(keyFile(), "rw-------");
        open();
        mode(folder(), "rwxr-x---");
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refusal().code());
        mode(folder(), "rwx------");
        open();
    }

    @Test
    void refusesAKeyFileOfAnotherOwner() throws Exception {
        open();
        assumeTrue(
                Integer.valueOf(0).equals(Files.getAttribute(folder(), "unix:uid")), "root only");
        Files.setAttribute(keyFile(), "unix:uid", 65_534);
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refusal().code());
        Files.setAttribute(keyFile(), "unix:uid", 0);
        open();
    }

    @Test
    void refusesASymbolicLink() throws Exception {
        open();
        Path elsewhere = state.resolve("elsewhere.json");
        Files.move(keyFile(), elsewhere);
        Files.createSymbolicLink(keyFile(), elsewhere);
        PalyraException refused = refusal();
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        assertTrue(refused.getMessage().contains("symbolic link"), refused.getMessage());
    }

    @Test
    void neverOverwritesADamagedKeyFile() throws Exception {
        open();
        byte[] good = Files.readAllBytes(keyFile());
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            byte[] bent = good.clone();
            bent[random.nextInt(bent.length)] ^= (byte) (1 << random.nextInt(8));
            requireRefused(bent);
        }
        requireRefused(new byte[0]);
        requireRefused(Arrays.copyOf(good, good.length / 2));
        requireRefused("[]".getBytes(StandardCharsets.UTF_8));
        Files.write(keyFile(), good);
        open();
    }

    private void requireRefused(byte[] damaged) throws IOException {
        Files.write(keyFile(), damaged);
        PalyraException refused = refusal();
        assertEquals(ErrorCode.CORRUPT, refused.code());
        assertTrue(refused.getMessage().contains("backup"), refused.getMessage());
        assertArrayEquals(damaged, Files.readAllBytes(keyFile()));
    }

    @Test
    void aRefusalQuotesNothingOfADamagedKeyFile() throws Exception {
        open();
        String good = Files.readString(keyFile());
        String secret = StrictJson.parse(good, "keys").path("dataKey").asText();
        String unquoted = good.replace("\"" + secret + "\"", secret);
        Files.writeString(keyFile(), unquoted);
        StringWriter trace = new StringWriter();
        refusal().printStackTrace(new PrintWriter(trace));
        assertFalse(trace.toString().contains(secret.substring(0, 8)), trace.toString());
    }

    @Test
    void removesWhatACrashWhileWritingLeft() throws Exception {
        BootKeys before = open();
        Path left = folder().resolve(".boot-keys.json.0b0d.tmp");
        Files.write(left, Arrays.copyOf(Files.readAllBytes(keyFile()), 40));
        BootKeys after = open();
        assertEquals(before.published(), after.published());
        assertFalse(Files.exists(left));
    }

    @Test
    void aCrashInTheVeryFirstWriteJustBeginsAgain() throws Exception {
        Files.createDirectory(
                folder(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(folder().resolve(".boot-keys.json.0b0d.tmp"), "{\"format\":");
        assertEquals(2, open().published().size());
    }

    @Test
    void doesNotSilentlyMakeNewKeysWhenTheFileIsGone() throws Exception {
        open();
        Files.delete(keyFile());
        assertEquals(ErrorCode.CORRUPT, refusal().code());
        assertFalse(Files.exists(keyFile()));
        Files.delete(folder().resolve("published.json"));
        open();
    }

    @Test
    void usesACredentialAndRefusesToRotateIt() throws Exception {
        BootKeys made = open();
        Path credential = state.resolve("palyra-boot-keys");
        Files.move(keyFile(), credential);
        mode(credential, "r--r-----");
        byte[] before = Files.readAllBytes(credential);
        BootKeys keys = BootKeys.open(state, KeysComponent.credential(state.toString()));
        assertEquals(made.published(), keys.published());
        PalyraException refused =
                assertThrows(PalyraException.class, () -> keys.rotate(KeyPurpose.TAPE_HEAD));
        assertEquals(ErrorCode.READ_ONLY, refused.code());
        assertTrue(refused.getMessage().contains("credential"), refused.getMessage());
        assertArrayEquals(before, Files.readAllBytes(credential));
        assertFalse(Files.exists(keyFile()));
        assertEquals(made.published(), keys.published());
    }

    @Test
    void refusesACredentialThatEverybodyMayRead() throws Exception {
        open();
        Path credential = state.resolve("palyra-boot-keys");
        Files.move(keyFile(), credential);
        mode(credential, "r--r--r--");
        PalyraException refused =
                assertThrows(
                        PalyraException.class, () -> BootKeys.open(state, Optional.of(credential)));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        assertTrue(KeysComponent.credential(state.resolve("none").toString()).isEmpty());
        assertTrue(KeysComponent.credential(null).isEmpty());
    }
}

package palyra.vault.internal.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Map;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.vault.internal.crypto.Aead;

class KeySourcesTest {
    @TempDir Path state;

    private final Aead aead = new Aead();
    private final DurableFiles files = new DurableFiles();

    private static KeySettings settings(String source, String from, String program) {
        return new KeySettings(source, "", from, "vault-key", program, "palyra-test", 30_000);
    }

    private KeyRingStore chest(KeySettings settings, Map<String, String> environment) {
        return new KeyRingStore(state, settings.open(state, environment, files, aead), files, aead);
    }

    private Path write(String name, String text) throws IOException {
        Path file = Files.writeString(state.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static PalyraException refused(KeyRingStore chest) {
        return assertThrows(PalyraException.class, chest::open);
    }

    /** Makes, opens, rotates and opens again. */
    private void works(KeySettings settings, Map<String, String> environment) throws IOException {
        KeyRing made = chest(settings, environment).create();
        KeyRing opened = chest(settings, environment).open();
        assertEquals(made.vaultId(), opened.vaultId());
        assertArrayEquals(made.indexKey(), opened.indexKey());
        KeyRing rotated = chest(settings, environment).rotate();
        assertEquals(2, rotated.current());
        KeyRing again = chest(settings, environment).open();
        assertArrayEquals(made.masterKey(1).get(), again.masterKey(1).get());
        assertArrayEquals(rotated.masterKey(2).get(), again.masterKey(2).get());
        assertEquals(1, chest(settings, environment).retire(java.util.Set.of()).versions().size());
        assertFalse(chest(settings, environment).open().toString().contains("[B"));
    }

    @Test
    void theFileIsMadeOnceAndRotatedWithTheMasterKey() throws Exception {
        KeySettings settings = settings("file", "", "");
        Path file = state.resolve("keys/vault-master.key");
        chest(settings, Map.of()).create();
        byte[] first = Files.readAllBytes(file);
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        Files.delete(state.resolve("keyring"));
        works(settings, Map.of());
        byte[] later = Files.readAllBytes(file);
        assertEquals(first.length, later.length);
        assertFalse(java.util.Arrays.equals(first, later));
        Files.write(file, first);
        PalyraException old = refused(chest(settings, Map.of()));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, old.code());
        assertTrue(old.getMessage().contains("wrong master key"), old.getMessage());
        Files.delete(file);
        assertTrue(refused(chest(settings, Map.of())).getMessage().contains("no master key"));
    }

    @Test
    void aFileThatOthersCouldReadOrMadeIsRefused() throws Exception {
        KeySettings settings = settings("file", "", "");
        chest(settings, Map.of()).create();
        Path file = state.resolve("keys/vault-master.key");
        for (String mode : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            assertEquals(
                    ErrorCode.KEYS_UNAVAILABLE, refused(chest(settings, Map.of())).code(), mode);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        chest(settings, Map.of()).open();
        Path elsewhere = state.resolve("elsewhere");
        Files.move(file, elsewhere);
        Files.createSymbolicLink(file, elsewhere);
        assertTrue(refused(chest(settings, Map.of())).getMessage().contains("symbolic link"));
        Files.delete(file);
        write("keys/vault-master.key", "PVK1short");
        assertTrue(refused(chest(settings, Map.of())).getMessage().contains("holds no key"));
    }

    @Test
    void aPassphraseComesFromAFileAndANewOneFromTheFileBesideIt() throws Exception {
        KeySettings settings = settings("passphrase", "file:passphrase", "");
        write("passphrase", "correct horse battery\n");
        KeyRing made = chest(settings, Map.of()).create();
        assertEquals(made.vaultId(), chest(settings, Map.of()).open().vaultId());
        assertTrue(Files.readString(state.resolve("keyring")).contains("argon2id"));
        write("passphrase.new", "staple of another kind\r\n");
        chest(settings, Map.of()).rotate();
        KeyRingStore later = chest(settings, Map.of());
        later.open();
        byte[] used = "staple of another kind".getBytes(StandardCharsets.UTF_8);
        assertTrue(later.source().advice(used).contains("passphrase.new"));
        Files.move(state.resolve("passphrase.new"), state.resolve("p"));
        PalyraException wrong = refused(chest(settings, Map.of()));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, wrong.code());
        assertFalse(wrong.getMessage().contains("horse"), wrong.getMessage());
        Files.move(
                state.resolve("p"),
                state.resolve("passphrase"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertEquals(2, chest(settings, Map.of()).open().current());
        write("passphrase", "short\n");
        assertTrue(refused(chest(settings, Map.of())).getMessage().contains("too short"));
    }

    @Test
    void passphrasesAlsoComeFromVariablesThatNameFilesAndFromDescriptors() throws Exception {
        Path file = write("secret-phrase", "correct horse battery");
        Map<String, String> named = Map.of("PHRASE_FILE", file.toString());
        KeyRing made = chest(settings("passphrase", "env-file:PHRASE_FILE", ""), named).create();
        KeySettings credential = settings("passphrase", "credential:secret-phrase", "");
        Map<String, String> directory = Map.of("CREDENTIALS_DIRECTORY", state.toString());
        assertEquals(made.vaultId(), chest(credential, directory).open().vaultId());
        assertThrows(
                PalyraException.class,
                () ->
                        settings("passphrase", "env-file:NONE", "")
                                .open(state, Map.of(), files, aead));
        for (String from : new String[] {"", "correct horse", "fd:x", "env:PHRASE", "fd:"}) {
            PalyraException no =
                    assertThrows(
                            PalyraException.class, () -> settings("passphrase", from, ""), from);
            assertFalse(no.getMessage().contains("horse"));
        }
        settings("passphrase", "fd:3", "");
    }

    @Test
    void aCredentialOfTheServiceManagerIsReadAndNeverWritten() throws Exception {
        KeySettings settings = settings("systemd-credential", "", "");
        Map<String, String> directory = Map.of("CREDENTIALS_DIRECTORY", state.toString());
        assertThrows(PalyraException.class, () -> chest(settings, directory).create());
        write("vault-key", "x".repeat(31));
        assertThrows(PalyraException.class, () -> chest(settings, directory).create());
        write("vault-key", "x".repeat(40));
        works(settings, directory);
        assertEquals("x".repeat(40), Files.readString(state.resolve("vault-key")));
        write("vault-key.new", "y".repeat(40));
        chest(settings, directory).rotate();
        Files.delete(state.resolve("vault-key.new"));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused(chest(settings, directory)).code());
        write("vault-key", "y".repeat(40));
        chest(settings, directory).open();
        Files.setPosixFilePermissions(
                state.resolve("vault-key"), PosixFilePermissions.fromString("rw-r--r--"));
        assertTrue(refused(chest(settings, directory)).getMessage().contains("mode"));
    }

    @Test
    void theKeyChainIsAskedByItsProgramAndNeverToldAKeyAsAnArgument() throws Exception {
        Path program = write("secret-tool", fakeSecretTool());
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        works(settings("keychain", "", program.toString()), Map.of());
        String told = Files.readString(state.resolve("arguments"));
        String kept = Files.readString(state.resolve("entry-master-key"));
        assertEquals(64, kept.length());
        assertFalse(told.contains(kept), told);
        assertFalse(Files.exists(state.resolve("entry-master-key-next")));
        Files.writeString(state.resolve("locked"), "");
        PalyraException locked =
                assertThrows(
                        PalyraException.class,
                        () -> chest(settings("keychain", "", program.toString()), Map.of()).open());
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, locked.code());
    }

    @Test
    void theProgramOfMacOsIsToldOnItsStandardInput() throws Exception {
        Path program =
                write(
                        "security",
                        """
                        #!/bin/sh
                        cd "$(dirname "$0")"
                        echo "$@" >> arguments
                        case "$1" in
                          find-generic-password)
                            if [ -f "entry-$5" ]; then cat "entry-$5"; else exit 44; fi ;;
                          -i)
                            read -r verb u s service a account w value
                            printf '%s' "$value" > "entry-$account" ;;
                          delete-generic-password) rm -f "entry-$5" ;;
                        esac
                        """);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        works(settings("keychain", "", program.toString()), Map.of());
        String kept = Files.readString(state.resolve("entry-master-key"));
        assertFalse(Files.readString(state.resolve("arguments")).contains(kept));
    }

    /** Behaves as secret-tool of libsecret does. */
    private static String fakeSecretTool() {
        return """
        #!/bin/sh
        cd "$(dirname "$0")"
        echo "$@" >> arguments
        [ -f locked ] && exit 1
        case "$1" in
          lookup) if [ -f "entry-$5" ]; then cat "entry-$5"; else exit 1; fi ;;
          store) cat > "entry-$6" ;;
          clear) rm -f "entry-$5" ;;
        esac
        """;
    }

    @Test
    void anotherSourceThanTheOneItWasClosedWithIsNamed() throws Exception {
        chest(settings("file", "", ""), Map.of()).create();
        write("passphrase", "correct horse battery\n");
        PalyraException other =
                refused(chest(settings("passphrase", "file:passphrase", ""), Map.of()));
        assertTrue(other.getMessage().contains("key source file"), other.getMessage());
    }

    /** RFC 9106, section 5.3: the test vector of Argon2id. */
    @Test
    void argon2idGivesTheVectorOfItsStandard() {
        byte[] password = filled(32, 1);
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(
                new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                        .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                        .withIterations(3)
                        .withMemoryAsKB(32)
                        .withParallelism(4)
                        .withSalt(filled(16, 2))
                        .withSecret(filled(8, 3))
                        .withAdditional(filled(12, 4))
                        .build());
        byte[] tag = new byte[32];
        generator.generateBytes(password, tag);
        assertEquals(
                "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659",
                HexFormat.of().formatHex(tag));
    }

    private static byte[] filled(int length, int with) {
        byte[] bytes = new byte[length];
        java.util.Arrays.fill(bytes, (byte) with);
        return bytes;
    }
}

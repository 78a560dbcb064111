package palyra.vault.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.testing.journal.MemoryJournal;
import palyra.vault.internal.key.KeySettings;

/** A vault that exists gets its key from elsewhere, by configuration. */
class KeySourceChangeTest {
    private static final KeySettings CREDENTIAL =
            new KeySettings(
                    "systemd-credential", "", "", "palyra-vault-key", "", "palyra-vault", 5_000);
    private static final VaultSettings CHANGE =
            new VaultSettings(CREDENTIAL, Optional.of(VaultFixture.FILE), "");

    @TempDir Path state;

    private final MemoryJournal journal = new MemoryJournal();
    private Map<String, String> environment;

    @BeforeEach
    void keep() throws IOException {
        try (VaultFixture house = new VaultFixture(state, journal)) {
            house.put("global/a", "value");
        }
        Path folder = Files.createDirectory(state.resolve("credentials"));
        Path credential = folder.resolve("palyra-vault-key");
        Files.writeString(credential, "0123456789abcdef".repeat(4));
        Files.setPosixFilePermissions(credential, PosixFilePermissions.fromString("r--------"));
        environment = Map.of("CREDENTIALS_DIRECTORY", folder.toString());
    }

    private VaultFixture with(VaultSettings settings) {
        return new VaultFixture(state, journal, settings, environment);
    }

    private static VaultSettings only(KeySettings keys) {
        return new VaultSettings(keys, "");
    }

    private static PalyraException refused(VaultFixture house) {
        try (house) {
            return assertThrows(PalyraException.class, () -> house.get("global/a"));
        }
    }

    @Test
    void theVaultIsClosedWithTheNewSourceAndTheOldKeyIsNotNeededAnyMore() throws Exception {
        try (VaultFixture house = with(CHANGE)) {
            assertEquals("value", house.get("global/a"));
            house.put("global/b", "later");
        }
        Files.delete(state.resolve("keys/vault-master.key"));
        for (VaultSettings settings : new VaultSettings[] {CHANGE, only(CREDENTIAL)}) {
            try (VaultFixture house = with(settings)) {
                assertEquals("value", house.get("global/a"));
                assertEquals("later", house.get("global/b"));
            }
        }
        try (VaultFixture house = with(only(CREDENTIAL))) {
            house.rotate();
            assertEquals("value", house.get("global/a"));
        }
    }

    @Test
    void theOldKeyOpensItNoMore() throws Exception {
        try (VaultFixture house = with(CHANGE)) {
            house.get("global/a");
        }
        PalyraException wrong = refused(with(only(VaultFixture.FILE)));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, wrong.code());
        assertTrue(wrong.getMessage().contains("systemd-credential"), wrong.getMessage());
    }

    @Test
    void withoutTheNewKeyNothingIsChanged() throws Exception {
        byte[] before = Files.readAllBytes(state.resolve("vault/keyring"));
        Files.delete(state.resolve("credentials/palyra-vault-key"));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused(with(CHANGE)).code());
        assertTrue(
                java.util.Arrays.equals(
                        before, Files.readAllBytes(state.resolve("vault/keyring"))));
        try (VaultFixture house = with(only(VaultFixture.FILE))) {
            assertEquals("value", house.get("global/a"));
        }
    }

    @Test
    void withoutTheOldKeyNothingIsChanged() throws Exception {
        byte[] before = Files.readAllBytes(state.resolve("vault/keyring"));
        Files.delete(state.resolve("keys/vault-master.key"));
        PalyraException refused = refused(with(CHANGE));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        assertTrue(refused.getMessage().contains("vault-master.key"), refused.getMessage());
        assertTrue(
                java.util.Arrays.equals(
                        before, Files.readAllBytes(state.resolve("vault/keyring"))));
    }

    @Test
    void withoutSayingSoAnotherSourceIsRefused() {
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused(with(only(CREDENTIAL))).code());
    }

    @Test
    void killedAtAnyStepTheSameConfigurationOpensIt() throws Exception {
        boolean died = true;
        for (int step = 0; died; step++) {
            VaultFixture dying = with(CHANGE);
            dying.files.dieAt(step);
            died = isDead(dying);
            try (VaultFixture again = with(CHANGE)) {
                assertEquals("value", again.get("global/a"));
            }
            assertFalse(step > 30, "it ends");
            try (VaultFixture back =
                    with(new VaultSettings(VaultFixture.FILE, Optional.of(CREDENTIAL), ""))) {
                assertEquals("value", back.get("global/a"), "and back again");
            }
        }
    }

    private static boolean isDead(VaultFixture dying) {
        try {
            dying.get("global/a");
            return false;
        } catch (PalyraException | FaultyMedium.Killed e) {
            return true;
        } finally {
            try {
                dying.close();
            } catch (RuntimeException e) {
                // it is dead
            }
        }
    }

    @Test
    void theSameSourceTwiceIsRefused() {
        assertThrows(
                PalyraException.class,
                () -> new VaultSettings(VaultFixture.FILE, Optional.of(VaultFixture.FILE), ""));
    }
}

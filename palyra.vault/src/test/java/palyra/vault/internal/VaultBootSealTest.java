package palyra.vault.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.testing.journal.MemoryJournal;
import palyra.vault.internal.key.KeySettings;

/** What the vault makes of the boot keys' file. */
class VaultBootSealTest {
    private static final byte[] CONTENT = VaultFixture.bytes("the content of the boot keys' file");

    @TempDir Path folder;

    private static VaultBootSeal of(VaultFixture house) {
        VaultBootSeal seal = new VaultBootSeal(true);
        seal.begin(house.opening.require().ring());
        return seal;
    }

    private static void refused(VaultBootSeal seal, byte[] sealed, String because) {
        PalyraException refused = assertThrows(PalyraException.class, () -> seal.open(sealed));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        assertTrue(refused.getMessage().contains(because), refused.getMessage());
    }

    private Path state(String name) throws Exception {
        return Files.createDirectory(folder.resolve(name));
    }

    @Test
    void itOpensAgainAlsoAfterRotationsAndUnderAnotherKeySource() throws Exception {
        Path state = state("a");
        MemoryJournal journal = new MemoryJournal();
        byte[] sealed;
        try (VaultFixture house = new VaultFixture(state, journal)) {
            house.put("global/a", "value");
            sealed = of(house).close(CONTENT);
            assertFalse(new String(sealed, StandardCharsets.ISO_8859_1).contains("boot keys"));
            house.rotate();
            house.rotate();
            assertArrayEquals(CONTENT, of(house).open(sealed));
        }
        Path credential =
                Files.writeString(state.resolve("palyra-vault-key"), "0123456789abcdef".repeat(4));
        Files.setPosixFilePermissions(credential, PosixFilePermissions.fromString("r--------"));
        KeySettings given =
                new KeySettings(
                        "systemd-credential",
                        "",
                        "",
                        "palyra-vault-key",
                        "",
                        "palyra-vault",
                        5_000);
        try (VaultFixture house =
                new VaultFixture(
                        state,
                        journal,
                        new VaultSettings(given, Optional.of(VaultFixture.FILE), ""),
                        Map.of("CREDENTIALS_DIRECTORY", state.toString()))) {
            assertArrayEquals(CONTENT, of(house).open(sealed));
        }
    }

    @Test
    void theVaultOpensItWithoutAJournal() throws Exception {
        Path state = state("a");
        byte[] sealed;
        MemoryJournal journal = new MemoryJournal();
        try (VaultFixture house = new VaultFixture(state, journal)) {
            house.put("global/a", "value");
            sealed = of(house).close(CONTENT);
        }
        journal.refuseUnits(ErrorCode.JOURNAL_UNAVAILABLE);
        try (VaultFixture house = new VaultFixture(state, journal)) {
            assertThrows(PalyraException.class, () -> house.get("global/a"));
            assertArrayEquals(CONTENT, of(house).open(sealed));
        }
    }

    @Test
    void anotherVaultAChangedByteAndAVaultThatWentRefuse() throws Exception {
        byte[] sealed;
        try (VaultFixture house = new VaultFixture(state("a"), new MemoryJournal())) {
            VaultBootSeal seal = of(house);
            sealed = seal.close(CONTENT);
            for (int at = 0; at < sealed.length; at++) {
                byte[] bad = sealed.clone();
                bad[at] ^= 1;
                refused(seal, bad, "changed");
            }
            refused(seal, new byte[3], "changed");
            seal.end();
            refused(seal, sealed, "being replaced");
            assertThrows(PalyraException.class, () -> seal.close(CONTENT));
        }
        try (VaultFixture house = new VaultFixture(state("b"), new MemoryJournal())) {
            refused(of(house), sealed, "another vault");
        }
        refused(new VaultBootSeal(true), sealed, "being replaced");
    }
}

package palyra.vault.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.testing.journal.MemoryJournal;

/** Whatever is changed on the medium: no wrong value is given out, and nothing is overwritten. */
class TamperTest {
    @TempDir Path state;

    private final MemoryJournal journal = new MemoryJournal();
    private Path vault;

    @BeforeEach
    void fill() {
        vault = state.resolve("vault");
        try (VaultFixture house = new VaultFixture(state, journal)) {
            house.put("global/a", "value of a");
            house.put("global/b", "value of b");
        }
    }

    private Path one(String beginning) throws IOException {
        try (Stream<Path> all = Files.walk(vault)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> vault.relativize(file).toString().startsWith(beginning))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    private PalyraException refused() {
        try (VaultFixture house = new VaultFixture(state, journal)) {
            return assertThrows(
                    PalyraException.class,
                    () -> {
                        assertEquals("value of a", house.get("global/a"));
                        assertEquals("value of b", house.get("global/b"));
                    });
        }
    }

    private void fine() {
        try (VaultFixture house = new VaultFixture(state, journal)) {
            assertEquals("value of a", house.get("global/a"));
            assertEquals("value of b", house.get("global/b"));
        }
    }

    @Test
    void everyByteOfEveryFileCounts() throws Exception {
        for (String name : List.of("head", "index-", "values/", "keyring")) {
            Path file = one(name);
            byte[] good = Files.readAllBytes(file);
            int step = name.equals("head") || name.equals("values/") ? 1 : 3;
            for (int at = 0; at < good.length; at += step) {
                byte[] bad = good.clone();
                bad[at] ^= 1;
                Files.write(file, bad);
                ErrorCode code = refused().code();
                boolean told = code == ErrorCode.CORRUPT || code == ErrorCode.KEYS_UNAVAILABLE;
                assertTrue(told, name + " at " + at + ": " + code);
            }
            Files.write(file, good);
            fine();
        }
    }

    @Test
    void everyCutIsNoticed() throws Exception {
        for (String name : List.of("head", "index-", "values/", "keyring")) {
            Path file = one(name);
            byte[] good = Files.readAllBytes(file);
            for (int length = 0; length < good.length; length += 7) {
                Files.write(file, Arrays.copyOf(good, length));
                assertEquals(ErrorCode.CORRUPT, refused().code(), name + " cut to " + length);
            }
            Files.delete(file);
            assertEquals(ErrorCode.CORRUPT, refused().code(), name + " removed");
            Files.write(file, good);
            fine();
        }
    }

    @Test
    void valuesThatWereExchangedAreNoticed() throws Exception {
        List<Path> values;
        try (Stream<Path> all = Files.list(vault.resolve("values"))) {
            values = all.sorted().toList();
        }
        byte[] first = Files.readAllBytes(values.get(0));
        byte[] second = Files.readAllBytes(values.get(1));
        Files.write(values.get(0), second);
        Files.write(values.get(1), first);
        assertEquals(ErrorCode.CORRUPT, refused().code());
    }

    @Test
    void anOlderFileIsNoticed() throws Exception {
        Map<Path, byte[]> old = snapshot(vault);
        try (VaultFixture house = new VaultFixture(state, journal)) {
            house.put("global/a", "newer value of a");
            house.put("global/b", "newer value of b");
        }
        Map<Path, byte[]> now = snapshot(vault);
        for (Path file : now.keySet()) {
            boolean changed = old.containsKey(file) && !Arrays.equals(old.get(file), now.get(file));
            if (changed) {
                Files.write(file, old.get(file));
                assertEquals(ErrorCode.CORRUPT, refused().code(), file.toString());
                Files.write(file, now.get(file));
            }
        }
        restore(vault, old);
        PalyraException older = refused();
        assertEquals(ErrorCode.CORRUPT, older.code());
        assertTrue(older.getMessage().contains("newer state"), older.getMessage());
        restore(vault, now);
        try (VaultFixture house = new VaultFixture(state, journal)) {
            assertEquals("newer value of a", house.get("global/a"));
        }
    }

    @Test
    void aFolderThatIsOneChangeOlderIsNoticedToo() throws Exception {
        Map<Path, byte[]> old = snapshot(vault);
        try (VaultFixture house = new VaultFixture(state, journal)) {
            house.delete("global/b");
        }
        restore(vault, old);
        assertEquals(ErrorCode.CORRUPT, refused().code());
    }

    @Test
    void anOperatorCanAcceptAnOlderState() throws Exception {
        Map<Path, byte[]> old = snapshot(vault);
        try (VaultFixture house = new VaultFixture(state, journal)) {
            house.put("global/a", "lost value");
            house.put("global/c", "lost as well");
        }
        restore(vault, old);
        String message = refused().getMessage();
        String told = message.substring(message.lastIndexOf(" to ") + 4, message.length() - 1);
        try (VaultFixture house =
                new VaultFixture(
                        state, journal, new VaultSettings(VaultFixture.FILE, told), Map.of())) {
            assertEquals("value of a", house.get("global/a"));
        }
        fine();
    }

    @Test
    void anEmptiedFolderIsNotANewVault() throws Exception {
        Map<Path, byte[]> all = snapshot(vault);
        restore(vault, Map.of());
        PalyraException other = refused();
        assertEquals(ErrorCode.CORRUPT, other.code());
        assertTrue(other.getMessage().contains("another vault"), other.getMessage());
        try (VaultFixture house = new VaultFixture(state, journal)) {
            assertThrows(PalyraException.class, () -> house.get("global/a"));
            assertFalse(house.core.status().usable(), "status and doctor say what is refused");
            assertEquals(other.getMessage(), house.core.status().problem());
        }
        restore(vault, all);
        fine();
        try (VaultFixture house = new VaultFixture(state, journal)) {
            assertEquals("value of a", house.get("global/a"));
            assertTrue(house.core.status().usable());
        }
    }

    @Test
    void whatIsLeftOverIsSweptOnlyFromTheNewestState() throws Exception {
        Map<Path, byte[]> old = snapshot(vault);
        try (VaultFixture house = new VaultFixture(state, journal)) {
            house.put("global/a", "newer");
            house.put("global/b", "newer");
        }
        Map<Path, byte[]> now = snapshot(vault);
        for (Path file : old.keySet()) {
            Files.write(file, old.get(file)); // what is newer stays beside it
        }
        assertEquals(ErrorCode.CORRUPT, refused().code());
        for (Path file : now.keySet()) {
            assertTrue(Files.exists(file), file + " was swept");
        }
        Path stray = vault.resolve("values/stray");
        restore(vault, now);
        Files.write(stray, new byte[3]);
        try (VaultFixture house = new VaultFixture(state, journal)) {
            assertEquals("newer", house.get("global/a"));
        }
        assertTrue(Files.notExists(stray));
    }

    @Test
    void aWriterThatChangesTheFolderBehindOurBackIsNoticed() throws Exception {
        Map<Path, byte[]> old = snapshot(vault);
        try (VaultFixture house = new VaultFixture(state, journal)) {
            house.put("global/a", "newer");
            Files.write(vault.resolve("head"), old.get(vault.resolve("head")));
            PalyraException noticed =
                    assertThrows(PalyraException.class, () -> house.put("global/a", "lost?"));
            assertEquals(ErrorCode.CORRUPT, noticed.code());
        }
    }

    private static Map<Path, byte[]> snapshot(Path folder) throws IOException {
        Map<Path, byte[]> all = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                all.put(file, Files.readAllBytes(file));
            }
        }
        return all;
    }

    private static void restore(Path folder, Map<Path, byte[]> all) throws IOException {
        for (Path file : snapshot(folder).keySet()) {
            Files.delete(file);
        }
        for (Map.Entry<Path, byte[]> file : all.entrySet()) {
            Path temporary = file.getKey().resolveSibling("restored");
            Files.write(temporary, file.getValue());
            Files.move(temporary, file.getKey(), StandardCopyOption.REPLACE_EXISTING);
        }
    }
}

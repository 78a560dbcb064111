package palyra.skills.internal.host;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.skills.internal.host.SkillStorage.StoredLedger;

final class FileStorageTest {
    private static final String SKILL = "acme.weather";
    private static final byte[] OLD = {1, 2, 3};
    private static final byte[] NEW = {4, '\n', 5};

    @TempDir Path root;

    private FileStorage open(DurableFiles files) {
        return new FileStorage(root, files);
    }

    private static long put(SkillStorage storage, byte[] value) {
        return storage.put(SKILL, "notes/a", value, SkillStorage.ANY, "notes/", 10_000);
    }

    /** Loses power before a step: it and everything after it does not happen. */
    private static final class Crash extends DurableFiles {
        private final String before;
        private boolean dead;

        Crash(String before) {
            this.before = before;
        }

        private void at(String step) throws IOException {
            dead |= step.equals(before);
            if (dead) {
                throw new IOException("the power is gone");
            }
        }

        @Override
        public void writeNew(Path file, byte[] content) throws IOException {
            at("write");
            super.writeNew(file, content);
            at("written");
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            at("rename");
            super.rename(from, to);
        }

        @Override
        public void sync(Path folder) throws IOException {
            at("sync");
            super.sync(folder);
        }

        @Override
        public void delete(Path path) throws IOException {
            if (dead) {
                throw new IOException("the power is gone");
            }
            super.delete(path);
        }
    }

    @Test
    void whatWasKeptIsThereAfterARestart() {
        long version = put(open(new DurableFiles()), NEW);
        FileStorage again = open(new DurableFiles());
        StoredLedger stored = again.get(SKILL, "notes/a").orElseThrow();
        assertArrayEquals(NEW, stored.value());
        assertEquals(version, stored.version());
        assertTrue(put(again, OLD) > version);
        assertEquals(1, again.list(SKILL, "notes/", "", 10).keys().size());
        assertEquals(OLD.length, again.list(SKILL, "notes/", "", 10).keys().get(0).bytes());
    }

    @Test
    void aCrashAtAnyStepLeavesTheOldValueOrTheNewOne() {
        for (String step : List.of("write", "written", "rename", "sync")) {
            put(open(new DurableFiles()), OLD);
            FileStorage crashing = open(new Crash(step));
            assertThrows(PalyraException.class, () -> put(crashing, NEW), step);
            FileStorage after = open(new DurableFiles());
            byte[] expected = step.equals("sync") ? NEW : OLD;
            assertArrayEquals(expected, after.get(SKILL, "notes/a").orElseThrow().value(), step);
            put(after, NEW);
            assertEquals(1, files().size(), step);
        }
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.list(root.resolve(SKILL))) {
            return files.toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aDamagedValueIsRefused() throws IOException {
        put(open(new DurableFiles()), OLD);
        Path file = files().get(0);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> open(new DurableFiles()).get(SKILL, "notes/a"));
        assertTrue(refused.getMessage().contains("damaged"), refused.getMessage());
    }

    @Test
    void versionsNeverComeAgain() {
        FileStorage storage = open(new DurableFiles());
        long first = put(storage, OLD);
        assertTrue(storage.delete(SKILL, "notes/a"));
        assertTrue(put(open(new DurableFiles()), OLD) >= first);
        assertFalse(storage.delete(SKILL, "notes/none"));
    }

    @Test
    void skillsDoNotSeeEachOtherAndGoAsAWhole() {
        FileStorage storage = open(new DurableFiles());
        put(storage, OLD);
        assertTrue(storage.get("acme.other", "notes/a").isEmpty());
        storage.forget(SKILL);
        assertTrue(storage.get(SKILL, "notes/a").isEmpty());
        assertFalse(Files.exists(root.resolve(SKILL)));
        assertThrows(PalyraException.class, () -> storage.get("../x", "notes/a"));
    }
}

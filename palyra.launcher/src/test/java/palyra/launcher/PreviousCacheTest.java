package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreviousCacheTest {
    @TempDir Path folder;

    private StateFolder state;

    @BeforeEach
    void makeState() throws Exception {
        state =
                StateFolder.open(
                        folder.resolve("state"),
                        Files.createDirectory(folder.resolve("home")),
                        Math.toIntExact(new UnixSystem().getUid()));
        state.prepare();
    }

    private static List<Path> inside(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private void leave(String name) throws IOException {
        Files.createDirectories(state.sub("cache").resolve("bundle7/version0.0"));
        Files.writeString(state.sub("cache").resolve("bundle7/" + name), "old");
    }

    @Test
    void leavesAnEmptyFolderForTheOwnerAlone() throws Exception {
        leave("bundle.info");
        PreviousCache.putAside(state);
        assertEquals(List.of(), inside(state.sub("cache")));
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(state.sub("cache"))));
    }

    @Test
    void removesWhatCommandsOfAProcessThatWasKilledLeft() throws Exception {
        Path copy = Files.createDirectory(state.sub("tmp").resolve("palyra-123"));
        Files.writeString(copy.resolve("journal.db"), "copy");
        PreviousCache.putAside(state);
        assertFalse(Files.exists(copy));
    }

    @Test
    void removesWhatWasPutAsideAndNothingElse() throws Exception {
        leave("bundle.info");
        PreviousCache.putAside(state);
        assertEquals(1, inside(state.sub("tmp")).size());
        Path foreign = Files.writeString(state.sub("tmp").resolve("sqlite-3.so"), "library");
        PreviousCache.remove(state.sub("tmp"));
        assertEquals(List.of(foreign), inside(state.sub("tmp")));
    }

    @Test
    void keepsOneOnlyOfStartsThatDiedBeforeTheyRemovedIt() throws Exception {
        for (int i = 0; i < 5; i++) {
            leave("bundle.info");
            PreviousCache.putAside(state);
        }
        assertEquals(1, inside(state.sub("tmp")).size());
        assertEquals(List.of(), inside(state.sub("cache")));
    }

    @Test
    void followsNoLink() throws Exception {
        Path treasure = Files.createDirectory(folder.resolve("treasure"));
        Files.writeString(treasure.resolve("gold"), "au");
        leave("bundle.info");
        Files.createSymbolicLink(state.sub("cache").resolve("way-out"), treasure);
        PreviousCache.putAside(state);
        PreviousCache.remove(state.sub("tmp"));
        assertEquals(List.of(), inside(state.sub("tmp")));
        assertTrue(Files.exists(treasure.resolve("gold")));
    }

    @Test
    void doesWithoutWhenItCannotBeMoved() throws Exception {
        leave("bundle.info");
        Files.delete(state.sub("tmp"));
        PreviousCache.putAside(state);
        assertTrue(Files.exists(state.sub("cache").resolve("bundle7/bundle.info")));
        PreviousCache.remove(state.sub("tmp"));
        assertFalse(Files.exists(state.sub("tmp")));
    }
}

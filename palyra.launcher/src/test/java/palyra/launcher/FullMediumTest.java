package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start does on a medium that is really full. */
class FullMediumTest {
    @TempDir Path folder;

    private Path disk;
    private Path filler;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        filler = disk.resolve("filler");
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=2m,nr_inodes=200", "tmpfs", disk.toString())
                        == 0,
                "this user may not mount a file system");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", disk.toString());
    }

    private static int run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }

    private StateFolder open() throws Exception {
        Path home = Files.createDirectories(folder.resolve("home"));
        return StateFolder.open(
                disk.resolve("state"), home, Math.toIntExact(new UnixSystem().getUid()));
    }

    private void fill() throws IOException {
        Files.write(filler, new byte[Math.toIntExact(disk.toFile().getUsableSpace())]);
        assertEquals(0, disk.toFile().getUsableSpace());
    }

    /** The next start makes of the bundles what the last one did: it needs that very space. */
    @Test
    void whatTheLastStartMadeOfTheBundlesMakesRoomForThisOne() throws Exception {
        StateFolder state = open();
        state.prepare();
        Files.write(state.sub("cache").resolve("bundle.info"), new byte[300 << 10]);
        fill();
        state.prepare();
        PreviousCache.putAside(state);
        Files.write(state.sub("cache").resolve("bundle.info"), new byte[300 << 10]);
    }

    @Test
    void lockOfAnEarlierStartIsTakenWithoutAnyByte() throws Exception {
        StateFolder state = open();
        StateLock.take(state.path()).close();
        fill();
        StateLock.take(state.path()).close();
        assertEquals(
                ProcessHandle.current().pid() + "\n",
                Files.readString(state.path().resolve("lock")));
    }

    /** Without a lock file of an earlier start it needs a byte, and says so. */
    @Test
    void firstStartNamesTheMediumAndEndsWithItsOwnCode() throws Exception {
        StateFolder state = open();
        fill();
        LaunchException refused =
                assertThrows(LaunchException.class, () -> StateLock.take(state.path()));
        assertEquals(ExitCode.MEDIUM, refused.exitCode());
        assertTrue(
                refused.getMessage().contains(state.path() + " has no space left (0 bytes free)"));
        assertTrue(refused.getMessage().endsWith("then run: palyra up"));
        assertEquals(74, refused.exitCode().code());
    }

    @Test
    void readyFileIsWrittenOnceThereIsRoom() throws Exception {
        fill();
        Path path = disk.resolve("ready.json");
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        new ReadyFile(path).writeWhenPossible(1, Map.of(), told::add);
        String sentence = told.take();
        assertTrue(sentence.contains("no space left"), sentence);
        assertFalse(Files.exists(path));
        try (WatchService changes = disk.getFileSystem().newWatchService()) {
            disk.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
            Files.delete(filler);
            while (!Files.exists(path)) {
                WatchKey key = changes.poll(20, TimeUnit.SECONDS);
                assertTrue(key != null, "the file was not written within 20 s");
                key.reset();
            }
        }
        assertTrue(Files.readString(path).contains("\"millis\":1"));
    }
}

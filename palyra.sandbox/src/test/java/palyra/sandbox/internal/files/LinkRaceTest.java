package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.files.FilesFixture.SENTINEL;
import static palyra.sandbox.internal.files.FilesFixture.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.tape.TapeEvent.Outcome;

/**
 * While calls run, another thread exchanges a folder for a link that leads out of the workspace,
 * and a file for a link to a secret, as fast as it can.
 */
class LinkRaceTest {
    private static final Duration EACH = Duration.ofSeconds(6);

    @TempDir Path temp;
    private FilesFixture fixture;
    private volatile long pauseNanos = 1; // while the folder is a folder
    private final AtomicBoolean stop = new AtomicBoolean();

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new FilesFixture(temp);
        fixture.file("real/secret", "harmless\n");
        fixture.file("dir/secret", "harmless\n");
        fixture.file("file", "harmless\n");
        Files.createSymbolicLink(fixture.workspace.resolve("link"), fixture.outside);
        Files.createSymbolicLink(
                fixture.workspace.resolve("flink"), fixture.outside.resolve("secret"));
        fixture.file("plain", "harmless\n");
    }

    /** Folder and link change places; a file is replaced by a link and by a file again. */
    private Thread swapper() {
        Path at = fixture.workspace;
        return Thread.ofPlatform()
                .daemon()
                .name("swapper")
                .start(
                        () -> {
                            while (!stop.get()) {
                                quietly(() -> rename(at.resolve("dir"), at.resolve("aside")));
                                quietly(() -> rename(at.resolve("link"), at.resolve("dir")));
                                quietly(() -> replace(at.resolve("flink"), at.resolve("file")));
                                quietly(() -> rename(at.resolve("dir"), at.resolve("link")));
                                quietly(() -> rename(at.resolve("aside"), at.resolve("dir")));
                                quietly(() -> replace(at.resolve("plain"), at.resolve("file")));
                                LockSupport.parkNanos(pauseNanos);
                            }
                        });
    }

    private static Path rename(Path from, Path to) throws IOException {
        return Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Puts a copy of a link or file in the place of another, in one step. */
    private static Path replace(Path what, Path at) throws IOException {
        Path copy = at.resolveSibling("copy");
        Files.deleteIfExists(copy);
        if (Files.isSymbolicLink(what)) {
            Files.createSymbolicLink(copy, Files.readSymbolicLink(what));
        } else {
            Files.copy(what, copy);
        }
        return rename(copy, at);
    }

    private static <T> void quietly(Callable<T> work) {
        try {
            work.call();
        } catch (Exception e) {
            return; // the tool was in the way
        }
    }

    private interface Attempt {
        /** Returns what came out. */
        String run() throws Exception;
    }

    /** Returns how often the secret came out. */
    private int leaks(Attempt attempt, boolean untilFirst) throws Exception {
        stop.set(false);
        Thread swapper = swapper();
        int leaks = 0;
        long end = System.nanoTime() + EACH.toNanos() * (untilFirst ? 5 : 1);
        try {
            while (System.nanoTime() < end && !(untilFirst && leaks > 0)) {
                String out;
                try {
                    out = attempt.run();
                } catch (IOException e) {
                    continue; // in the middle of an exchange
                }
                leaks += out.contains(SENTINEL) ? 1 : 0;
            }
        } finally {
            stop.set(true);
            swapper.join();
        }
        return leaks;
    }

    @Test
    void readingNeverLeaksWhereANaiveToolDoes() throws Exception {
        ReadFileTool tool = new ReadFileTool(() -> fixture.workspaces);
        Path dir = fixture.workspace.resolve("dir");
        int naive =
                leaks(
                        () ->
                                Files.isSymbolicLink(dir) // looks before it opens
                                        ? ""
                                        : Files.readString(dir.resolve("secret")),
                        true);
        assertTrue(naive > 0, "the race can be won: the naive reader leaked");
        int[] read = new int[1];
        int leaked =
                leaks(
                        () -> {
                            ConfinedResult a = FilesFixture.run(tool, input("path", "dir/secret"));
                            ConfinedResult b = FilesFixture.run(tool, input("path", "file"));
                            read[0] += a.outcome() == Outcome.SUCCEEDED ? 1 : 0;
                            return a.result().toString() + b.result();
                        },
                        false);
        assertEquals(0, leaked);
        assertTrue(read[0] > 0, "and it did read the harmless file at times");
    }

    @Test
    void searchingAndListingNeverLeaveTheWorkspace() throws Exception {
        Files.writeString(fixture.outside.resolve("HOSTSECRET-name"), SENTINEL);
        SearchTool search = new SearchTool(() -> fixture.workspaces);
        ListDirTool list = new ListDirTool(() -> fixture.workspaces);
        String find = input("pattern", "HOST", "limit", 1_000);
        int leaked =
                leaks(
                        () ->
                                FilesFixture.run(search, find).result().outputJson()
                                        + FilesFixture.run(list, input("depth", 9)).result(),
                        false);
        assertEquals(0, leaked);
    }

    @Test
    void writingAndEditingNeverChangeWhatIsOutside() throws Exception {
        WriteFileTool write = new WriteFileTool(() -> fixture.workspaces, fixture.changes());
        EditFileTool edit = new EditFileTool(() -> fixture.workspaces, fixture.changes());
        Files.writeString(fixture.outside.resolve("target"), "old\n");
        fixture.file("dir/target", "old\n");
        int[] done = new int[2];
        pauseNanos = Duration.ofMillis(20).toNanos();
        leaks(
                () -> {
                    String path = "dir/new" + done[0];
                    ConfinedResult a =
                            FilesFixture.run(write, input("path", path, "content", "written\n"));
                    ConfinedResult b =
                            FilesFixture.run(
                                    edit, input("path", "dir/target", "old", "o", "new", "oo"));
                    ConfinedResult c =
                            FilesFixture.run(write, input("path", "file", "content", "mine\n"));
                    FilesFixture.run(edit, input("path", "dir/target", "old", "oo", "new", "o"));
                    done[0] += a.outcome() == Outcome.SUCCEEDED ? 1 : 0;
                    done[1] += b.outcome() == Outcome.SUCCEEDED ? 1 : 0;
                    return a.result().toString() + b.result() + c.result();
                },
                false);
        try (var entries = Files.list(fixture.outside)) {
            assertEquals(2, entries.count(), "nothing was made outside");
        }
        assertEquals("old\n", Files.readString(fixture.outside.resolve("target")));
        assertEquals(SENTINEL + "\n", Files.readString(fixture.outside.resolve("secret")));
        assertTrue(done[0] > 0 && done[1] > 0, "and files were written at times");
    }

    private static boolean patch(ApplyPatchTool tool, String patch) throws InterruptedException {
        return FilesFixture.run(tool, input("patch", patch)).outcome() == Outcome.SUCCEEDED;
    }

    @Test
    void patchingNeverWritesOutside() throws Exception {
        ApplyPatchTool tool = fixture.patchTool();
        Files.writeString(fixture.outside.resolve("target"), "old\n");
        fixture.file("dir/target", "old\n");
        int[] done = new int[1];
        boolean[] isNew = new boolean[1];
        int[] number = new int[1];
        pauseNanos = Duration.ofMillis(20).toNanos(); // a patch takes a while
        leaks(
                () -> {
                    String made = "dir/sub" + number[0]++ + "/new";
                    patch(tool, "--- /dev/null\n+++ b/" + made + "\n@@ -0,0 +1 @@\n+written\n");
                    String hunk = isNew[0] ? "-new\n+old\n" : "-old\n+new\n";
                    String change = "--- a/dir/target\n+++ b/dir/target\n@@ -1 +1 @@\n" + hunk;
                    if (patch(tool, change)) {
                        done[0]++;
                        isNew[0] = !isNew[0];
                    }
                    return "";
                },
                false);
        try (var entries = Files.list(fixture.outside)) {
            assertEquals(2, entries.count(), "nothing was made outside");
        }
        assertEquals("old\n", Files.readString(fixture.outside.resolve("target")));
        assertTrue(done[0] > 0, "and patches were applied at times");
        assertFalse(Files.exists(fixture.outside.resolve("sub0")));
    }
}

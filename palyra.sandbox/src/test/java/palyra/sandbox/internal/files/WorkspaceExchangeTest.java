package palyra.sandbox.internal.files;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.files.FilesFixture.failed;
import static palyra.sandbox.internal.files.FilesFixture.input;
import static palyra.sandbox.internal.files.FilesFixture.succeeded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.FolderCalls;

/** A link to a folder outside takes the place of the workspace itself, at any moment of a patch. */
@Timeout(300)
class WorkspaceExchangeTest {
    private static final String PATCH =
            """
            --- a/file
            +++ b/file
            @@ -1 +1 @@
            -old
            +new
            --- /dev/null
            +++ b/made/deep/new
            @@ -0,0 +1 @@
            +written
            """;
    private static final long SECONDS = 60;
    private static final int PATCHES = 25;
    private static final int EXCHANGES = 100;

    @TempDir Path temp;
    private FilesFixture fixture;
    private Path aside;

    @BeforeEach
    void prepare() throws Exception {
        fixture = new FilesFixture(temp);
        aside = fixture.workspace.resolveSibling("aside");
        fixture.file("file", "old\n");
        Files.writeString(fixture.outside.resolve("file"), "old\n");
    }

    private void exchange() throws IOException {
        Files.move(fixture.workspace, aside, StandardCopyOption.ATOMIC_MOVE);
        Files.createSymbolicLink(fixture.workspace, fixture.outside);
    }

    private void exchangeBack() throws IOException {
        Files.delete(fixture.workspace);
        Files.move(aside, fixture.workspace, StandardCopyOption.ATOMIC_MOVE);
    }

    private List<String> outside() throws IOException {
        try (Stream<Path> files = Files.walk(fixture.outside)) {
            return files.map(file -> fixture.outside.relativize(file).toString()).sorted().toList();
        }
    }

    /** Exchanges the workspace before a step; counts the steps. */
    private final class Exchange extends PatchStepListener {
        private final int step;
        private int steps;

        Exchange(int step) {
            this.step = step;
        }

        @Override
        void before(String name) throws IOException {
            if (steps++ == step) {
                exchange();
            }
        }
    }

    /** The tool with a workspace that was checked a moment ago. */
    private void patch(ApplyPatchTool tool) throws Exception {
        tool.work(fixture.workspace, input("patch", PATCH));
    }

    @Test
    void beforeAnyStepThePatchStaysInTheFolderThatWasOpened() throws Exception {
        List<String> before = outside();
        int steps = 1;
        for (int at = 0; at < steps; at++) {
            Exchange exchange = new Exchange(at);
            patch(fixture.patchTool(exchange));
            steps = exchange.steps;
            assertEquals(before, outside(), "before step " + at);
            assertEquals("old\n", Files.readString(fixture.outside.resolve("file")));
            exchangeBack();
            assertEquals("new\n", fixture.text("file"));
            assertEquals("written\n", fixture.text("made/deep/new"));
            assertEquals(List.of("", "file", "made", "made/deep", "made/deep/new"), inside());
            fixture.file("file", "old\n");
            Files.delete(fixture.workspace.resolve("made/deep/new"));
            Files.delete(fixture.workspace.resolve("made/deep"));
            Files.delete(fixture.workspace.resolve("made"));
        }
        assertTrue(steps > 8, "there are " + steps + " steps");
    }

    private List<String> inside() throws IOException {
        return fixture.snapshot().keySet().stream().sorted().toList();
    }

    @Test
    void aLinkThatIsThereAlreadyIsRefused() throws Exception {
        exchange();
        List<String> before = outside();
        PalyraException refused =
                assertThrows(PalyraException.class, () -> patch(fixture.patchTool()));
        assertEquals(ErrorCode.DENIED, refused.code());
        ReadFileTool reader = new ReadFileTool(() -> fixture.workspaces);
        refused =
                assertThrows(
                        PalyraException.class,
                        () -> reader.work(fixture.workspace, input("path", "secret")));
        assertEquals(ErrorCode.DENIED, refused.code());
        assertEquals(before, outside());
        exchangeBack();
        patch(fixture.patchTool());
        assertEquals("new\n", fixture.text("file"), "the positive control");
    }

    @Test
    void aLinkBetweenTheTwoWaysIntoTheWorkspaceIsRefused() throws Exception {
        FolderCalls late =
                folder -> {
                    exchange();
                    return fixture.calls.open(folder);
                };
        refusedWith(late);
        exchangeBack();
        refusedWith(folder -> fixture.calls.open(fixture.outside));
        refusedWith(folder -> fixture.calls.open(folder.getParent()));
    }

    private void refusedWith(FolderCalls calls) throws Exception {
        List<String> before = outside();
        fixture.folders.remove(fixture.calls);
        fixture.folders.add(calls, Map.of());
        PalyraException refused =
                assertThrows(PalyraException.class, () -> patch(fixture.patchTool()));
        assertEquals(ErrorCode.DENIED, refused.code(), refused.getMessage());
        fixture.folders.remove(calls);
        assertEquals(before, outside());
    }

    @Test
    void withoutWhatOpensFoldersNothingIsDoneUntilItComesBack() throws Exception {
        Map<String, String> before = fixture.snapshot();
        fixture.folders.remove(fixture.calls);
        String error = failed(fixture.patchTool(), "patch", PATCH);
        assertTrue(error.contains("What opens folders is not available now"), error);
        assertEquals(before, fixture.snapshot());
        Thread back = Thread.ofPlatform().start(() -> fixture.folders.add(fixture.calls, Map.of()));
        back.join();
        succeeded(fixture.patchTool(), "patch", PATCH);
        assertEquals("new\n", fixture.text("file"));
    }

    @Test
    void aPatchThatHasBegunComesToItsEndWithoutWhatOpenedItsWorkspace() throws Exception {
        PatchStepListener leaving =
                new PatchStepListener() {
                    @Override
                    void before(String step) {
                        fixture.folders.remove(fixture.calls);
                    }
                };
        succeeded(fixture.patchTool(leaving), "patch", PATCH);
        assertEquals("written\n", fixture.text("made/deep/new"));
        assertFalse(fixture.folders.isPresent());
    }

    /** What somebody does while the workspace is exchanged and exchanged back. */
    private interface Attempt {
        void run() throws Exception;
    }

    /** Says, after an attempt, whether to end. */
    private interface Enough {
        boolean isEnough(int done, int exchanges) throws Exception;
    }

    /** Attempts it again and again meanwhile. */
    private void storm(Attempt attempt, Enough enough) throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicInteger exchanges = new AtomicInteger();
        Thread swapper =
                Thread.ofPlatform()
                        .daemon()
                        .name("palyra-sandbox-swapper")
                        .start(() -> swap(stopped, exchanges));
        int done = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        boolean ended = false;
        try {
            while (!ended && System.nanoTime() - end < 0) {
                try {
                    attempt.run();
                    done++;
                } catch (IOException | FileRefusal | PalyraException e) {
                    LockSupport.parkNanos(1); // in the middle of an exchange
                }
                ended = enough.isEnough(done, exchanges.get());
            }
        } finally {
            stopped.set(true);
            swapper.join();
        }
        assertTrue(ended, done + " came to their end, with " + exchanges + " exchanges");
    }

    private void swap(AtomicBoolean stopped, AtomicInteger exchanges) {
        try {
            for (int round = 0; !stopped.get(); round++) {
                exchange();
                LockSupport.parkNanos(round % 5 * 200_000L);
                exchangeBack();
                exchanges.incrementAndGet();
                LockSupport.parkNanos(round % 7 * 2_000_000L);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aStormOfExchangesMakesAndRemovesNothingOutside() throws Exception {
        List<String> before = outside();
        ApplyPatchTool tool = fixture.patchTool();
        int[] number = new int[1];
        try (WatchService watch = FileSystems.getDefault().newWatchService()) {
            fixture.outside.register(watch, ENTRY_CREATE, ENTRY_DELETE);
            storm(
                    () -> {
                        String made = "made-" + number[0]++ + "/deep/new";
                        tool.work(fixture.workspace, input("patch", making(made)));
                    },
                    (done, exchanges) -> done >= PATCHES && exchanges >= EXCHANGES);
            WatchKey touched = watch.poll();
            assertNull(touched, () -> "outside: " + touched.pollEvents().get(0).context());
        }
        assertEquals(before, outside());
        assertEquals("old\n", Files.readString(fixture.outside.resolve("file")));
        succeeded(tool, "patch", PATCH);
        assertTrue(
                inside().stream().noneMatch(name -> name.startsWith(PatchFolder.PREFIX)),
                "every patch that failed was taken back");
    }

    private static String making(String path) {
        return "--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+written\n";
    }

    @Test
    void theStormCatchesWhoMakesFoldersByPath() throws Exception {
        int[] number = new int[1];
        try (WatchService watch = FileSystems.getDefault().newWatchService()) {
            fixture.outside.register(watch, ENTRY_CREATE, ENTRY_DELETE);
            storm(
                    () -> {
                        try (OpenFolder top = OpenFolder.workspace(fixture.workspace)) {
                            assertNotNull(top.key()); // it is the workspace, until it is not
                            Path naive = Path.of("naive-" + number[0]++);
                            Files.createDirectory(fixture.workspace.resolve(naive));
                        }
                    },
                    (done, exchanges) -> watch.poll() != null);
        }
    }
}

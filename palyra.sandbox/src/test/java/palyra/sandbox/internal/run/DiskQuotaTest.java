package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.internal.git.GitProtection;

/** What commands leave on the disk is bounded while they run, and after they have ended. */
@Timeout(120)
class DiskQuotaTest {
    private static final String GROW =
            "i=0; while :; do head -c 200000 /dev/zero > f$i; i=$((i+1)); sleep 0.02; done";

    @TempDir Path pipes;
    @TempDir Path workspace;
    private FakeBackend backend;
    private Runner runner;
    private volatile DiskQuota quota = new DiskQuota(4_000_000, 1_000);

    @BeforeEach
    void open() {
        backend = new FakeBackend(Tier.B, pipes);
        Backends backends = new Backends(() -> 100);
        backends.add(backend, Map.of());
        runner =
                new Runner(
                        backends,
                        any -> "canary=test",
                        () -> 10,
                        new OwnPorts(),
                        () -> quota,
                        () -> DiskQuota.NONE,
                        any -> GitProtection.Call.NONE);
    }

    @AfterEach
    void close() {
        runner.close();
    }

    private RunResult run(Specs spec) {
        return runner.run(RunOrder.of(Tier.B, spec.build()));
    }

    private Specs call(String id) {
        return Specs.call(id, workspace);
    }

    private long size() throws IOException {
        try (Stream<Path> all = Files.walk(workspace)) {
            return all.mapToLong(path -> path.toFile().isFile() ? path.toFile().length() : 0).sum();
        }
    }

    @Test
    void stopsACommandThatFillsItsWorkspace() throws Exception {
        RunResult result = run(call("fill").script(GROW));
        assertEquals(RunOutcome.DISK_QUOTA, result.outcome());
        assertTrue(result.problem().contains("workspaceBytes"), result.problem());
        assertTrue(result.problem().contains(" of 4000000 bytes in "), result.problem());
        assertTrue(size() > 4_000_000, "it was stopped too early");
    }

    @Test
    void stopsACommandThatMakesTooManyFiles() {
        String script = "i=0; while :; do mkdir d$i; : > d$i/f; i=$((i+1)); sleep 0.002; done";
        assertEquals(RunOutcome.DISK_QUOTA, run(call("many").script(script)).outcome());
    }

    @Test
    void stopsACommandThatFillsItsScratchFolder() {
        String folder = ".palyra-tmp-scratch";
        String grow = "mkdir -p " + folder + "/in && cd " + folder + "/in && " + GROW;
        RunResult result = run(call("scratch").script(grow).scratch(1_000_000));
        assertEquals(RunOutcome.DISK_QUOTA, result.outcome());
        assertTrue(
                result.problem().contains("scratchBytes of palyra.sandbox allows 1000000"),
                result.problem());
    }

    @Test
    void aScratchFolderThatWasFilledInNoTimeIsSeenInTheEnd() {
        String script = "mkdir .palyra-tmp-fast; head -c 2000000 /dev/zero > .palyra-tmp-fast/f";
        RunResult result = run(call("fast").script(script).scratch(1_000_000));
        assertEquals(RunOutcome.DISK_QUOTA, result.outcome());
    }

    /** Else many short commands would fill what no long one may, or nobody could make room. */
    @Test
    void aWorkspaceThatIsFullTakesCommandsThatRemoveAndNoneThatWrite() throws Exception {
        Files.write(workspace.resolve("big"), new byte[5_000_000]);
        String list = "ls > list; mkdir d && : > d/f; sleep 1.5"; // as tools that clean up write
        LiveRun listing = runner.start(RunOrder.of(Tier.B, call("list").script(list).build()));
        assertEquals(RunOutcome.OK, listing.await().outcome());
        assertTrue(listing.noteOfFull().contains("5000000 of 4000000"), listing.noteOfFull());
        RunResult more = run(call("more").script(GROW));
        assertEquals(RunOutcome.DISK_QUOTA, more.outcome());
        assertTrue(more.problem().contains("commands that add little"), more.problem());
        String slowly = "sleep 1; rm big f*"; // stopped, if what was there were taken for its own
        assertEquals(RunOutcome.OK, run(call("remove").script(slowly)).outcome());
        assertEquals(RunOrder.SMALL_FILE_BYTES, last().limits().fileBytes());
        LiveRun write = runner.start(RunOrder.of(Tier.B, call("write").script("echo x>y").build()));
        assertEquals(RunOutcome.OK, write.await().outcome());
        assertEquals("", write.noteOfFull());
        assertTrue(last().limits().fileBytes() > RunOrder.SMALL_FILE_BYTES, "there is room again");
    }

    private SandboxSpec last() {
        synchronized (backend.specs) {
            return backend.specs.get(backend.specs.size() - 1);
        }
    }

    /** As a folder is that its owner lets nobody list, and goes on filling by names it knows. */
    @Test
    void whatCannotBeCountedIsTooMuch() throws Exception {
        Path closed = Files.createDirectory(workspace.resolve("closed"));
        Files.write(closed.resolve("f"), new byte[10]);
        DiskUsage use = countedWithout(closed);
        assertEquals(new DiskUsage(0, 1, 0, 1, "closed"), use);
        assertTrue(quota.isExceededBy(use));
        assertTrue(use.isMoreThan(new DiskUsage(0, 1, 0, 0, "")));
    }

    @Test
    void whatCannotBeReadIsNamedAndNotCalledFull() {
        DiskUsage unread = new DiskUsage(10, 2, 0, 3, "build/cache");
        DiskMonitor monitor = monitor(unread);
        String note = monitor.noteOfFull();
        assertTrue(note.contains("'build/cache' and 2 others cannot be read"), note);
        assertFalse(note.contains("over its quota"), note);
        DiskUsage both = new DiskUsage(quota.bytes() + 1, 2, 0, 1, "x");
        assertTrue(monitor(both).noteOfFull().contains("over its quota"));
    }

    private DiskMonitor monitor(DiskUsage before) {
        return new DiskMonitor(
                call("unread").build(), workspace, quota, before, Stop.WORKSPACE, () -> {});
    }

    /** Another command's folder may be removed while it is read. */
    @Test
    void whatGoesWhileItIsReadIsNothingThatWasMissed() throws Exception {
        Path going = Files.createDirectory(workspace.resolve("going"));
        Files.write(going.resolve("f"), new byte[10]);
        assertEquals(
                new DiskUsage(0, 1, 0, 0, ""), countedWhile(going, new NoSuchFileException("x")));
        assertEquals(new DiskUsage(0, 1, 0, 1, "going"), countedWhile(going, new IOException("x")));
    }

    private DiskUsage countedWhile(Path going, IOException why) {
        try (DiskScan count =
                new DiskScan(
                        workspace,
                        Optional.empty(),
                        folder ->
                                folder.equals(going)
                                        ? new Breaking(Files.newDirectoryStream(folder), why)
                                        : Files.newDirectoryStream(folder))) {
            assertTrue(count.step(100));
            return count.use();
        }
    }

    /** A folder whose reading fails. */
    private record Breaking(DirectoryStream<Path> folder, IOException why)
            implements DirectoryStream<Path> {
        @Override
        public Iterator<Path> iterator() {
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    throw new DirectoryIteratorException(why);
                }

                @Override
                public Path next() {
                    throw new NoSuchElementException();
                }
            };
        }

        @Override
        public void close() throws IOException {
            folder.close();
        }
    }

    private DiskUsage countedWithout(Path closed) {
        try (DiskScan count =
                new DiskScan(
                        workspace,
                        Optional.empty(),
                        folder -> {
                            if (folder.equals(closed)) {
                                throw new AccessDeniedException(folder.toString());
                            }
                            return Files.newDirectoryStream(folder);
                        })) {
            assertTrue(count.step(100));
            return count.use();
        }
    }

    @Test
    void whatIsNestedTooDeepToBeNamedIsTooMuch() throws Exception {
        String deeper =
                "d=" + "x".repeat(200) + "; i=0; while [ $i -lt 30 ]; do mkdir $d && cd -P $d";
        String script = deeper + "; i=$((i+1)); done; sleep 600";
        RunResult result = run(call("deep").script(script));
        Path top = workspace.resolve("x".repeat(200));
        assertEquals(0, new ProcessBuilder("rm", "-r", top.toString()).start().waitFor());
        assertEquals(RunOutcome.DISK_QUOTA, result.outcome());
    }

    @Test
    void testsOfTheSandboxItselfHaveNoBound() throws Exception {
        Files.write(workspace.resolve("big"), new byte[5_000_000]);
        RunOrder trial = RunOrder.trial(Tier.B, call("trial").script("true").build());
        assertEquals(RunOutcome.OK, runner.run(trial).outcome());
        assertTrue(last().limits().fileBytes() > RunOrder.SMALL_FILE_BYTES);
    }

    @Test
    void followsNoLinkOutOfTheWorkspace() throws Exception {
        Path outside = Files.createDirectory(pipes.resolve("outside"));
        Files.write(outside.resolve("big"), new byte[9_000_000]);
        Files.createSymbolicLink(workspace.resolve("link"), outside);
        assertEquals(RunOutcome.OK, run(call("linked").script("sleep 1.5")).outcome());
    }
}

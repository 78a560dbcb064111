package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.Bench;
import palyra.sandbox.posix.internal.Plans;

/** From the start of a process to the end of all that it started. */
class LifecycleCases {
    /** Starts a process that leaves its session and its parent; {@code as} may change more. */
    private static String daemon(String as, int seconds) {
        return "(" + as + " setsid sleep " + seconds + " & ) ";
    }

    @Test
    void aCommandThatIgnoresTheTermSignalIsKilled() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess process =
                    bench.launch(
                            bench.sh("trap '' TERM INT HUP; echo up >up; sleep 3000; sleep 9"));
            bench.awaitFile("up");
            assertTrue(process.await(0).isEmpty());
            assertEquals(0, process.kill());
            assertEquals(137, process.await(0).orElseThrow().exitCode());
            assertEquals(0, process.kill());
            process.close();
            process.close();
            assertFalse(Bench.lives(process.pid()));
        }
    }

    @Test
    void twentyDaemonsDieWithTheirCommand() throws Exception {
        try (Bench bench = new Bench()) {
            String script =
                    "trap '' TERM; i=0; while [ $i -lt 20 ]; do "
                            + daemon("", 3331)
                            + "; i=$((i+1)); done; echo up >up; sleep 3000";
            SandboxProcess process = bench.launch(bench.sh(script));
            bench.awaitFile("up");
            Bench.await("daemons", () -> commands("sleep\0003331") == 20);
            assertEquals(0, process.kill());
            assertEquals(0, commands("sleep\0003331"));
            process.close();
        }
    }

    @Test
    void aDaemonOfACommandThatHasEndedDoesNotHoldItsReader() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess process = bench.launch(bench.sh("echo out; " + daemon("", 3332)));
            CompletableFuture<byte[]> out = Bench.drain(process.stdout());
            assertEquals(0, process.await(Bench.PATIENCE_MILLIS).orElseThrow().exitCode());
            assertFalse(out.isDone());
            assertEquals(0, process.kill());
            assertEquals("out\n", new String(out.get(30, TimeUnit.SECONDS)));
            assertEquals(0, commands("sleep\0003332"));
            process.close();
        }
    }

    @Test
    void closingReleasesAReaderThoughAnUnknownProcessHoldsThePipe() throws Exception {
        try (Bench bench = new Bench()) {
            // It clears its mark, leaves its session and loses its parent: out of reach without a
            // cgroup, as the enforcement says.
            String script = daemon("env -i", 61) + "; sleep 0.3; echo $$ >up";
            SandboxProcess process = bench.launch(bench.sh(script).env("X", "1"));
            CompletableFuture<byte[]> out = Bench.drain(process.stdout());
            CompletableFuture<byte[]> err = Bench.drain(process.stderr());
            process.await(Bench.PATIENCE_MILLIS);
            process.close();
            assertEquals(0, out.get(30, TimeUnit.SECONDS).length);
            assertEquals(0, err.get(30, TimeUnit.SECONDS).length);
            assertEquals(-1, process.stdout().read());
            assertTrue(process.enforcement().contains("kill="), process.enforcement());
        }
    }

    @Test
    void closingOneStreamReleasesItsReader() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess process = bench.launch(Plans.of("/bin/sleep", "3000"));
            CompletableFuture<byte[]> out = Bench.drain(process.stdout());
            process.stdout().close();
            assertEquals(0, out.get(30, TimeUnit.SECONDS).length);
            assertTrue(process.await(0).isEmpty());
            process.close();
        }
    }

    @Test
    void killingEverythingInItsGroupHitsOnlyTheCommand() throws Exception {
        try (Bench bench = new Bench()) {
            assertEquals(137, bench.run(bench.sh("kill -9 0; sleep 5")).code());
            assertEquals(0, bench.run(bench.sh("true")).code()); // and this JVM lives
        }
    }

    @Test
    void theThreadThatLaunchedMayEnd() throws Exception {
        try (Bench bench = new Bench()) {
            CompletableFuture<SandboxProcess> launched = new CompletableFuture<>();
            Thread thread =
                    Thread.ofVirtual()
                            .start(() -> launched.complete(bench.launch(bench.sh("sleep 0.5"))));
            thread.join();
            assertEquals(0, Bench.finish(launched.get(60, TimeUnit.SECONDS)).code());
        }
    }

    @Test
    void aKillAtAnyMomentAfterTheStartLeavesNothing() throws Exception {
        try (Bench bench = new Bench()) {
            for (int i = 0; i < 60; i++) {
                SandboxProcess process =
                        bench.launch(bench.sh("sleep 3333 & setsid sleep 3333 & sleep 3333"));
                if (i % 9 > 0) {
                    TimeUnit.MILLISECONDS.sleep(i % 9);
                }
                assertEquals(0, process.kill());
                process.close();
            }
            assertEquals(0, commands("sleep\0003333"));
        }
    }

    @Test
    void usageOfARunningCommandIsThatOfItsFirstProcessWithoutACgroup() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess process = bench.launch(bench.sh("i=0; while :; do i=$((i+1)); done"));
            Bench.await("some processor time", () -> process.usage().cpuMillis() > 50);
            assertTrue(process.usage().peakMemoryBytes() > 0);
            assertFalse(process.usage().wholeTree());
            process.close();
            assertTrue(process.usage().cpuMillis() > 50);
        }
    }

    @Test
    void runsLeaveNoThreadsDescriptorsOrFiles() throws Exception {
        try (Bench bench = new Bench()) {
            churn(bench, 50);
            System.gc();
            int threads = threads();
            int descriptors = entries("/proc/self/fd");
            int temporary = entries("/tmp");
            churn(bench, 1_000);
            Bench.await("threads end", () -> threads() <= threads);
            assertTrue(entries("/proc/self/fd") <= descriptors + 2);
            assertTrue(entries("/tmp") <= temporary + 20); // others use it too
            assertEquals(0, children());
        }
    }

    private static void churn(Bench bench, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            SandboxProcess process =
                    bench.launch(Plans.of("/bin/true").limits(new Rlimits(9, 0, 0, 64, 0)).stdin());
            assertEquals(0, process.await(Bench.PATIENCE_MILLIS).orElseThrow().exitCode());
            process.close();
        }
    }

    @Test
    void closingTheLauncherKillsWhatRunsAndRefusesMore() throws Exception {
        Bench bench = new Bench();
        SandboxProcess process = bench.launch(Plans.of("/bin/sleep", "3334"));
        bench.close();
        assertEquals(137, process.await(Bench.PATIENCE_MILLIS).orElseThrow().exitCode());
        assertEquals(0, commands("sleep\0003334"));
        PalyraException refused =
                assertThrows(PalyraException.class, () -> bench.launch(Plans.of("/bin/true")));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
    }

    @Test
    void aWriteToACommandThatHasEndedFails() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess process = bench.launch(Plans.of("/bin/true").stdin());
            process.await(Bench.PATIENCE_MILLIS);
            assertThrows(IOException.class, () -> process.stdin().write(new byte[1 << 20]));
            process.close();
            assertThrows(IOException.class, () -> process.stdin().write(1));
        }
    }

    private static int threads() {
        return entries("/proc/self/task");
    }

    private static int entries(String folder) {
        try (Stream<Path> all = Files.list(Path.of(folder))) {
            return (int) all.count();
        } catch (IOException gone) {
            throw new java.io.UncheckedIOException(gone);
        }
    }

    private static long children() {
        return ProcessHandle.current().children().count();
    }

    /** Returns how many living processes have this command line. */
    static int commands(String line) {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .filter(path -> has(path.resolve("cmdline"), line))
                    .forEach(found::add);
        } catch (IOException gone) {
            throw new java.io.UncheckedIOException(gone);
        }
        return found.size();
    }

    private static boolean has(Path file, String line) {
        try {
            return Files.readString(file).startsWith(line);
        } catch (IOException gone) {
            return false;
        }
    }
}

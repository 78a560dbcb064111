package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.internal.output.OutputStore;
import palyra.sandbox.internal.process.Configurations;
import palyra.testing.wait.Await;

/** Sandboxes of sessions, over a backend that confines nothing. */
class SessionSandboxesTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir Path folder;
    @TempDir Path pipes;
    private final Map<String, Object> configuration = new HashMap<>();
    private FakeBackend backend;
    private Backends backends;
    private Runner runner;
    private final AtomicInteger looks = new AtomicInteger();
    private final Set<String> archived = ConcurrentHashMap.newKeySet();
    private SessionSandboxes sessions;

    @BeforeEach
    void open() {
        backend = new FakeBackend(Tier.C, pipes);
        backends = new Backends(() -> 60_000);
        backends.add(backend, Map.of());
        runner = new Runner(backends, any -> "canary=test", () -> 10);
        sessions =
                new SessionSandboxes(
                        runner, this::settings, looks::incrementAndGet, archived::contains);
    }

    @AfterEach
    void close() {
        sessions.close();
        runner.close();
    }

    private SandboxSettings settings() {
        return Configurations.settings(folder.resolve("workspaces"), Map.copyOf(configuration));
    }

    private SessionSandboxes.Key key(String session) {
        return new SessionSandboxes.Key(session, "agent", "user:anna", folder.toString());
    }

    private SandboxSpec command(String id, String script) {
        return Specs.call(id, folder).script(script).build();
    }

    private SessionSandboxes.Use use(String session) throws InterruptedException {
        return sessions.use(key(session), command("unused", "true"));
    }

    private RunResult run(SessionSandboxes.Use use, String id, String script) {
        return runner.run(
                new RunOrder(
                        Tier.C,
                        command(id, script).in(use.sandbox()),
                        Optional.empty(),
                        Optional.empty(),
                        false,
                        OutputStore.NONE,
                        Optional.of(use.holder()),
                        List.of()));
    }

    private static void until(BooleanSupplier condition) {
        Await.until("the sandboxes", LONG, condition);
    }

    private List<String> folders() {
        try (Stream<Path> all = Files.list(folder.resolve("workspaces/.sessions"))) {
            return all.map(one -> one.getFileName().toString()).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Test
    void whatWasLeftRunningIsLookedAtAgainAndAgain() throws Exception {
        Await.until("two looks", Duration.ofSeconds(60), () -> looks.get() >= 2);
    }

    @Test
    void commandsOfOneSessionShareOneSandboxAndOthersHaveTheirOwn() throws Exception {
        try (SessionSandboxes.Use first = use("s1");
                SessionSandboxes.Use again = use("s1");
                SessionSandboxes.Use other = use("s2");
                SessionSandboxes.Use person =
                        sessions.use(
                                new SessionSandboxes.Key(
                                        "s1", "agent", "user:ben", folder.toString()),
                                command("c", "true"))) {
            assertEquals(first.sandbox().id(), again.sandbox().id());
            assertTrue(first.isFirst());
            assertFalse(again.isFirst());
            assertTrue(other.isFirst());
            assertNotEquals(first.sandbox().id(), other.sandbox().id());
            assertNotEquals(first.sandbox().id(), person.sandbox().id());
            assertTrue(Files.isDirectory(Path.of(first.sandbox().home())));
            assertTrue(Files.isDirectory(Path.of(first.sandbox().temporary())));
            assertEquals(3, folders().size());
        }
        sessions.close();
        assertEquals(List.of(), folders());
        assertEquals(0, runner.running());
    }

    @Test
    void theSandboxOfAnArchivedSessionEnds() throws Exception {
        SessionSandboxes.Use open = use("open");
        SessionSandboxes.Use held = use("done");
        archived.add("done");
        until(() -> sessions.count() == 1 && folders().size() == 1);
        assertTrue(held.holder().stopped().isPresent());
        assertTrue(open.holder().stopped().isEmpty());
    }

    @Test
    void oneThatNothingUsesEndsAfterItsIdleTime() throws Exception {
        configuration.put("sessionIdleMillis", 1_000L);
        SessionSandboxes.Use held = use("held");
        use("idle").close();
        until(() -> sessions.count() == 1 && folders().size() == 1);
        assertEquals(List.of(held.sandbox().id()), folders());
        held.close();
        until(() -> sessions.count() == 0 && folders().isEmpty());
    }

    @Test
    void theOneThatWasNotUsedForTheLongestTimeMakesRoom() throws Exception {
        configuration.put("maxSessions", 2);
        SessionSandboxes.Use first = use("s1");
        use("s2").close();
        SessionSandboxes.Use third = use("s3");
        until(() -> folders().size() == 2);
        PalyraException full = assertThrows(PalyraException.class, () -> use("s4"));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, full.code());
        assertTrue(full.getMessage().contains("maxSessions"), full.getMessage());
        third.close();
        use("s4").close();
        first.close();
    }

    @Test
    void oneThatCannotBeMadeIsRefusedAndTriedAgain() throws Exception {
        backend.hold = new PalyraException(ErrorCode.DENIED, "This sandbox is not shared.");
        PalyraException refused = assertThrows(PalyraException.class, () -> use("s1"));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertTrue(refused.getMessage().contains("This sandbox is not shared"), refused.toString());
        until(() -> folders().isEmpty());
        backend.hold = null;
        use("s1").close();
    }

    @Test
    void aCommandWhoseSandboxEndedSaysThatAndNotAnExitCode() throws Exception {
        try (SessionSandboxes.Use use = use("s1")) {
            use.sandbox().holder().orElseThrow().kill();
            until(() -> sessions.count() == 0);
            RunResult result = run(use, "c1", "exit 0");
            assertEquals(RunOutcome.KILLED, result.outcome());
            String why = "Its first process ended with code 137, for no limit and no request";
            assertTrue(result.problem().contains(why), result.problem());
        }
        try (SessionSandboxes.Use next = use("s1")) {
            assertEquals(RunOutcome.OK, run(next, "c2", "exit 0").outcome());
            assertTrue(next.before().contains("code 137"), next.before());
        }
        try (SessionSandboxes.Use same = use("s1")) {
            assertFalse(same.isFirst());
        }
    }

    /** As the kernel kills the commands of a sandbox when their memory together is used up. */
    @Test
    void aCommandSaysThatTheMemoryOfItsSessionWasUsedUp() throws Exception {
        backend.wrap = process -> new Reported(process, new ExitReport(true, 137, "", true));
        try (SessionSandboxes.Use use = use("s1")) {
            RunResult result = run(use, "c1", "exit 137");
            assertEquals(RunOutcome.MEMORY_QUOTA, result.outcome());
            long together = 2 * command("x", "true").limits().memoryBytes();
            String why = "the " + together + " bytes that they may use together";
            assertTrue(result.problem().contains(why), result.problem());
        }
    }

    @Test
    void aCommandThatIsEndedWithItsSandboxSaysWhatEndedThat() throws Exception {
        try (SessionSandboxes.Use use = use("s1")) {
            CompletableFuture<RunResult> running =
                    CompletableFuture.supplyAsync(() -> run(use, "c1", "sleep 300"));
            until(() -> !FakeProcess.living("c1").isEmpty());
            sessions.endAll();
            until(() -> sessions.count() == 0 && use.holder().stopped().isPresent());
            until(() -> killed("c1")); // as the end of its namespaces does
            RunResult result = running.get();
            assertEquals(RunOutcome.KILLED, result.outcome());
            assertTrue(result.problem().contains("operator changed"), result.problem());
            assertTrue(result.problem().contains("The next command"), result.problem());
        }
    }

    private static boolean killed(String id) {
        List<Long> all = FakeProcess.living(id);
        all.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        return all.isEmpty();
    }

    /** Each output that stays open takes threads, so that there is a bound for a session. */
    @Test
    void ofTooManyThatLeaveTheirOutputOpenTheNextIsEndedAndSaysWhy() throws Exception {
        try (SessionSandboxes.Use use = use("s1")) {
            for (int i = 0; i < 32; i++) {
                assertEquals(RunOutcome.OK, run(use, "left" + i, "sleep 300 &").outcome());
            }
            RunResult next = run(use, "next", "sleep 300 &");
            assertEquals(RunOutcome.KILLED, next.outcome());
            assertTrue(next.problem().contains("hold its output open"), next.problem());
            assertEquals(0, next.leftBehind());
            RunResult elsewhere = run(use, "file", "exec >log 2>&1; sleep 300 &");
            assertEquals(RunOutcome.OK, elsewhere.outcome());
        }
        try (SessionSandboxes.Use other = use("s2")) {
            assertEquals(RunOutcome.OK, run(other, "other", "sleep 300 &").outcome());
        }
    }

    /** What is left running holds the output open; the command does not wait for it. */
    @Test
    void aCommandEndsWithoutWhatItLeavesRunning() throws Exception {
        try (SessionSandboxes.Use use = use("s1")) {
            RunResult result =
                    assertTimeoutPreemptively(LONG, () -> run(use, "c1", "sleep 300 & echo out"));
            assertEquals(RunOutcome.OK, result.outcome(), result.problem());
            assertEquals("out\n", result.stdout().shown(100));
            assertEquals(0, result.leftBehind());
            assertFalse(FakeProcess.living("c1").isEmpty());
        } finally {
            for (long pid : FakeProcess.living("c1")) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    @Test
    void aSandboxThatIdlesDoesNotHoldUpABackendThatLeaves() throws Exception {
        use("s1").close();
        assertTimeoutPreemptively(LONG, () -> backends.remove(backend));
        until(() -> sessions.count() == 0 && folders().isEmpty());
        PalyraException gone = assertThrows(PalyraException.class, () -> use("s1"));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, gone.code());
    }

    /**
     * An answer of a person is bound to what runs in the workspace: that the first of two calls of
     * a step made the sandbox is no reason to ask about the second one again.
     */
    @Test
    void aSandboxInWhichNothingWasLeftRunningDoesNotCountAsRunning() throws Exception {
        try (SessionSandboxes.Use empty = use("s1")) {
            until(() -> runner.runningIn(folder.toString()).isEmpty());
            backend.holder =
                    List.of("setsid", "/bin/sh", "-c", "setsid sleep 100000 & sleep 100000 & wait");
            try (SessionSandboxes.Use busy = use("s2")) {
                String id = busy.sandbox().id();
                until(() -> runner.runningIn(folder.toString()).keySet().equals(Set.of(id)));
            }
        }
    }

    @Test
    void aChangedConfigurationEndsAll() throws Exception {
        SessionSandboxes.Use use = use("s1");
        sessions.endAll();
        until(() -> folders().isEmpty());
        use.close();
        try (SessionSandboxes.Use next = use("s1")) {
            assertNotEquals(use.sandbox().id(), next.sandbox().id());
            assertTrue(next.isFirst(), "what the one before held is gone");
            assertTrue(next.before().contains("operator changed"), next.before());
        }
    }

    @Test
    void foldersOfAKilledGatewayGoAndThoseInUseStay() throws Exception {
        Path left = folder.resolve("workspaces/.sessions/session-old/home");
        Files.createDirectories(left);
        Files.writeString(left.resolve("cache"), "x");
        try (SessionSandboxes.Use use = use("s1")) {
            sessions.removeLeftovers();
            assertEquals(List.of(use.sandbox().id()), folders());
        }
    }

    @Test
    void foldersThatGrowTooLargeEndIt() throws Exception {
        runner.close();
        runner =
                new Runner(
                        backends,
                        any -> "canary=test",
                        () -> 10,
                        new OwnPorts(),
                        () -> DiskQuota.NONE,
                        () -> new DiskQuota(2 << 20, 1_000),
                        any -> palyra.sandbox.internal.git.GitProtection.Call.NONE);
        sessions.close();
        sessions = new SessionSandboxes(runner, this::settings, () -> {}, any -> false);
        try (SessionSandboxes.Use use = use("s1")) {
            Files.write(Path.of(use.sandbox().home(), "cache"), new byte[5_000]);
            until(() -> sessions.heldBytes() >= 5_000);
            Files.write(Path.of(use.sandbox().home(), "big"), new byte[4 << 20]);
            until(() -> sessions.count() == 0);
            assertEquals(0, sessions.heldBytes());
            RunResult ended = run(use, "c1", "exit 0");
            assertEquals(RunOutcome.DISK_QUOTA, ended.outcome());
            assertTrue(ended.problem().contains("of 2097152 bytes"), ended.problem());
            assertTrue(ended.problem().contains("sessionBytes"), ended.problem());
        }
    }

    /**
     * The command that fills the workspace is ended, and not the servers of the session with it.
     */
    @Test
    void aWorkspaceThatIsFullEndsTheSandboxOnlyWhenItGoesOnGrowing() throws Exception {
        sessions.close();
        runner.close();
        runner =
                new Runner(
                        backends,
                        any -> "canary=test",
                        () -> 10,
                        new OwnPorts(),
                        () -> new DiskQuota(1 << 20, 100_000),
                        () -> DiskQuota.NONE,
                        any -> palyra.sandbox.internal.git.GitProtection.Call.NONE);
        sessions = new SessionSandboxes(runner, this::settings, () -> {}, any -> false);
        try (SessionSandboxes.Use use = use("s1")) {
            String fill = "while :; do head -c 300000 /dev/zero >> big; sleep 0.05; done";
            RunResult filled = run(use, "c1", fill);
            assertEquals(RunOutcome.DISK_QUOTA, filled.outcome());
            assertTrue(filled.problem().contains("of 1048576 bytes"), filled.problem());
            assertEquals(RunOutcome.OK, run(use, "c2", "sleep 3; rm big").outcome());
            run(use, "c3", "(" + fill + ") &"); // it holds the output open, and so goes on
            until(() -> sessions.count() == 0);
        } finally {
            until(() -> killed("c3"));
        }
    }

    /** What writes may sleep between: four seconds of growth need not be in a row. */
    @Test
    void aPauseIsNoWayPastTheQuota() throws Exception {
        sessions.close();
        runner.close();
        runner =
                new Runner(
                        backends,
                        any -> "canary=test",
                        () -> 10,
                        new OwnPorts(),
                        () -> new DiskQuota(1 << 20, 100_000),
                        () -> DiskQuota.NONE,
                        any -> palyra.sandbox.internal.git.GitProtection.Call.NONE);
        sessions = new SessionSandboxes(runner, this::settings, () -> {}, any -> false);
        try (SessionSandboxes.Use use = use("s1")) {
            String slow = "while :; do head -c 3000000 /dev/zero >> big; sleep 1.4; done";
            run(use, "c1", "(" + slow + ") &");
            until(() -> sessions.count() == 0);
        } finally {
            until(() -> killed("c1"));
        }
    }
}

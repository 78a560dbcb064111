package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.Ops;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.testing.wait.Await;

/** A port that the gateway opens while commands run that were not kept from it. */
@Timeout(300)
class OpenedPortTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir Path folder;
    private final Endpoint endpoint = new Endpoint() {};
    private final OwnPorts ports = new OwnPorts();
    private FakeBackend backend;
    private Runner runner;

    @BeforeEach
    void open() {
        backend = new FakeBackend(Tier.B, folder);
        Backends backends = new Backends(() -> 100);
        backends.add(backend, Map.of());
        runner = new Runner(backends, any -> "canary=test", () -> 50, ports);
    }

    @AfterEach
    void close() {
        runner.close();
    }

    private void listen(int port) {
        ports.put(endpoint, Map.of(Ops.ENDPOINT_URI, "http://127.0.0.1:" + port));
    }

    private RunOrder order(String id, Egress egress, Set<Integer> kept) {
        return RunOrder.of(
                Tier.B,
                new SandboxSpec(
                        id,
                        List.of("/bin/sh", "-c", "sleep 600"),
                        Map.of(),
                        folder.toString(),
                        folder.toString(),
                        List.of(),
                        List.of(),
                        egress,
                        Optional.empty(),
                        kept,
                        new SandboxLimits(
                                120_000, 60_000, 1L << 30, 64, 1L << 20, 64, 1 << 16, 1 << 20),
                        Set.of(),
                        false));
    }

    private FutureTask<RunResult> started(String id, Egress egress, Set<Integer> kept) {
        FutureTask<RunResult> task = new FutureTask<>(() -> runner.run(order(id, egress, kept)));
        Thread.ofPlatform().daemon().name("test-run").start(task);
        Await.until("the start of " + id, LONG, () -> !FakeProcess.living(id).isEmpty());
        return task;
    }

    @Test
    void aNewPortEndsWhatSharesTheNetworkBeforeItsAnnouncementReturns() throws Exception {
        listen(7142);
        FutureTask<RunResult> none = started("none", Egress.NONE, Set.of(7142));
        FutureTask<RunResult> preflight = started("preflight", Egress.PREFLIGHT, Set.of(7142));
        FutureTask<RunResult> strict = started("strict", Egress.STRICT, Set.of(7142));
        ports.put(new Endpoint() {}, Map.of(Ops.ENDPOINT_URI, "grpc://127.0.0.1:7443"));
        assertEquals(List.of(), FakeProcess.living("none"));
        assertEquals(List.of(), FakeProcess.living("preflight"));
        for (FutureTask<RunResult> ended : List.of(none, preflight)) {
            RunResult result = ended.get(30, TimeUnit.SECONDS);
            assertEquals(RunOutcome.KILLED, result.outcome());
            assertTrue(result.problem().contains("opened another port"), result.problem());
            assertTrue(
                    result.enforcement().contains(" own-ports=fixed,new-ends "),
                    result.enforcement());
        }
        assertFalse(strict.isDone());
        runner.cancel("strict");
        RunResult last = strict.get(30, TimeUnit.SECONDS);
        assertFalse(last.enforcement().contains("own-ports="), last.enforcement());
    }

    @Test
    void aPortThatItIsKeptFromAlreadyEndsNothing() throws Exception {
        listen(7142);
        FutureTask<RunResult> run = started("kept", Egress.NONE, Set.of(7142, 7443));
        listen(7443);
        ports.remove(endpoint);
        listen(7142);
        assertFalse(run.isDone());
        assertFalse(FakeProcess.living("kept").isEmpty());
        runner.cancel("kept");
        run.get(30, TimeUnit.SECONDS);
    }

    @Test
    void whatWasPreparedBeforeThePortOpenedIsNotStarted() {
        listen(7142);
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> runner.run(order("late", Egress.NONE, Set.of())));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertEquals(0, backend.starts.get());
        assertEquals(0, runner.running());
    }

    @Test
    void portsOfEndpointsThatWentStayForbiddenAndAreBounded() {
        for (int port = 1; port <= OwnPorts.MOST_GONE + 10; port++) {
            listen(port);
        }
        ports.remove(endpoint);
        assertEquals(OwnPorts.MOST_GONE, ports.all().size());
        assertTrue(ports.all().contains(OwnPorts.MOST_GONE + 10));
        assertEquals(Set.of(), ports.open());
    }

    @Test
    void portsAreReadFromWhateverAnEndpointSays() {
        ports.put(
                endpoint,
                Map.of(
                        Ops.ENDPOINT_URI,
                        new String[] {"http://h/", "HTTPS://h/", "unix:/x", "grpc://h:9", "::"}));
        assertEquals(Set.of(9, 80, 443), ports.open());
        assertTrue(ports.isOpen(9));
        ports.put(endpoint, Map.of(Ops.ENDPOINT_STATE, Ops.ENDPOINT_FAILED));
        assertFalse(ports.isOpen(9), "nothing of the gateway listens there now");
        assertTrue(ports.all().contains(9), "but no command may have it open when it comes back");
    }
}

package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.Journal;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/**
 * While bundles are replaced a class may be gone for a moment: what meets that goes on afterwards,
 * for none of the engine's threads is started again by anybody.
 */
class LostClassTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir Path state;

    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private final RecordingTool tool = RecordingTool.withEffect("test.effect");
    private final AtomicReference<String> breaking = new AtomicReference<>("");
    private final AtomicInteger leasesTaken = new AtomicInteger();
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot", tool);
        gateway =
                new LightGateway(around, model, "boot/1", this::losing, new OpenAccess())
                        .awaitReady()
                        .offering("test.effect");
    }

    @AfterEach
    void close() {
        tool.release();
        gateway.close();
        model.close();
        around.close();
    }

    /** The named call breaks once. */
    private Journal losing(Journal real) {
        return WatchedJournal.of(
                real,
                call -> {
                    if (breaking.compareAndSet(call.method().getName(), "")) {
                        throw new NoClassDefFoundError("palyra/gone/Class");
                    }
                    if (call.of("takeLease")) {
                        leasesTaken.incrementAndGet();
                    }
                    return call.proceed();
                });
    }

    private void lose(String call) {
        breaking.set(call);
        Await.until(call + " to break", PATIENCE, () -> breaking.get().isEmpty());
    }

    @Test
    void theDispatcherLooksOn() {
        tool.holding();
        model.propose("test.effect", "{}");
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        lose("pendingCommands");
        gateway.cancel(run.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(run.runId()).state());
    }

    @Test
    void theLeaseIsRenewedOn() {
        lose("takeLease");
        int before = leasesTaken.get();
        Await.until("two renewals", PATIENCE, () -> leasesTaken.get() >= before + 2);
    }

    @Test
    void aRunGoesOnWhereItStood() {
        tool.holding();
        model.propose("test.effect", "{}").answer("done");
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        breaking.set("commit"); // the next is what came of the tool
        tool.release();
        assertEquals(RunState.SUCCEEDED, gateway.ended(run.runId()).state());
        assertEquals("", breaking.get());
        assertEquals(1, tool.calls().size());
    }
}

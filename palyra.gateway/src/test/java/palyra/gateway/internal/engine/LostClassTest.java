package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.testing.wait.Await;

/**
 * While bundles are replaced a class may be gone for a moment: what meets that goes on afterwards,
 * for none of the engine's threads is started again by anybody.
 */
class LostClassTest extends OneGateway {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final AtomicReference<String> breaking = new AtomicReference<>("");
    private final AtomicInteger leasesTaken = new AtomicInteger();

    /** The named call breaks once. */
    @Override
    Object watch(WatchedJournal.Call call) throws Throwable {
        if (breaking.compareAndSet(call.method().getName(), "")) {
            throw new NoClassDefFoundError("palyra/gone/Class");
        }
        if (call.of("takeLease")) {
            leasesTaken.incrementAndGet();
        }
        return call.proceed();
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

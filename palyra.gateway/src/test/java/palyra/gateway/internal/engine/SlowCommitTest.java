package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelEvent;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.testing.wait.Await;

/** The first write of streamed text takes as long as the test likes. */
class SlowCommitTest extends OneGateway {
    private static final String FIRST = "a".repeat(100);
    private static final String SECOND = "b".repeat(100);
    private static final String LAST = "c";

    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Void> release = new CompletableFuture<>();
    private final AtomicReference<String> told = new AtomicReference<>("");

    @Override
    Object watch(WatchedJournal.Call call) throws Throwable {
        Unit unit = call.unit().orElse(null);
        if (unit == null
                || unit.lane() != Unit.Lane.BULK
                || !call.of("submit")
                || !begun.compareAndSet(false, true)) {
            return call.proceed();
        }
        String runId =
                unit.operations().stream()
                        .filter(Operation.Append.class::isInstance)
                        .map(operation -> ((Operation.Append) operation).streamId())
                        .findFirst()
                        .orElseThrow();
        around.opened.subscribe(runId, this::hear);
        return release.thenCompose(nothing -> written(call));
    }

    private void hear(FeedItem item) {
        if (item instanceof FeedItem.LiveText live) {
            told.accumulateAndGet(live.text(), String::concat);
        }
    }

    @SuppressWarnings("unchecked")
    private static CompletionStage<Committed> written(WatchedJournal.Call call) {
        try {
            return (CompletionStage<Committed>) call.proceed();
        } catch (Throwable e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private String start() {
        model.turn(
                new ModelEvent.TextDelta(FIRST),
                new ModelEvent.TextDelta(SECOND),
                new ModelEvent.ThoughtDelta("why"),
                new ModelEvent.TextDelta(LAST),
                new ModelEvent.Finished("stop", 1, 1));
        String runId = gateway.submit("go").runId();
        Await.until(
                "all to be told while the write is under way",
                () -> told.get().equals(SECOND + "why" + LAST));
        return runId;
    }

    private void assertTold(String runId) {
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        List<TapeEvent.ModelToken> tokens = gateway.records(runId, TapeEvent.ModelToken.class);
        assertEquals(
                FIRST + SECOND + LAST,
                tokens.stream().map(TapeEvent.ModelToken::text).collect(Collectors.joining()));
        List<String> types = gateway.types(runId);
        int thought = types.indexOf("model_thought");
        assertTrue(thought > types.indexOf("model_token"), types.toString());
        assertTrue(thought < types.lastIndexOf("model_token"), types.toString());
        assertTrue(types.lastIndexOf("model_token") < types.indexOf("turn_finished"));
        around.assertVerified();
    }

    @Test
    void followersAreToldWhileTheTapeIsWritten() {
        String runId = start();
        release.complete(null);
        assertTold(runId);
    }

    @Test
    void aWriteThatIsRefusedAtLastGoesWithTheTurnInOrder() {
        String runId = start();
        release.completeExceptionally(
                new PalyraException(ErrorCode.RESOURCE_EXHAUSTED, "The queue is full."));
        assertTold(runId);
    }
}

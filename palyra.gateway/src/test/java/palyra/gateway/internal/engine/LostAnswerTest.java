package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelEvent;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;

/**
 * The first answer to every change of the engine is lost: to each it is said that its outcome is
 * not known, although it happened, or although it did not. Each step happens once all the same.
 */
class LostAnswerTest extends OneGateway {
    private final Set<Unit.Step> lost = ConcurrentHashMap.newKeySet();
    private volatile Losing losing = Losing.NOTHING;

    /** Which first answers are lost. */
    enum Losing {
        NOTHING,
        AFTER_IT_HAPPENED,
        BEFORE_IT_HAPPENED,
        /** The store refused, which says that it did not happen. */
        AS_REFUSED
    }

    @Override
    Object watch(WatchedJournal.Call call) throws Throwable {
        Unit.Step step = call.unit().flatMap(Unit::step).orElse(null);
        if (losing == Losing.NOTHING || step == null || !lost.add(step)) {
            return call.proceed();
        }
        boolean refused = losing == Losing.AS_REFUSED;
        ErrorCode code = refused ? ErrorCode.JOURNAL_UNAVAILABLE : ErrorCode.OUTCOME_UNKNOWN;
        PalyraException failure = new PalyraException(code, "played");
        Object answer = losing == Losing.AFTER_IT_HAPPENED ? call.proceed() : null;
        if (!call.of("submit")) {
            throw failure;
        }
        if (answer instanceof CompletionStage<?> stage) {
            return stage.thenApply(
                    done -> {
                        throw failure;
                    });
        }
        return CompletableFuture.<Committed>failedStage(failure);
    }

    @ParameterizedTest
    @EnumSource(names = {"AFTER_IT_HAPPENED", "BEFORE_IT_HAPPENED", "AS_REFUSED"})
    void everyStepHappensOnce(Losing what) {
        ModelEvent[] text =
                Stream.concat(
                                Stream.generate(() -> new ModelEvent.TextDelta("word ".repeat(40)))
                                        .limit(20),
                                Stream.of(new ModelEvent.Finished("stop", 1, 1)))
                        .toArray(ModelEvent[]::new);
        model.propose("test.effect", "{}").propose("test.effect", "{}").turn(text);
        losing = what;
        Submission run = what == Losing.AS_REFUSED ? refusedFirst() : gateway.submit("work");
        RunRow ended = gateway.ended(run.runId());
        assertEquals(RunState.SUCCEEDED, ended.state(), ended::reason);
        assertTrue(lost.size() >= 5, () -> "lost " + lost);
        assertEquals(2, tool.calls().size());
        List<TapeEvent.TurnFinished> turns =
                gateway.records(run.runId(), TapeEvent.TurnFinished.class);
        assertEquals(3, turns.size());
        assertEquals(2, gateway.records(run.runId(), TapeEvent.ToolDecision.class).size());
        assertEquals(2, gateway.records(run.runId(), TapeEvent.ToolStarted.class).size());
        assertEquals(2, gateway.records(run.runId(), TapeEvent.ToolCallOutput.class).size());
        assertEquals(1, around.journal().outboxOf(run.runId()).size());
        StringBuilder streamed = new StringBuilder();
        gateway.records(run.runId(), TapeEvent.ModelToken.class)
                .forEach(token -> streamed.append(token.text()));
        assertEquals(turns.getLast().text(), streamed.toString(), "text in its order, once");
        around.assertVerified();
        assertEquals(1, around.journal().runs("", "", "", 10).size());
    }

    /** A refusal of a message goes to its sender, who sends it again. */
    private Submission refusedFirst() {
        losing = Losing.NOTHING;
        Submission run = gateway.submit("work");
        losing = Losing.AS_REFUSED;
        return run;
    }

    @ParameterizedTest
    @EnumSource(names = {"AFTER_IT_HAPPENED", "BEFORE_IT_HAPPENED"})
    void messageBehindAnotherIsTakenOnce(Losing what) {
        tool.holding();
        model.propose("test.effect", "{}").answer("first").answer("second");
        SubmittedMessage message = Wanted.saying("work").in("s").message();
        Submission first = gateway.submit(message);
        tool.awaitCalls(1);
        losing = what;
        Submission second = gateway.submit(message);
        tool.release();
        assertEquals(RunState.SUCCEEDED, gateway.ended(first.runId()).state());
        assertEquals(RunState.SUCCEEDED, gateway.ended(second.runId()).state());
        assertEquals(2, around.journal().runs("", "", "", 10).size());
    }

    @Test
    void cancellationIsRecordedOnce() {
        tool.holding();
        model.propose("test.effect", "{}");
        Submission run = gateway.submit("work");
        tool.awaitCalls(1);
        losing = Losing.AFTER_IT_HAPPENED;
        gateway.cancel(run.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(run.runId()).state());
        long ends =
                gateway.records(run.runId(), TapeEvent.RunStateChanged.class).stream()
                        .filter(changed -> changed.state().terminal())
                        .count();
        assertEquals(1, ends);
    }
}

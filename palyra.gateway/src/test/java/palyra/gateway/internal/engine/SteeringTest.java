package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.run.WhileRunning;
import palyra.api.tape.TapeEvent;
import palyra.testing.wait.Await;

/** What becomes of a message that comes while a run of its session works. */
class SteeringTest extends OneGateway {
    static SubmittedMessage message(String key, String text, WhileRunning whileRunning) {
        return new SubmittedMessage(
                "shell",
                key,
                "",
                "",
                "",
                "",
                "",
                text,
                "",
                false,
                "",
                "",
                false,
                "",
                false,
                null,
                whileRunning);
    }

    private Submission submit(String text, WhileRunning whileRunning) {
        return gateway.submit(message("", text, whileRunning));
    }

    /** Returns a run whose only call is under way. */
    private Submission atWork() {
        tool.holding();
        model.propose("test.effect", "{}");
        Submission run = gateway.submit("first");
        tool.awaitCalls(1);
        return run;
    }

    private static List<String> said(ModelRequest request) {
        return request.messages().stream()
                .filter(ModelMessage.User.class::isInstance)
                .map(message -> ((ModelMessage.User) message).text())
                .toList();
    }

    private RunRow succeeded(Submission run) {
        RunRow row = gateway.ended(run.runId());
        assertEquals(RunState.SUCCEEDED, row.state(), row.reason());
        return row;
    }

    private void toldTo(Submission message, Submission run) {
        RunRow row = gateway.ended(message.runId());
        assertEquals(RunState.CANCELLED, row.state());
        assertTrue(row.reason().contains(run.runId()), row.reason());
        assertEquals(List.of(), around.journal().outboxOf(message.runId()));
    }

    @Test
    void isToldToTheRunBeforeItsNextTurn() {
        Submission first = atWork();
        Submission second = submit("rather in blue", WhileRunning.STEER);
        Submission third = submit("and larger", WhileRunning.STEER);
        model.answer("done");
        tool.release();
        succeeded(first);
        toldTo(second, first);
        toldTo(third, first);
        ModelRequest last = model.requests().get(1);
        assertEquals(List.of("first", "rather in blue", "and larger"), said(last));
        List<ModelMessage> messages = last.messages();
        int output =
                IntStream.range(0, messages.size())
                        .filter(i -> messages.get(i) instanceof ModelMessage.ToolOutput)
                        .findFirst()
                        .orElseThrow();
        assertEquals("rather in blue", ((ModelMessage.User) messages.get(output + 1)).text());
        assertEquals(1, around.journal().outboxOf(first.runId()).size());
        assertEquals(2, model.requests().size());
        around.assertVerified();
    }

    /** What the run was told is on its tape with the id of the message, once. */
    @Test
    void isOnTheTapeOfTheRun() {
        Submission first = atWork();
        Submission second = submit("rather in blue", WhileRunning.STEER);
        model.answer("done");
        tool.release();
        succeeded(first);
        List<TapeEvent.Message> messages =
                gateway.records(first.runId(), TapeEvent.Message.class).stream()
                        .filter(message -> message.role() == TapeEvent.Role.USER)
                        .toList();
        assertEquals(2, messages.size());
        assertEquals(second.messageId(), messages.get(1).messageId());
    }

    @Test
    void waitsForARunOfItsOwnUnlessItIsToSteer() {
        Submission first = atWork();
        Submission second = submit("later", WhileRunning.QUEUE);
        Submission third = submit("not before it", WhileRunning.STEER);
        model.answer("done").answer("second").answer("third");
        tool.release();
        succeeded(first);
        succeeded(second);
        succeeded(third);
        assertEquals(List.of("first"), said(model.requests().get(1)));
    }

    /** It came after the last turn began, so that turn does not know it. */
    @Test
    void getsARunOfItsOwnWhenTheRunEndsFirst() {
        model.hold(new ModelEvent.TextDelta("nearly done"));
        Submission first = gateway.submit("first");
        Await.until("the turn to begin", () -> model.requests().size() == 1);
        model.answer("second");
        Submission second = submit("too late", WhileRunning.STEER);
        assertFalse(around.journal().run(second.runId()).orElseThrow().state().terminal());
        gateway.cancel(first.runId());
        assertEquals(RunState.CANCELLED, gateway.ended(first.runId()).state());
        succeeded(second);
    }

    /** Further ones are told before the turn after the next. */
    @Test
    void manyAreToldInTheirOrder() {
        Submission first = atWork();
        List<Submission> many =
                IntStream.range(0, 30).mapToObj(i -> submit("n" + i, WhileRunning.STEER)).toList();
        model.turn(
                        new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{}")),
                        new ModelEvent.Finished("tool_calls", 1, 1))
                .answer("done");
        tool.release();
        succeeded(first);
        many.forEach(message -> toldTo(message, first));
        List<String> said = said(model.requests().get(2));
        assertEquals(31, said.size());
        assertEquals("n29", said.getLast());
        around.assertVerified();
    }

    @Test
    void aLaterRunOfTheSessionKnowsWhatWasSaid() {
        Submission first = atWork();
        submit("rather in blue", WhileRunning.STEER);
        model.answer("done").answer("hello");
        tool.release();
        succeeded(first);
        succeeded(gateway.submit("next"));
        String all = said(model.requests().get(2)).toString();
        assertTrue(all.contains("rather in blue"), all);
    }

    @Test
    void cancelsTheRunsBeforeItWhenItIsTo() {
        Submission first = atWork();
        Submission waiting = submit("second", WhileRunning.QUEUE);
        model.answer("third");
        Submission newest = submit("no, this", WhileRunning.CANCEL);
        for (Submission before : List.of(first, waiting)) {
            RunRow row = gateway.ended(before.runId());
            assertEquals(RunState.CANCELLED, row.state());
            assertTrue(row.reason().contains("a newer message came"), row.reason());
        }
        tool.release();
        succeeded(newest);
    }
}

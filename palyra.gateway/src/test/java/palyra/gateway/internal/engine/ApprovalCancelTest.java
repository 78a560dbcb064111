package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Operation;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeRecord;
import palyra.gateway.internal.fold.RunHistory;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.ApproverText;
import palyra.shared.tape.TapeCodec;
import palyra.testing.wait.Await;

/** Runs that are cancelled while they wait for an approval. */
class ApprovalCancelTest extends ApprovalFixture {
    private void assertNamesWhoMayAnswer(String runId, ApprovalRow question, String reason) {
        ApprovalRequestBody.Terms terms = ApprovalRequestCodec.question(question.payload()).terms();
        String who =
                ", for " + ApproverText.words(terms.approvers(), terms.quorum()) + " to answer";
        assertTrue(reason.contains(who), reason);
        TapeEvent.RunStateChanged waiting =
                gateway.records(runId, TapeEvent.RunStateChanged.class).stream()
                        .filter(changed -> changed.state() == RunState.AWAITING_APPROVAL)
                        .findFirst()
                        .orElseThrow();
        assertEquals(reason, waiting.reason(), "the event on the stream says the same");
    }

    @Test
    void cancellingWhileItWaitsWithdrawsTheQuestion() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        String reason = around.journal().run(runId).orElseThrow().reason();
        String named = ASKS + " (approval " + question.approvalId() + ", open until 20";
        assertTrue(reason.contains(named), reason);
        assertNamesWhoMayAnswer(runId, question, reason);
        gateway.cancel(runId);
        assertEquals(RunState.CANCELLED, gateway.ended(runId).state());
        assertEquals(
                ApprovalRow.State.WITHDRAWN,
                around.journal().approval(question.approvalId()).orElseThrow().state());
        assertEquals(Outcome.CANCELLED, output(runId).outcome());
        assertEquals(0, tool.calls().size());
    }

    /** A worker that does not learn that its run ended must not keep the session for it. */
    @Test
    void sessionIsFreeAfterAnErrorRightAfterTheEndOfAWaitingRun() {
        String runId = asking();
        people.waiting(runId);
        gateway.close();
        AtomicInteger ends = new AtomicInteger();
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real ->
                                        WatchedJournal.of(
                                                real, call -> errorAfterTheEnd(call, ends)),
                                access)
                        .awaitReady();
        Submission second = gateway.submit("next");
        assertEquals(RunState.ACCEPTED, around.journal().run(second.runId()).orElseThrow().state());
        gateway.cancel(runId);
        assertEquals(RunState.CANCELLED, gateway.ended(runId).state());
        assertEquals(RunState.SUCCEEDED, gateway.ended(second.runId()).state());
        assertEquals(1, ends.get());
    }

    private static Object errorAfterTheEnd(WatchedJournal.Call call, AtomicInteger ends)
            throws Throwable {
        Object result = call.proceed();
        boolean ended =
                call.unit().stream()
                        .flatMap(unit -> unit.operations().stream())
                        .anyMatch(
                                one ->
                                        one instanceof Operation.MoveRun move
                                                && move.to() == RunState.CANCELLED);
        if (ended && ends.incrementAndGet() == 1) {
            throw new OutOfMemoryError("made up");
        }
        return result;
    }

    /** The run is cancelled after the no and before the model was told of it. */
    @Test
    void cancellingAfterTheNoLeavesATapeThatCanBeRead() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        gateway.close();
        people.no(question, "user:ann", "not today");
        gateway.cancel(runId);
        AtomicInteger looks = new AtomicInteger();
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real ->
                                        WatchedJournal.of(
                                                real, call -> untilCancelled(call, runId, looks)),
                                access)
                        .awaitReady();
        assertEquals(RunState.CANCELLED, gateway.ended(runId).state());
        assertEquals(Outcome.DENIED, output(runId).outcome());
        RunHistory history = new RunHistory();
        for (TapeRecord record : around.journal().tape(runId, 0, 1_000)) {
            history.apply(record.seq(), record.timeMillis(), TapeCodec.event(record));
        }
        assertEquals(RunState.CANCELLED, history.state());
    }

    /** The run's worker reads its tape once the dispatcher has come to the command twice. */
    private static Object untilCancelled(
            WatchedJournal.Call call, String runId, AtomicInteger looks) throws Throwable {
        boolean worker = Thread.currentThread().getName().equals("palyra-run-" + runId);
        if (worker && call.of("tape")) {
            Await.until("the command", () -> looks.get() >= 2);
        }
        Object result = call.proceed();
        if (!worker && call.of("run") && runId.equals(call.arguments()[0])) {
            looks.incrementAndGet();
        }
        return result;
    }
}

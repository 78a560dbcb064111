package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.tape.TapeEvent;
import palyra.testing.wait.Await;

/** Runs that wait for an approval: what they hold, and what wakes them. */
class ApprovalWaitTest extends ApprovalFixture {
    @Test
    void waitingCallsHoldUpNothingAndResultsKeepTheOrderOfProposals() {
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", READS, "{\"n\":1}")),
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":2}")),
                new ModelEvent.Proposed(new ToolProposal("", READS, "{\"n\":3}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        reads.holding();
        String runId = gateway.submit("go").runId();
        Await.until("both reads to run at once", () -> reads.calls().size() == 2);
        assertEquals(1, people.open(runId).size(), "the question is asked meanwhile");
        reads.release();
        people.yes(people.waiting(runId).get(0), Answers.Yes.once());
        gateway.ended(runId);
        List<String> told =
                model.requests().get(1).messages().stream()
                        .filter(ModelMessage.ToolOutput.class::isInstance)
                        .map(m -> ((ModelMessage.ToolOutput) m).callId())
                        .toList();
        assertEquals(
                gateway.records(runId, TapeEvent.ToolCallProposal.class).stream()
                        .map(TapeEvent.ToolCallProposal::callId)
                        .toList(),
                told);
        assertEquals(
                List.of(READS, READS, ASKS),
                gateway.records(runId, TapeEvent.ToolStarted.class).stream()
                        .map(TapeEvent.ToolStarted::tool)
                        .toList());
    }

    @Test
    void anAnswerThatComesWhileOthersStillRunIsNotLost() {
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", READS, "{\"n\":1}")),
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":2}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        reads.holding();
        String runId = gateway.submit("go").runId();
        ApprovalRow question = people.asked(runId);
        Await.until("the read to run", () -> reads.calls().size() == 1);
        people.yes(question, Answers.Yes.once());
        reads.release();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(1, tool.calls().size());
        assertFalse(
                gateway.records(runId, TapeEvent.RunStateChanged.class).stream()
                        .anyMatch(s -> s.state() == RunState.AWAITING_APPROVAL),
                "the run never had to wait");
    }

    @Test
    void aWaitingRunHoldsNoWorkerAndKeepsItsSession() {
        String runId = asking();
        people.waiting(runId);
        Await.until("no worker", () -> gateway.host.activeRuns() == 0);
        Submission second = gateway.submit("next");
        assertEquals(RunState.ACCEPTED, around.journal().run(second.runId()).orElseThrow().state());
        long started = gateway.host.startedRuns();
        model.answer("second");
        people.yes(people.open(runId).get(0), Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(RunState.SUCCEEDED, gateway.ended(second.runId()).state());
        assertEquals(started + 2, gateway.host.startedRuns(), "one worker each, none in vain");
    }

    @Test
    void aSwapOfTheGatewayDuringTheWaitLosesNothing() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        gateway.close();
        people.yes(question, Answers.Yes.once());
        gateway = gateway("boot/2");
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(1, tool.calls().size());
    }

    @Test
    void waitingRunsCostNothingAtTheStartAndKeepTheirSessions() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        long epoch = around.journal().run(runId).orElseThrow().epoch();
        gateway.close();
        gateway = gateway("boot/2");
        Submission second = gateway.submit("next");
        assertEquals(0, gateway.host.startedRuns(), "nobody looks at what nobody answered");
        assertEquals(epoch, around.journal().run(runId).orElseThrow().epoch());
        assertEquals(RunState.ACCEPTED, around.journal().run(second.runId()).orElseThrow().state());
        gateway.close();
        gateway = gateway("boot/3");
        assertEquals(0, gateway.host.startedRuns(), "a queued run behind it is left alone");
        model.answer("second");
        people.yes(question, Answers.Yes.once());
        gateway.ended(runId);
        assertEquals(RunState.SUCCEEDED, gateway.ended(second.runId()).state());
    }

    @Test
    void aYesBetweenTheLookAtTheTapeAndTheMoveToWaitingIsNotLost() {
        gateway.close();
        AtomicReference<String> moving = new AtomicReference<>("");
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/2",
                                real ->
                                        WatchedJournal.before(
                                                real, unit -> answerBefore(unit, moving)),
                                access)
                        .awaitReady();
        String runId = asking();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(runId, moving.get(), "the answer came at that very moment");
        assertEquals(1, tool.calls().size());
    }

    private void answerBefore(Unit unit, AtomicReference<String> moving) {
        for (Operation operation : unit.operations()) {
            if (operation instanceof Operation.MoveRun move
                    && move.to() == RunState.AWAITING_APPROVAL
                    && moving.compareAndSet("", move.runId())) {
                people.yes(people.open(move.runId()).get(0), Answers.Yes.once());
            }
        }
    }

    @Test
    void anAnswerThatIsKnownAlreadyWakesTheRunOnceAndNotForEver() {
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":1}")),
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":2}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        String runId = gateway.submit("go").runId();
        List<ApprovalRow> open = people.waiting(runId);
        people.no(open.get(0), "user:boss", "no");
        Await.until(
                "the run to wait for the other one alone",
                Duration.ofSeconds(30),
                () ->
                        gateway.records(runId, TapeEvent.RunStateChanged.class).stream()
                                        .filter(s -> s.state() == RunState.AWAITING_APPROVAL)
                                        .count()
                                == 2);
        people.waiting(runId);
        Await.until(
                "nobody to have to look",
                Duration.ofSeconds(30),
                () -> around.journal().answeredRuns("", 10).isEmpty());
        people.yes(people.open(runId).get(0), Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(1, tool.calls().size());
    }

    @Test
    void manyWaitingSessionsLeaveRoomForOthers() {
        int waiting = LightGateway.settings().maxActiveRuns() + 4;
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            model.propose(ASKS, "{\"n\":" + i + "}");
            String runId = gateway.submit(Wanted.saying("go").in("s" + i).message()).runId();
            runs.add(runId);
            people.waiting(runId);
        }
        model.answer("there is room");
        String other = gateway.submit(Wanted.saying("hi").in("free").message()).runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(other).state());
        for (int i = 0; i < waiting; i++) {
            model.answer("done");
        }
        runs.forEach(run -> people.yes(people.open(run).get(0), Answers.Yes.once()));
        for (String run : runs) {
            assertEquals(RunState.SUCCEEDED, gateway.ended(run).state());
        }
        assertEquals(waiting, tool.calls().size());
    }
}

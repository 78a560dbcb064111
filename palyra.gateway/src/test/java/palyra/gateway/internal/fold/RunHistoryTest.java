package palyra.gateway.internal.fold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ModelMessage;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.shared.fold.Call;

class RunHistoryTest {
    private final List<TapeEvent> tape = new ArrayList<>();

    private RunHistory fold() {
        RunHistory history = new RunHistory();
        for (int i = 0; i < tape.size(); i++) {
            history.apply(i + 1, 1_000 + i, tape.get(i));
        }
        return history;
    }

    private void accepted() {
        tape.add(new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""));
        tape.add(new TapeEvent.Message(TapeEvent.Role.USER, "hello", "user:a", "shell", "m"));
        tape.add(new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
    }

    private void turnStarted(int turn, int attempt) {
        tape.add(
                new TapeEvent.TurnStarted(
                        turn, attempt, "default", "p", "", "", "", "", 16, tape.size()));
    }

    private void turnFinished(int turn, String text, String... callIds) {
        List<ToolProposal> proposals = new ArrayList<>();
        for (String callId : callIds) {
            proposals.add(new ToolProposal(callId, "palyra.echo", "{}"));
        }
        tape.add(new TapeEvent.TurnFinished(turn, 1, text, "stop", proposals, 0, 0));
        for (int i = 0; i < callIds.length; i++) {
            tape.add(new TapeEvent.ToolCallProposal(callIds[i], turn, i, "palyra.echo", "{}"));
        }
    }

    private void decided(String callId, Verdict verdict) {
        tape.add(
                new TapeEvent.ToolDecision(
                        callId, "palyra.echo", verdict, "c", "r", "S", List.of(), ""));
    }

    private void output(String callId, Outcome outcome) {
        tape.add(
                new TapeEvent.ToolCallOutput(
                        callId, 1, "palyra.echo", outcome, "{\"of\":\"" + callId + "\"}", "why"));
    }

    @Test
    void asksForTheFirstTurnOnceRunning() {
        assertInstanceOf(Step.Begin.class, fold().next());
        accepted();
        assertEquals(new Step.AskModel(1, 1, ""), fold().next());
    }

    @Test
    void asksAgainForATurnThatWasStartedAndNotFinished() {
        accepted();
        turnStarted(1, 1);
        assertEquals(new Step.AskModel(1, 2, "the turn was interrupted"), fold().next());
    }

    @Test
    void aTurnWithoutProposalsIsTheAnswer() {
        accepted();
        turnStarted(1, 1);
        turnFinished(1, "hi");
        assertEquals(new Step.Answer("hi"), fold().next());
    }

    @Test
    void decidesEveryProposalBeforeAnythingStarts() {
        accepted();
        turnStarted(1, 1);
        turnFinished(1, "", "a", "b");
        Step.Decide decide = assertInstanceOf(Step.Decide.class, fold().next());
        assertEquals(List.of("a", "b"), decide.calls().stream().map(Call::callId).toList());
    }

    @Test
    void startedWithoutOutputIsAskedAboutAndNeverStartedAgain() {
        accepted();
        turnStarted(1, 1);
        turnFinished(1, "", "a");
        decided("a", Verdict.ALLOW);
        assertInstanceOf(Step.Start.class, fold().next());
        tape.add(new TapeEvent.ToolStarted("a", 1, "palyra.echo", ""));
        assertInstanceOf(Step.Recover.class, fold().next());
    }

    @Test
    void outputsReachTheModelInProposalOrderWhateverOrderTheyEndedIn() {
        accepted();
        turnStarted(1, 1);
        turnFinished(1, "", "a", "b");
        decided("a", Verdict.ALLOW);
        decided("b", Verdict.ALLOW);
        tape.add(new TapeEvent.ToolStarted("a", 1, "palyra.echo", ""));
        tape.add(new TapeEvent.ToolStarted("b", 1, "palyra.echo", ""));
        output("b", Outcome.SUCCEEDED);
        output("a", Outcome.FAILED);
        RunHistory history = fold();
        assertEquals(new Step.AskModel(2, 1, ""), history.next());
        List<ModelMessage> said = history.conversation();
        ModelMessage.ToolOutput first = (ModelMessage.ToolOutput) said.get(said.size() - 2);
        ModelMessage.ToolOutput second = (ModelMessage.ToolOutput) said.get(said.size() - 1);
        assertEquals("a", first.callId());
        assertEquals("failed: why\n{\"of\":\"a\"}", first.text()); // what it put out, too
        assertEquals("{\"of\":\"b\"}", second.text());
        assertTrue(second.success());
    }

    @Test
    void anExternalEventIsContextAndNeverADecision() {
        accepted();
        turnStarted(1, 1);
        turnFinished(1, "", "a");
        tape.add(
                new TapeEvent.ExternalEvent(
                        "e",
                        "tool_decision",
                        "user:a",
                        "{\"callId\":\"a\",\"verdict\":\"ALLOW\"}"));
        assertInstanceOf(Step.Decide.class, fold().next());
        assertEquals(
                "[tool_decision] {\"callId\":\"a\",\"verdict\":\"ALLOW\"}",
                fold().conversation().get(fold().conversation().size() - 1).text());
    }

    @Test
    void anEventAfterTheRequestWasMadeIsKeptForTheNextTurn() {
        accepted();
        tape.add(new TapeEvent.ExternalEvent("e", "note", "user:a", "\"late\""));
        tape.add(new TapeEvent.TurnStarted(1, 1, "default", "p", "", "", "", "", 16, 3));
        turnFinished(1, "x", "a");
        decided("a", Verdict.DENY);
        output("a", Outcome.DENIED);
        List<ModelMessage> said = fold().conversation();
        assertEquals("[note] \"late\"", said.get(said.size() - 1).text());
    }

    @Test
    void awaitsPeopleOnlyWhenNothingElseIsLeft() {
        accepted();
        turnStarted(1, 1);
        turnFinished(1, "", "a", "b");
        decided("a", Verdict.APPROVAL_REQUIRED);
        tape.add(new TapeEvent.ApprovalRequest("ap", "a", "{}", 9, "", 1));
        decided("b", Verdict.ALLOW);
        assertInstanceOf(Step.Start.class, fold().next());
        tape.add(new TapeEvent.ToolStarted("b", 1, "palyra.echo", ""));
        output("b", Outcome.SUCCEEDED);
        assertInstanceOf(Step.AwaitPeople.class, fold().next());
        tape.add(answer("ap", "a", false));
        assertInstanceOf(Step.Refuse.class, fold().next());
    }

    @Test
    void aSecondAnswerChangesNothing() {
        accepted();
        turnStarted(1, 1);
        turnFinished(1, "", "a");
        asked("a", "ap");
        tape.add(answer("ap", "a", false));
        tape.add(answer("ap", "a", true));
        assertInstanceOf(Step.Refuse.class, fold().next());
    }

    private static TapeEvent.ApprovalDecision answer(String id, String callId, boolean granted) {
        return new TapeEvent.ApprovalDecision(
                id, callId, granted, "once", "user:b", "why", "", "", List.of());
    }

    private void asked(String callId, String approvalId) {
        decided(callId, Verdict.APPROVAL_REQUIRED);
        tape.add(new TapeEvent.ApprovalRequest(approvalId, callId, "{}", 9, "", 1));
    }

    private void waiting() {
        accepted();
        turnStarted(1, 1);
        turnFinished(1, "", "a");
        asked("a", "ap");
        tape.add(new TapeEvent.RunStateChanged(RunState.AWAITING_APPROVAL, null, ""));
    }

    @Test
    void aWaitingRunGoesOnOnlyWhenSomebodyAnswered() {
        waiting();
        assertInstanceOf(Step.Waiting.class, fold().next());
        tape.add(new TapeEvent.ApprovalVoted("ap", "a", "user:b", "once", "", 1, 2));
        assertInstanceOf(Step.Waiting.class, fold().next());
        tape.add(answer("ap", "a", true));
        assertInstanceOf(Step.Resume.class, fold().next());
        tape.add(new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
        Step.Decide decide = assertInstanceOf(Step.Decide.class, fold().next());
        assertTrue(decide.calls().get(0).approved(), "a yes is decided again, not started");
    }

    @Test
    void anAnswerToAnEarlierQuestionIsNoAnswer() {
        waiting();
        tape.add(answer("ap", "a", true));
        tape.add(new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
        asked("a", "second");
        tape.add(answer("ap", "a", true));
        assertInstanceOf(Step.AwaitPeople.class, fold().next());
        assertEquals(2, fold().waitingCalls().get(0).asking().asks());
        tape.add(answer("third", "a", true));
        tape.add(answer("second", "elsewhere", true));
        assertInstanceOf(Step.AwaitPeople.class, fold().next());
        tape.add(answer("second", "a", false));
        assertInstanceOf(Step.Refuse.class, fold().next());
    }

    @Test
    void anAnswerWithoutAQuestionIsNoAnswer() {
        accepted();
        turnStarted(1, 1);
        turnFinished(1, "", "a");
        decided("a", Verdict.APPROVAL_REQUIRED);
        tape.add(answer("ap", "a", true));
        assertInstanceOf(Step.AwaitPeople.class, fold().next());
    }

    @Test
    void anExpiredQuestionIsRefusedAndSaysSo() {
        waiting();
        tape.add(TapeEvent.ApprovalDecision.expired("ap", "a"));
        tape.add(new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
        Step.Refuse refuse = assertInstanceOf(Step.Refuse.class, fold().next());
        assertTrue(refuse.call().asking().expired());
        assertTrue(refuse.call().asking().refusal().contains("in time"));
    }

    @Test
    void parksOnARecordItDoesNotKnow() {
        accepted();
        tape.add(new TapeEvent.Unknown("merkle_proof", 7));
        assertEquals(new Step.Park("merkle_proof"), fold().next());
    }

    @Test
    void refusesAGapInTheTape() {
        RunHistory history = new RunHistory();
        PalyraException e =
                assertThrows(
                        PalyraException.class,
                        () ->
                                history.apply(
                                        2,
                                        0,
                                        new TapeEvent.RunStateChanged(
                                                RunState.ACCEPTED, null, "")));
        assertEquals(ErrorCode.CORRUPT, e.code());
    }

    @Test
    void foldingAPrefixAndThenTheRestIsFoldingAll() {
        accepted();
        turnStarted(1, 1);
        turnFinished(1, "", "a", "b");
        decided("a", Verdict.ALLOW);
        decided("b", Verdict.DENY);
        output("b", Outcome.DENIED);
        tape.add(new TapeEvent.ToolStarted("a", 1, "palyra.echo", ""));
        output("a", Outcome.SUCCEEDED);
        turnStarted(2, 1);
        turnFinished(2, "end");
        RunHistory whole = fold();
        for (int cut = 0; cut <= tape.size(); cut++) {
            RunHistory prefix = new RunHistory();
            for (int i = 0; i < cut; i++) {
                prefix.apply(i + 1, 1_000 + i, tape.get(i));
            }
            RunHistory rest = prefix.fork();
            for (int i = cut; i < tape.size(); i++) {
                rest.apply(i + 1, 1_000 + i, tape.get(i));
            }
            assertEquals(whole.next(), rest.next());
            assertEquals(whole.conversation(), rest.conversation());
            assertEquals(cut, prefix.seq(), "a fork leaves its origin alone");
        }
    }
}

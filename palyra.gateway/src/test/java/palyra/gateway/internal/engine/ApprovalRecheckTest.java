package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.approval.GrantShape;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.WorkspaceState;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.ToolExamination;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.gateway.internal.engine.tool.ToolDecider;
import palyra.testing.wait.Await;

/**
 * A call that was approved is checked again before its start, and its approval is requested again
 * when policy, facts or workspace changed.
 */
class ApprovalRecheckTest extends ApprovalFixture {
    @Test
    void aStricterPolicyBetweenYesAndStartDenies() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        access.deniesAll = true;
        people.yes(question, Answers.Yes.once());
        gateway.ended(runId);
        assertEquals(Verdict.DENY, lastDecision(runId).verdict());
        assertEquals("policy_changed", lastDecision(runId).reasonCode());
        assertEquals(Outcome.DENIED, output(runId).outcome());
        assertEquals(0, tool.calls().size());
    }

    @Test
    void aPolicyThatNowWantsMorePeopleAsksAgain() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        access.terms = PeopleAccess.terms(2);
        people.yes(question, Answers.Yes.once());
        ApprovalRow again =
                Await.value(
                        "a second question",
                        () ->
                                people.open(runId).stream()
                                        .filter(q -> !q.approvalId().equals(question.approvalId()))
                                        .findFirst());
        assertEquals(2, Answers.question(again).ask());
        assertEquals(2, again.quorum());
        people.waiting(runId);
        people.vote(
                again,
                new Answers.Yes("user:one", Answers.Yes.once().scope(), GrantShape.EXACT, 1));
        people.yes(again, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(List.of("user:one", "user:boss"), lastDecision(runId).approvedBy());
        assertEquals(1, tool.calls().size());
    }

    @Test
    void anotherSandboxThanThePersonWasShownAsksAgain() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        access.confinement = new Confinement(Confinement.Tier.B, Confinement.Egress.NONE);
        people.yes(question, Answers.Yes.once());
        ApprovalRow again =
                Await.value("a second question", () -> people.open(runId).stream().findFirst());
        assertNotEquals(
                Answers.question(question).call().bindingSha256(),
                Answers.question(again).call().bindingSha256());
        people.no(again, "user:boss", "");
        gateway.ended(runId);
        assertEquals(0, tool.calls().size());
    }

    @Test
    void factsThatChangeAskAgainAndNotForEver() {
        model.propose(ASKS_TOO, "{}").answer("done");
        String runId = gateway.submit("go").runId();
        for (int i = 1; i <= ToolDecider.MOST_ASKS; i++) {
            ApprovalRow question = people.asked(runId);
            assertEquals(i, Answers.question(question).ask());
            confined.finding(
                    ToolExamination.facts(
                            new CallFacts(
                                    "/usr/bin/git" + i,
                                    "",
                                    Set.of(),
                                    0,
                                    Set.of(),
                                    Set.of(),
                                    Set.of(),
                                    Set.of(),
                                    Set.of(),
                                    Set.of())));
            people.yes(question, Answers.Yes.once());
        }
        gateway.ended(runId);
        assertEquals("policy_changed", lastDecision(runId).reasonCode());
        assertEquals(0, confined.orders().size());
    }

    private static ToolExamination inWorkspace(String state, String note, String... running) {
        CallDescription said = new CallDescription("make", List.of("make"), "", Optional.empty());
        return ToolExamination.facts(
                GIT.in(new WorkspaceState(state.repeat(64), 3, Set.of(running))),
                note.isEmpty() ? said : said.with(List.of(note)));
    }

    private ApprovalRow askedInWorkspace() {
        confined.finding(inWorkspace("a", ""));
        model.propose(ASKS_TOO, "{}").answer("done");
        return people.asked(gateway.submit("go").runId());
    }

    @Test
    void aYesForOneCallRunsInTheWorkspaceThatWasShown() {
        ApprovalRow question = askedInWorkspace();
        assertEquals("a".repeat(64), Answers.question(question).call().workspaceSha256());
        people.yes(question, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(question.runId()).state());
        assertEquals(1, confined.orders().size());
    }

    @Test
    void filesThatChangeBetweenQuestionAndStartAskAgainAndNameTheDifference() {
        ApprovalRow question = askedInWorkspace();
        confined.finding(inWorkspace("b", "changed: Makefile"));
        people.yes(question, Answers.Yes.once());
        ApprovalRow again = people.asked(question.runId());
        assertEquals(2, Answers.question(again).ask());
        String text = Answers.question(again).prompt().summary();
        assertTrue(text.contains("\"changed: Makefile\""), text);
        assertEquals(0, confined.orders().size());
        people.yes(again, Answers.Yes.once());
        gateway.ended(question.runId());
        assertEquals(1, confined.orders().size());
    }

    @Test
    void whatBeganToRunInTheWorkspaceAfterTheQuestionAsksAgain() {
        ApprovalRow question = askedInWorkspace();
        confined.finding(inWorkspace("a", "running: p-1 make watch", "p-1"));
        people.yes(question, Answers.Yes.once());
        ApprovalRow again = people.asked(question.runId());
        assertEquals(List.of("p-1"), Answers.question(again).call().running());
        confined.finding(inWorkspace("a", "")); // it ended, and can change nothing any more
        people.yes(again, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(question.runId()).state());
        assertEquals(1, confined.orders().size());
    }

    @Test
    void aGrantForLongerCoversWhateverTheWorkspaceHoldsAndSaysSo() {
        ApprovalRow question = askedInWorkspace();
        String options = Answers.question(question).prompt().options().toString();
        assertTrue(options.contains("with any files that the workspace then holds"), options);
        assertTrue(options.contains("you are asked again"), options);
        people.yes(question, Answers.Yes.session());
        gateway.ended(question.runId());
        confined.finding(inWorkspace("b", ""));
        model.propose(ASKS_TOO, "{}").answer("done");
        String second = gateway.ended(gateway.submit("go").runId()).runId();
        assertEquals(List.of(Verdict.ALLOW), verdicts(second));
        assertEquals(2, confined.orders().size());
    }
}

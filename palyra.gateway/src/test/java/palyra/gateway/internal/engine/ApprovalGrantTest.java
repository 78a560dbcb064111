package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.approval.GrantShape;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.model.ModelEvent;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.ToolResult;

/** Grants: which calls an answer covers, and how often. */
class ApprovalGrantTest extends ApprovalFixture {
    @Test
    void aSessionGrantCoversEqualCallsOfTheSessionAndNoOthers() {
        String first = asking();
        people.yes(people.waiting(first).get(0), Answers.Yes.session());
        gateway.ended(first);
        String second = asking();
        assertEquals(RunState.SUCCEEDED, gateway.ended(second).state());
        assertEquals(List.of(Verdict.ALLOW), verdicts(second), "nobody was asked again");
        assertEquals(2, tool.calls().size());
        model.propose(ASKS, "{\"n\":2}").answer("done");
        String other = gateway.submit("do it").runId();
        people.no(people.waiting(other).get(0), "user:boss", "");
        gateway.ended(other);
        assertEquals(2, tool.calls().size(), "another input is another call");
    }

    @Test
    void aPatternGrantCoversWhatItsPatternCovers() {
        model.propose(ASKS_TOO, "{\"a\":1}").answer("done");
        String first = gateway.submit("go").runId();
        people.yes(people.waiting(first).get(0), Answers.Yes.session().shaped(GrantShape.PATTERN));
        gateway.ended(first);
        model.propose(ASKS_TOO, "{\"a\":2}").answer("done");
        String second = gateway.ended(gateway.submit("go").runId()).runId();
        assertEquals(List.of(Verdict.ALLOW), verdicts(second));
        confined.finding(git("status", "--ext-diff"));
        model.propose(ASKS_TOO, "{\"a\":3}").answer("done");
        String third = gateway.submit("go").runId();
        people.no(people.waiting(third).get(0), "user:boss", "");
        gateway.ended(third);
        confined.finding(git("push"));
        model.propose(ASKS_TOO, "{\"a\":4}").answer("done");
        String fourth = gateway.submit("go").runId();
        people.no(people.waiting(fourth).get(0), "user:boss", "");
        gateway.ended(fourth);
        assertEquals(2, confined.orders().size());
    }

    @Test
    void aRevokedGrantIsNotUsed() {
        String first = asking();
        String grant = people.yes(people.waiting(first).get(0), Answers.Yes.session());
        gateway.ended(first);
        people.revoke(grant);
        String second = asking();
        people.no(people.waiting(second).get(0), "user:boss", "");
        gateway.ended(second);
        assertEquals(1, tool.calls().size());
    }

    @Test
    void twoCallsRaceForTheLastUseOfAGrantAndOneAsks() {
        String first = asking();
        people.yes(people.waiting(first).get(0), Answers.Yes.session().times(2));
        gateway.ended(first);
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":1}")),
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":1}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        String second = gateway.submit("both").runId();
        List<ApprovalRow> open = people.waiting(second);
        assertEquals(1, open.size());
        assertEquals(2, tool.calls().size());
        people.no(open.get(0), "user:boss", "");
        gateway.ended(second);
        assertEquals(2, tool.calls().size());
    }

    @Test
    void aCallAllowedUnderAGrantIsDecidedAgainRightBeforeItsStart() {
        String first = asking();
        people.yes(people.waiting(first).get(0), Answers.Yes.session());
        gateway.ended(first);
        model.turn(
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":1}")),
                new ModelEvent.Proposed(new ToolProposal("", ASKS, "{\"n\":1}")),
                new ModelEvent.Finished("tool_calls", 1, 1));
        model.answer("done");
        tool.doing(
                invocation -> {
                    access.deniesAll = true; // while the first of the two runs
                    return ToolResult.of("{}");
                });
        String second = gateway.ended(gateway.submit("both").runId()).runId();
        assertEquals(List.of(Verdict.ALLOW, Verdict.ALLOW, Verdict.DENY), verdicts(second));
        assertEquals("policy_changed", lastDecision(second).reasonCode());
        assertEquals(2, tool.calls().size(), "one of each run");
    }
}

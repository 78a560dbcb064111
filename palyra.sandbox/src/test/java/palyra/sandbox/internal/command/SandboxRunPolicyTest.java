package palyra.sandbox.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.testing.command.FakeCommandContext;

/** Who keeps a command from running: policy, approvals, guards. */
@Timeout(300)
class SandboxRunPolicyTest extends SandboxCommandsFixture {
    @Test
    void denialOfPolicyStartsNothing() throws Exception {
        desk.access.answering(question -> answer(Verdict.DENY, Confinement.STRICTEST));
        FakeCommandContext context = ran(ExitCodes.DENIED, line("echo", "x"));
        assertTrue(said(context).contains("The policy says DENY."));
        assertEquals(0, starts());
        JsonNode refused = event(RunRecords.REFUSED);
        assertEquals("policy", refused.get("by").textValue());
        assertEquals("DENIED", refused.get("code").textValue());
        assertEquals("user:test", refused.get("principal").textValue());
        assertTrue(refused.get("reason").textValue().contains("The policy says DENY."));
        assertEquals(0, journal.events(RunRecords.STARTED).size());
    }

    @Test
    void absentPolicyStartsNothing() throws Exception {
        desk.accessGate.remove(desk.policy);
        ran(ExitCodes.UNAVAILABLE, line("echo", "x"));
        assertEquals(0, starts());
        assertEquals("POLICY_UNAVAILABLE", event(RunRecords.REFUSED).get("code").textValue());
    }

    @Test
    void refusalStandsWithoutAJournalAndSaysThatItIsNotRecorded() throws Exception {
        journal.refuseUnits(ErrorCode.JOURNAL_UNAVAILABLE);
        desk.access.answering(question -> answer(Verdict.DENY, Confinement.STRICTEST));
        FakeCommandContext context = ran(ExitCodes.DENIED, line("echo", "x"));
        assertTrue(said(context).contains("The policy says DENY."), said(context));
        assertTrue(said(context).contains("could not be recorded"), said(context));
    }

    @Test
    void hostThatPolicyDeniesIsADenialAndNoFailureOfTheSandbox() throws Exception {
        desk.access.allowing(request -> !request.resource().equals("host:evil.test"));
        FakeCommandContext context =
                ran(ExitCodes.DENIED, line("echo", "x").option("allow", "evil.test").json());
        Map<String, Object> fields = context.output().fieldSets().get(0);
        assertEquals("POLICY_DENIED", fields.get("outcome"));
        assertTrue(fields.get("problem").toString().contains("evil.test"));
        assertEquals(0, starts());
        assertTrue(event(RunRecords.FINISHED).get("error").textValue().contains("evil.test"));
        assertEquals(0, journal.events(RunRecords.REFUSED).size());
    }

    @Test
    void approvalThatTheOperatorMayGiveIsGivenByTheCommand() throws Exception {
        desk.access.answering(
                question ->
                        answer(
                                question.situation().approved()
                                        ? Verdict.ALLOW
                                        : Verdict.APPROVAL_REQUIRED,
                                Confinement.STRICTEST));
        ran(0, line("echo", "x"));
        assertEquals(
                Set.of("user:test"), desk.access.toolRequests().get(1).situation().approvedBy());
        assertEquals("user:test", event(RunRecords.STARTED).get("approvedBy").get(0).textValue());
    }

    @Test
    void approvalThatNeedsOthersStartsNothing() throws Exception {
        List<ToolPolicyDecision> strict =
                List.of(
                        answer(
                                Verdict.APPROVAL_REQUIRED,
                                Confinement.STRICTEST,
                                Set.of("group:operator"),
                                false,
                                2),
                        answer(
                                Verdict.APPROVAL_REQUIRED,
                                Confinement.STRICTEST,
                                Set.of("group:operator"),
                                true,
                                1),
                        answer(
                                Verdict.APPROVAL_REQUIRED,
                                Confinement.STRICTEST,
                                Set.of("user:boss"),
                                false,
                                1));
        for (ToolPolicyDecision answer : strict) {
            desk.access.answering(question -> answer);
            ran(ExitCodes.DENIED, line("echo", "x"));
        }
        assertEquals(0, starts());
    }

    @Test
    void operatorWithoutTheGroupGivesNoApproval() throws Exception {
        desk.access.answering(question -> answer(Verdict.APPROVAL_REQUIRED, Confinement.STRICTEST));
        Principal viewer =
                new Principal("user:v", PrincipalKind.USER, Set.of("viewer"), Set.of(), "t");
        ran(ExitCodes.DENIED, line("echo", "x").principal(viewer));
        assertEquals(0, starts());
    }

    @Test
    void lessThanPolicyWantsIsRefusedAndMoreIsTaken() throws Exception {
        ran(ExitCodes.DENIED, line("echo", "x").option("tier", "b"));
        ran(ExitCodes.DENIED, line("echo", "x").option("egress", "none"));
        assertEquals(0, starts());
        assertEquals(2, journal.events(RunRecords.REFUSED).size());
        desk.access.answering(
                question -> answer(Verdict.ALLOW, new Confinement(Tier.A, Egress.NONE)));
        ran(0, line("echo", "x").option("tier", "b").option("egress", "strict"));
        assertEquals(1, desk.tierB.starts.get());
        ran(0, line("echo", "x").option("tier", "c").option("egress", "none"));
        assertEquals(1, desk.tierC.starts.get());
    }

    @Test
    void guardRefusesBeforeAnybodyIsAsked() throws Exception {
        FakeCommandContext context = ran(ExitCodes.DENIED, line("forbidden"));
        assertTrue(said(context).contains("sandbox.command_not_allowed"));
        assertEquals("guard", event(RunRecords.REFUSED).get("by").textValue());
        assertTrue(
                event(RunRecords.REFUSED)
                        .get("reason")
                        .textValue()
                        .contains("command_not_allowed"));
        assertEquals(0, desk.access.toolRequests().size());
        assertEquals(0, starts());
    }
}

package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelMessage;
import palyra.api.run.RunState;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeRecord;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.tape.TapeCodec;
import palyra.testing.wait.Await;

/** An approval request, from the proposal of the call to its effect. */
class ApprovalFlowTest extends ApprovalFixture {
    @Test
    void aCallWaitsForAPersonAndRunsAfterTheYes() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        assertEquals(0, tool.calls().size(), "nothing ran before the answer");
        String grant = people.yes(question, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(1, tool.calls().size());
        assertEquals(
                List.of(
                        "run_state",
                        "message",
                        "run_state",
                        "turn_started",
                        "turn_finished",
                        "tool_call_proposal",
                        "tool_decision",
                        "approval_request",
                        "run_state",
                        "approval_decision",
                        "run_state",
                        "tool_decision",
                        "tool_started",
                        "tool_call_output",
                        "tool_attestation",
                        "turn_started",
                        "model_token",
                        "turn_finished",
                        "message",
                        "run_state"),
                gateway.types(runId));
        TapeEvent.ToolDecision decision = lastDecision(runId);
        assertEquals(grant, decision.grantId());
        assertEquals(List.of("user:boss"), decision.approvedBy());
        assertEquals(grant, gateway.records(runId, TapeEvent.ToolStarted.class).get(0).grantId());
        GrantRow used = around.journal().grant(grant).orElseThrow();
        assertEquals(GrantRow.State.EXHAUSTED, used.state());
        assertTrue(around.opened.verifyStream(runId, () -> false).intact());
    }

    @Test
    void theQuestionSaysWhatWouldRunAndWhoMayAnswer() {
        model.propose(ASKS_TOO, "{\"command\":\"git\"}").answer("done");
        String runId = gateway.submit("do it").runId();
        ApprovalRequestBody question = Answers.question(people.waiting(runId).get(0));
        assertEquals("/usr/bin/git", question.call().executable());
        assertEquals(List.of("git", "status"), question.call().argv());
        assertEquals(List.of("group:approver"), question.terms().approvers());
        assertTrue(question.terms().others());
        assertEquals(List.of("ONCE", "SESSION", "TIMEBOXED"), question.terms().scopes());
        assertEquals("tool:" + ASKS_TOO, question.subjectId());
        assertEquals("operators read this", question.prompt().explanation());
        assertEquals(
                gateway.records(runId, TapeEvent.ApprovalRequest.class).get(0).bindingSha256(),
                question.call().bindingSha256());
        people.no(people.open(runId).get(0), "user:boss", "");
        gateway.ended(runId);
    }

    @Test
    void theQuestionNamesThePersonWhoseCredentialStartedTheRun() {
        model.propose(ASKS_TOO, "{\"command\":\"git\"}").answer("done");
        SubmittedMessage message = SubmittedMessage.of("shell", "do it");
        InboxRow brought =
                LightGateway.inbox(
                        message, SubmissionCodec.storedBytes(message, Set.of(), "service:bridge"));
        String runId = gateway.host.router().accept(brought, message, List.of()).runId();
        ApprovalRequestBody question = Answers.question(people.waiting(runId).get(0));
        assertEquals("service:bridge", question.origin().person());
        assertEquals(brought.principal(), question.origin().principal());
        people.no(people.open(runId).get(0), "user:boss", "");
        gateway.ended(runId);
    }

    @Test
    void aNoIsToldToTheModelWithItsReason() {
        String runId = asking();
        people.no(people.waiting(runId).get(0), "user:boss", "use the staging key");
        gateway.ended(runId);
        assertEquals(Outcome.DENIED, output(runId).outcome());
        List<ModelMessage> said = model.requests().get(1).messages();
        assertTrue(said.getLast().text().contains("use the staging key"), said.getLast().text());
        assertEquals(0, tool.calls().size());
        assertEquals(0, gateway.records(runId, TapeEvent.ToolStarted.class).size());
    }

    @Test
    void withoutAnAnswerInTimeItIsANo() {
        access.terms =
                new ApprovalTerms(
                        Set.of("group:approver"), true, 200, PeopleAccess.TERMS.scopes(), 1);
        String runId = asking();
        RunRow run = gateway.ended(runId);
        assertEquals(RunState.SUCCEEDED, run.state());
        TapeEvent.ApprovalDecision decision =
                gateway.records(runId, TapeEvent.ApprovalDecision.class).get(0);
        assertFalse(decision.granted());
        assertEquals("", decision.decidedBy());
        assertTrue(output(runId).error().contains("in time"), output(runId).error());
        assertEquals(0, tool.calls().size());
    }

    @Test
    void aForgedAnswerOnTheTapeWithoutAGrantRunsNothing() {
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        around.journal()
                .commit(
                        Unit.builder()
                                .add(
                                        new Operation.DecideApproval(
                                                question.approvalId(),
                                                ApprovalRow.State.GRANTED,
                                                "user:mallory"))
                                .add(
                                        TapeCodec.append(
                                                runId,
                                                new TapeEvent.ApprovalDecision(
                                                        question.approvalId(),
                                                        question.callId(),
                                                        true,
                                                        "once",
                                                        "user:mallory",
                                                        "",
                                                        "exact",
                                                        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                                                        List.of("user:mallory"))))
                                .build());
        ApprovalRow again = people.asked(runId);
        people.no(again, "user:boss", "");
        gateway.ended(runId);
        assertEquals(0, tool.calls().size());
    }

    @Test
    void countsQuestionsAndWaits() {
        String runId = asking();
        people.yes(people.waiting(runId).get(0), Answers.Yes.once());
        gateway.ended(runId);
        String metrics = gateway.services.approvals().metrics().toString();
        assertTrue(metrics.contains("palyra_approvals_asked_total"), metrics);
        assertEquals(
                1.0,
                gateway.services.approvals().metrics().stream()
                        .filter(m -> m.name().equals("palyra_approvals_ended_total"))
                        .filter(m -> m.labels().containsValue("granted"))
                        .findFirst()
                        .orElseThrow()
                        .value());
    }

    @Test
    void remindsThenEscalatesThenExpires() {
        access.terms =
                new ApprovalTerms(
                        Set.of("group:approver"),
                        true,
                        9_000,
                        PeopleAccess.TERMS.scopes(),
                        1,
                        9_000,
                        Set.of("user:chief"));
        String runId = asking();
        ApprovalRow question = people.waiting(runId).get(0);
        Await.until(
                "the question to end", Duration.ofSeconds(60), () -> people.open(runId).isEmpty());
        gateway.ended(runId);
        List<String> events =
                around.journal().tape("journal", 0, 1_000).stream()
                        .map(TapeRecord::type)
                        .filter(type -> type.startsWith("approval_"))
                        .toList();
        assertEquals(List.of("approval_reminded", "approval_escalated"), events);
        ApprovalRow after = around.journal().approval(question.approvalId()).orElseThrow();
        assertEquals(ApprovalRow.State.EXPIRED, after.state());
        assertEquals(2, after.notices());
        assertTrue(output(runId).error().contains("in time"));
    }
}

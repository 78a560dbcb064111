package palyra.transport.grpc.internal.service.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunEvent;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.transport.grpc.internal.wire.common.ApprovalDecisionScope;
import palyra.transport.grpc.internal.wire.common.JournalEvent;
import palyra.transport.grpc.internal.wire.common.JournalEvent.EventActor;
import palyra.transport.grpc.internal.wire.common.JournalEvent.EventKind;
import palyra.transport.grpc.internal.wire.common.ModelToken;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.StreamStatus.StatusKind;
import palyra.transport.grpc.internal.wire.common.ToolApprovalRequest;
import palyra.transport.grpc.internal.wire.common.ToolApprovalResponse;
import palyra.transport.grpc.internal.wire.common.ToolDecision;
import palyra.transport.grpc.internal.wire.common.ToolDecision.DecisionKind;

class RunEventMapperTest {
    private static final String RUN = "01JD3Z0000000000000000000A";
    private static final String SESSION = "01JD3Z0000000000000000000B";
    private static final String APPROVAL = "01JD3Z0000000000000000000C";
    private static final String CALL = RUN + ".2.0";
    private static final String PROPOSAL = ProposalIds.of(CALL);

    private final RunEventMapper wire =
            new RunEventMapper(
                    new StreamTarget(RUN, SESSION),
                    (call, seq) ->
                            Optional.of(
                                    new TapeEvent.ToolCallProposal(
                                            call, 2, 0, "process.run", "{\"argv\":[]}")));

    private RunStreamEvent one(TapeEvent event) {
        List<RunStreamEvent> messages = wire.messages(new RunEvent.Recorded(7, 1_234, event));
        assertEquals(1, messages.size());
        RunStreamEvent message = messages.getFirst();
        assertEquals(7, message.getSeq());
        assertEquals(1, message.getV());
        assertEquals(RUN, message.getRunId().getUlid());
        return message;
    }

    private JournalEvent record(TapeEvent event, String type) {
        RunStreamEvent message = one(event);
        assertTrue(message.hasJournalEvent());
        JournalEvent record = message.getJournalEvent();
        assertEquals(type, record.getRecordType());
        assertEquals(1_234, record.getTimestampUnixMs());
        assertEquals(RUN, record.getRunId().getUlid());
        assertEquals(SESSION, record.getSessionId().getUlid());
        assertEquals("", record.getHash());
        return record;
    }

    @Test
    void namesTheSessionOnceAtFirst() {
        TapeEvent state = new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, "");
        assertEquals(SESSION, one(state).getSessionId().getUlid());
        assertFalse(one(state).hasSessionId());
    }

    @Test
    void namesTheSessionWithTheFirstOfSeveralMessages() {
        List<RunStreamEvent> messages =
                wire.messages(
                        new RunEvent.Recorded(
                                9,
                                0,
                                new TapeEvent.TurnFinished(1, 1, "", "stop", List.of(), 1, 1)));
        assertEquals(SESSION, messages.get(0).getSessionId().getUlid());
        assertFalse(messages.get(1).hasSessionId());
    }

    @Test
    void isAsBeforeWhenAnEventCannotBeToldNow() {
        RunEventMapper failing =
                new RunEventMapper(
                        new StreamTarget(RUN, SESSION),
                        (call, seq) -> {
                            throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "Not now.");
                        });
        TapeEvent question = new TapeEvent.ApprovalRequest(APPROVAL, CALL, "{}", 9, "", 1);
        assertThrows(
                PalyraException.class,
                () -> failing.messages(new RunEvent.Recorded(5, 0, question)));
        RunStreamEvent first = failing.messages(text(0, "Hi")).getFirst();
        assertEquals(SESSION, first.getSessionId().getUlid());
    }

    @Test
    void tellsStates() {
        Map<RunState, StatusKind> kinds =
                Map.of(
                        RunState.ACCEPTED, StatusKind.STATUS_KIND_ACCEPTED,
                        RunState.RUNNING, StatusKind.STATUS_KIND_IN_PROGRESS,
                        RunState.AWAITING_APPROVAL, StatusKind.STATUS_KIND_AWAITING_APPROVAL,
                        RunState.QUARANTINED, StatusKind.STATUS_KIND_UNSPECIFIED,
                        RunState.SUCCEEDED, StatusKind.STATUS_KIND_DONE,
                        RunState.FAILED, StatusKind.STATUS_KIND_FAILED,
                        RunState.CANCELLED, StatusKind.STATUS_KIND_CANCELLED);
        for (RunState state : RunState.values()) {
            RunStreamEvent message = one(new TapeEvent.RunStateChanged(state, null, "so it is"));
            assertEquals(kinds.get(state), message.getStatus().getKind());
            assertEquals("so it is", message.getStatus().getMessage());
            assertEquals("", message.getStatus().getCode());
        }
        assertEquals(
                "MODEL_UNAVAILABLE",
                one(new TapeEvent.RunStateChanged(RunState.FAILED, ErrorCode.MODEL_UNAVAILABLE, ""))
                        .getStatus()
                        .getCode());
    }

    @Test
    void tellsRecordsWithoutAMessageOfTheirOwnAsEvents() {
        JournalEvent said =
                record(
                        new TapeEvent.Message(
                                TapeEvent.Role.USER, "Hi", "user:alice", "grpc", APPROVAL),
                        "message");
        assertEquals(EventActor.EVENT_ACTOR_USER, said.getActor());
        assertEquals(EventKind.EVENT_KIND_MESSAGE_RECEIVED, said.getKind());
        assertEquals(
                "{\"messageId\":\"01JD3Z0000000000000000000C\",\"principal\":\"user:alice\","
                        + "\"role\":\"USER\",\"surface\":\"grpc\",\"text\":\"Hi\"}",
                said.getPayloadJson().toStringUtf8());
        assertEquals(
                EventActor.EVENT_ACTOR_AGENT,
                record(
                                new TapeEvent.Message(
                                        TapeEvent.Role.AGENT, "Hello", "default", "grpc", ""),
                                "message")
                        .getActor());
        assertEquals(
                EventActor.EVENT_ACTOR_SYSTEM,
                record(
                                new TapeEvent.TurnStarted(
                                        1, 1, "default", "", "", "", "", "", 16, 0),
                                "turn_started")
                        .getActor());
        record(new TapeEvent.TurnRestarted(1, 2, "lost"), "turn_restarted");
        record(new TapeEvent.ToolStarted(CALL, 1, "process.run", "00"), "tool_started");
    }

    @Test
    void tellsEventsOfClients() {
        JournalEvent own =
                record(
                        new TapeEvent.ExternalEvent(APPROVAL, "note", "user:alice", "[1.0]"),
                        "external_event");
        assertEquals(APPROVAL, own.getEventId().getUlid());
        assertEquals("note", own.getEventKind());
        assertEquals(EventKind.EVENT_KIND_UNSPECIFIED, own.getKind());
        assertTrue(own.getPayloadJson().toStringUtf8().contains("\"contentJson\":\"[1.0]\""));
        assertEquals(
                EventKind.EVENT_KIND_TOOL_EXECUTED,
                record(
                                new TapeEvent.ExternalEvent(
                                        APPROVAL, "tool_executed", "user:alice", "1"),
                                "external_event")
                        .getKind());
    }

    @Test
    void tellsTheActorThatTheTapeKept() {
        assertEquals(EventActor.EVENT_ACTOR_PLUGIN, actor("plugin"));
        assertEquals(EventActor.EVENT_ACTOR_USER, actor("user"));
        assertEquals(EventActor.EVENT_ACTOR_UNSPECIFIED, actor(""));
    }

    private EventActor actor(String kept) {
        return record(
                        new TapeEvent.ExternalEvent(APPROVAL, "note", "user:alice", "1", kept),
                        "external_event")
                .getActor();
    }

    @Test
    void tellsRecordsThatItDoesNotKnowWithoutContent() {
        JournalEvent unknown =
                record(new TapeEvent.Unknown("from_the_future", 3), "from_the_future");
        assertTrue(unknown.getPayloadJson().isEmpty());
    }

    @Test
    void tellsWhatBecomesOfACall() {
        var proposal =
                one(new TapeEvent.ToolCallProposal(CALL, 2, 0, "palyra.echo", "{\"a\":1}"))
                        .getToolProposal();
        assertEquals(PROPOSAL, proposal.getProposalId().getUlid());
        assertEquals("palyra.echo", proposal.getToolName());
        assertEquals("{\"a\":1}", proposal.getInputJson().toStringUtf8());
        ToolDecision denied = decision(TapeEvent.Verdict.DENY, "BUILT_IN_RULES");
        assertEquals(DecisionKind.DECISION_KIND_DENY, denied.getKind());
        assertFalse(denied.getApprovalRequired() || denied.getPolicyEnforced());
        assertEquals("tool.x", denied.getReasonCode());
        assertEquals("because", denied.getReason());
        assertEquals(List.of("rule.1"), denied.getPolicyIdsList());
        ToolDecision allowed = decision(TapeEvent.Verdict.ALLOW, "POLICY");
        assertEquals(DecisionKind.DECISION_KIND_ALLOW, allowed.getKind());
        assertTrue(allowed.getPolicyEnforced());
        ToolDecision open = decision(TapeEvent.Verdict.APPROVAL_REQUIRED, "POLICY");
        assertEquals(DecisionKind.DECISION_KIND_UNSPECIFIED, open.getKind());
        assertTrue(open.getApprovalRequired());
    }

    private ToolDecision decision(TapeEvent.Verdict verdict, String source) {
        ToolDecision decision =
                one(new TapeEvent.ToolDecision(
                                CALL,
                                "palyra.echo",
                                verdict,
                                "tool.x",
                                "because",
                                source,
                                List.of("rule.1"),
                                "00"))
                        .getToolDecision();
        assertEquals(PROPOSAL, decision.getProposalId().getUlid());
        return decision;
    }

    @Test
    void tellsResultsAndAttestations() {
        for (TapeEvent.Outcome outcome : TapeEvent.Outcome.values()) {
            var result =
                    one(new TapeEvent.ToolCallOutput(CALL, 1, "palyra.echo", outcome, "{}", "hm"))
                            .getToolResult();
            assertEquals(PROPOSAL, result.getProposalId().getUlid());
            assertEquals(outcome == TapeEvent.Outcome.SUCCEEDED, result.getSuccess());
            assertEquals(outcome.name().toLowerCase(java.util.Locale.ROOT), result.getOutcome());
            assertEquals("{}", result.getOutputJson().toStringUtf8());
            assertEquals("hm", result.getError());
        }
        var attestation =
                one(new TapeEvent.ToolAttestation(
                                APPROVAL, CALL, "builtin", "none", 99, true, "p", "e", "x", "k",
                                "s"))
                        .getToolAttestation();
        assertEquals(PROPOSAL, attestation.getProposalId().getUlid());
        assertEquals(APPROVAL, attestation.getAttestationId().getUlid());
        assertEquals("x", attestation.getExecutionSha256());
        assertEquals(99, attestation.getExecutedAtUnixMs());
        assertTrue(attestation.getTimedOut());
        assertEquals("builtin", attestation.getExecutor());
        assertEquals("none", attestation.getSandboxEnforcement());
        assertEquals("k", attestation.getKeyId());
        assertEquals("s", attestation.getSignature());
    }

    @Test
    void tellsQuestionsAndAnswers() {
        ToolApprovalRequest request =
                one(new TapeEvent.ApprovalRequest(APPROVAL, CALL, "{\"q\":1}", 91_234, "", 1))
                        .getToolApprovalRequest();
        assertEquals(APPROVAL, request.getApprovalId().getUlid());
        assertEquals(PROPOSAL, request.getProposalId().getUlid());
        assertEquals("process.run", request.getToolName());
        assertEquals("{\"argv\":[]}", request.getInputJson().toStringUtf8());
        assertTrue(request.getApprovalRequired());
        assertEquals(90, request.getPrompt().getTimeoutSeconds());
        assertEquals("{\"q\":1}", request.getPrompt().getDetailsJson().toStringUtf8());
        ToolApprovalResponse yes = answer("timeboxed:5000");
        assertTrue(yes.getApproved());
        assertEquals(
                ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_TIMEBOXED, yes.getDecisionScope());
        assertEquals(5_000, yes.getDecisionScopeTtlMs());
        assertEquals("user:ann", yes.getDecidedBy());
        assertEquals(
                ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_ONCE,
                answer("once").getDecisionScope());
        assertEquals(
                ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_SESSION,
                answer("session").getDecisionScope());
        assertEquals(
                ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_UNSPECIFIED,
                answer("").getDecisionScope());
    }

    private ToolApprovalResponse answer(String scope) {
        return one(new TapeEvent.ApprovalDecision(
                        APPROVAL,
                        CALL,
                        true,
                        scope,
                        "user:ann",
                        "ok",
                        "pattern",
                        APPROVAL,
                        List.of("user:ann")))
                .getToolApprovalResponse();
    }

    private static RunEvent.Text text(long offset, String text) {
        return new RunEvent.Text(1, 2, false, offset, text);
    }

    @Test
    void tellsTextAsTokensWithoutASequenceNumber() {
        List<RunStreamEvent> messages = wire.messages(text(4, "Hello"));
        assertEquals(1, messages.size());
        assertEquals(0, messages.getFirst().getSeq());
        ModelToken token = messages.getFirst().getModelToken();
        assertEquals("Hello", token.getToken());
        assertEquals(1, token.getTurn());
        assertEquals(2, token.getAttempt());
        assertEquals(4, token.getOffset());
        assertFalse(token.getIsFinal() || token.getThought());
        assertTrue(
                wire.messages(new RunEvent.Text(1, 2, true, 0, "hm"))
                        .getFirst()
                        .getModelToken()
                        .getThought());
        RunStreamEvent dropped = wire.messages(new RunEvent.Dropped(1, "lost")).getFirst();
        assertEquals(1, dropped.getTurnRestarted().getTurn());
        assertEquals("lost", dropped.getTurnRestarted().getReason());
        assertEquals(0, dropped.getSeq());
        assertEquals(List.of(), wire.messages(new RunEvent.Ended(RunState.SUCCEEDED, "")));
    }

    @Test
    void endsATurnWithHalvesThatWaitedThenTheFinalTokenThenTheRecord() {
        wire.messages(text(0, "a\uD83D"));
        List<RunStreamEvent> messages =
                wire.messages(
                        new RunEvent.Recorded(
                                9,
                                0,
                                new TapeEvent.TurnFinished(
                                        1,
                                        2,
                                        "a\uFFFD",
                                        "stop",
                                        List.of(new ToolProposal(CALL, "palyra.echo", "{}")),
                                        1,
                                        1)));
        assertEquals(3, messages.size());
        assertEquals("\uFFFD", messages.get(0).getModelToken().getToken());
        assertTrue(messages.get(1).getModelToken().getIsFinal());
        assertEquals(2, messages.get(1).getModelToken().getOffset());
        assertEquals("turn_finished", messages.get(2).getJournalEvent().getRecordType());
        assertEquals(9, messages.get(2).getSeq());
    }

    @Test
    void tellsHalvesThatWaitedBeforeTheEnd() {
        wire.messages(text(0, "\uD83D"));
        List<RunStreamEvent> messages =
                wire.messages(
                        new RunEvent.Recorded(
                                9, 0, new TapeEvent.RunStateChanged(RunState.FAILED, null, "")));
        assertEquals(2, messages.size());
        assertTrue(messages.get(0).hasModelToken());
        assertEquals(StatusKind.STATUS_KIND_FAILED, messages.get(1).getStatus().getKind());
    }
}

package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.run.RunState;
import palyra.transport.grpc.internal.service.stream.ProposalIds;
import palyra.transport.grpc.internal.wire.common.ApprovalDecisionScope;
import palyra.transport.grpc.internal.wire.common.ApprovalGrantShape;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;
import palyra.transport.grpc.internal.wire.common.RunStreamRequest;
import palyra.transport.grpc.internal.wire.common.StreamStatus.StatusKind;
import palyra.transport.grpc.internal.wire.common.ToolApprovalRequest;
import palyra.transport.grpc.internal.wire.common.ToolApprovalResponse;

/** Answers to questions, on the stream of their run. */
class ApprovalAnswerTest {
    private static final long HOUR = 3_600_000;

    @TempDir Path state;
    private TestGateway gateway;
    private Client ann;
    private Client alice;
    private TapeRun run;
    private String callId;
    private String approvalId;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state);
        ann = gateway.client("user:ann", "operator");
        alice = gateway.client("user:alice", "integrator");
        run = new TapeRun(gateway.journal, "user:alice");
        callId = run.runId + ".1.0";
        approvalId = ask(callId, System.currentTimeMillis() + HOUR);
    }

    @AfterEach
    void close() {
        ann.close();
        alice.close();
        gateway.close();
    }

    /** Puts a proposal and a question on the tape, as an engine would. */
    private String ask(String call, long expiresAtMillis) {
        return AskedQuestion.ask(run, "user:alice", call, expiresAtMillis);
    }

    private StreamClient attached(Client client) {
        StreamClient stream =
                client.stream().send(StreamClient.request().setRunId(ApiMapper.id(run.runId)));
        stream.await("the question", RunStreamEvent::hasToolApprovalRequest);
        return stream;
    }

    private static RunStreamRequest.Builder answer(ToolApprovalResponse.Builder response) {
        return StreamClient.request().setToolApprovalResponse(response);
    }

    private ToolApprovalResponse.Builder yes() {
        return ToolApprovalResponse.newBuilder()
                .setApprovalId(ApiMapper.id(approvalId))
                .setApproved(true);
    }

    private ApprovalRow row() {
        return gateway.journal.approval(approvalId).orElseThrow();
    }

    @Test
    void showsWhatIsAsked() {
        ToolApprovalRequest asked =
                attached(ann)
                        .await("the question", RunStreamEvent::hasToolApprovalRequest)
                        .getToolApprovalRequest();
        assertEquals(approvalId, asked.getApprovalId().getUlid());
        assertEquals(ProposalIds.of(callId), asked.getProposalId().getUlid());
        assertEquals("process.run", asked.getToolName());
        assertEquals("{\"argv\":[\"ls\"]}", asked.getInputJson().toStringUtf8());
        assertTrue(asked.getPrompt().getDetailsJson().toStringUtf8().contains("\"it writes\""));
        assertEquals("Run git?", asked.getPrompt().getTitle());
        assertEquals("it writes", asked.getPrompt().getPolicyExplanation());
        assertEquals(5, asked.getPrompt().getOptionsCount());
        assertTrue(asked.getPrompt().getOptions(4).getDefaultSelected());
        assertEquals(List.of("git", "log"), asked.getCall().getArgvList());
        assertEquals(List.of("vault:global/token"), asked.getCall().getSecretsList());
        assertEquals("git log here", asked.getCall().getPattern());
        assertEquals(List.of("group:approver", "group:operator"), asked.getApproversList());
        assertEquals(1, asked.getQuorum());
        int seconds = asked.getPrompt().getTimeoutSeconds();
        assertTrue(seconds > 3_000 && seconds <= 3_600, "left: " + seconds);
    }

    @Test
    void decidesAndTellsEveryFollower() {
        StreamClient watcher = attached(alice);
        StreamClient stream = attached(ann).send(answer(yes().setReason("go ahead")));
        for (StreamClient each : List.of(stream, watcher)) {
            ToolApprovalResponse told =
                    each.await("the answer", RunStreamEvent::hasToolApprovalResponse)
                            .getToolApprovalResponse();
            assertTrue(told.getApproved());
            assertEquals("user:ann", told.getDecidedBy());
            assertEquals("go ahead", told.getReason());
            assertEquals(approvalId, told.getApprovalId().getUlid());
            assertEquals(ProposalIds.of(callId), told.getProposalId().getUlid());
            assertEquals(
                    ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_ONCE, told.getDecisionScope());
        }
        assertEquals(ApprovalRow.State.GRANTED, row().state());
    }

    @Test
    void keepsScopeAndTime() {
        StreamClient stream =
                attached(ann)
                        .send(
                                answer(
                                        yes().setDecisionScope(
                                                        ApprovalDecisionScope
                                                                .APPROVAL_DECISION_SCOPE_TIMEBOXED)
                                                .setDecisionScopeTtlMs(60_000)));
        ToolApprovalResponse told =
                stream.await("the answer", RunStreamEvent::hasToolApprovalResponse)
                        .getToolApprovalResponse();
        assertEquals(
                ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_TIMEBOXED, told.getDecisionScope());
        assertEquals(60_000, told.getDecisionScopeTtlMs());
    }

    @Test
    void whatIsNotOfferedIsRefusedAndTheStreamGoesOn() {
        StreamClient stream =
                attached(ann)
                        .send(
                                answer(
                                        yes().setDecisionScope(
                                                        ApprovalDecisionScope
                                                                .APPROVAL_DECISION_SCOPE_TIMEBOXED)
                                                .setDecisionScopeTtlMs(60_000)
                                                .setShape(
                                                        ApprovalGrantShape
                                                                .APPROVAL_GRANT_SHAPE_PATTERN)));
        RunStreamEvent refusal = stream.awaitRefusal();
        assertTrue(refusal.getStatus().getMessage().contains("does not offer"));
        assertEquals(ApprovalRow.State.PENDING, row().state());
        // What it offers it takes, on the same stream.
        stream.send(
                answer(
                        yes().setDecisionScope(
                                        ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_SESSION)
                                .setShape(ApprovalGrantShape.APPROVAL_GRANT_SHAPE_PATTERN)
                                .setMaxUses(3)));
        ToolApprovalResponse told =
                stream.await("the answer", RunStreamEvent::hasToolApprovalResponse)
                        .getToolApprovalResponse();
        assertEquals(ApprovalGrantShape.APPROVAL_GRANT_SHAPE_PATTERN, told.getShape());
        assertEquals(List.of("user:ann"), told.getApprovedByList());
        assertEquals(3, gateway.journal.grant(told.getGrantId().getUlid()).orElseThrow().maxUses());
    }

    @Test
    void findsTheQuestionByItsProposal() {
        attached(ann)
                .send(
                        answer(
                                ToolApprovalResponse.newBuilder()
                                        .setProposalId(ApiMapper.id(ProposalIds.of(callId)))
                                        .setReason("not today")))
                .await("the answer", RunStreamEvent::hasToolApprovalResponse);
        assertEquals(ApprovalRow.State.DENIED, row().state());
    }

    @Test
    void answersWithTheFirstMessageOfAStream() {
        ann.stream()
                .send(answer(yes()).setRunId(ApiMapper.id(run.runId)))
                .await("the answer", RunStreamEvent::hasToolApprovalResponse);
        assertEquals(ApprovalRow.State.GRANTED, row().state());
    }

    @Test
    void tellsWhoAnsweredFirstAndGoesOn() {
        StreamClient stream = attached(ann).send(answer(yes()));
        stream.await("the answer", RunStreamEvent::hasToolApprovalResponse);
        stream.send(answer(yes().setApproved(false)));
        RunStreamEvent refusal = stream.awaitRefusal();
        assertEquals("CONFLICT", refusal.getStatus().getCode());
        assertTrue(refusal.getStatus().getMessage().contains("user:ann"));
        assertEquals(ApprovalRow.State.GRANTED, row().state());
        assertGoesOn(stream);
    }

    private void assertGoesOn(StreamClient stream) {
        run.end(RunState.SUCCEEDED);
        stream.awaitCompleted();
        assertEquals(StatusKind.STATUS_KIND_DONE, stream.events().getLast().getStatus().getKind());
    }

    @Test
    void refusesAnAnswerOfSomebodyWhoMayNotDecideAndGoesOn() {
        StreamClient stream = attached(alice).send(answer(yes()));
        assertEquals("DENIED", stream.awaitRefusal().getStatus().getCode());
        assertEquals(ApprovalRow.State.PENDING, row().state());
        assertGoesOn(stream);
    }

    @Test
    void refusesALateAnswerAndGoesOn() {
        approvalId = ask(run.runId + ".1.1", System.currentTimeMillis() - 1);
        StreamClient stream = attached(ann).send(answer(yes()));
        assertEquals("CONFLICT", stream.awaitRefusal().getStatus().getCode());
        assertGoesOn(stream);
    }

    @Test
    void knowsNoQuestionsOfOtherRunsAndGoesOn() {
        TapeRun own = run;
        run = new TapeRun(gateway.journal, "user:alice");
        String foreign = ask(run.runId + ".1.0", System.currentTimeMillis() + HOUR);
        run = own;
        StreamClient stream =
                attached(ann).send(answer(yes().setApprovalId(ApiMapper.id(foreign))));
        assertEquals("NOT_FOUND", stream.awaitRefusal().getStatus().getCode());
        assertEquals(
                ApprovalRow.State.PENDING, gateway.journal.approval(foreign).orElseThrow().state());
        assertGoesOn(stream);
    }

    @Test
    void knowsNoProposalThatNobodyAskedAboutAndGoesOn() {
        StreamClient stream =
                attached(ann)
                        .send(
                                answer(
                                        ToolApprovalResponse.newBuilder()
                                                .setProposalId(ApiMapper.id(Ids.next()))));
        assertEquals("NOT_FOUND", stream.awaitRefusal().getStatus().getCode());
        assertGoesOn(stream);
    }

    @Test
    void endsTheStreamOnAnAnswerThatCannotBeUnderstood() {
        List<ToolApprovalResponse.Builder> bad =
                List.of(
                        ToolApprovalResponse.newBuilder().setApproved(true),
                        yes().setApprovalId(ApiMapper.id("yes")),
                        yes().setDecisionScopeValue(44),
                        yes().setDecisionScopeTtlMs(5),
                        yes().setDecidedBy("user:root"),
                        yes().setGrantId(ApiMapper.id(Ids.next())),
                        yes().addApprovedBy("user:root"),
                        yes().setShapeValue(44),
                        yes().setMaxUses(-1),
                        yes().setProposalId(ApiMapper.id(Ids.next())));
        for (ToolApprovalResponse.Builder each : bad) {
            Status status = attached(ann).send(answer(each)).awaitStatus();
            assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode(), each.toString());
        }
        assertEquals(ApprovalRow.State.PENDING, row().state());
    }

    @Test
    void decidesNothingForACredentialThatWasRevoked() {
        StreamClient stream = attached(ann);
        gateway.revoke("user:ann");
        Status status = stream.send(answer(yes())).awaitStatus();
        assertEquals(Status.Code.UNAUTHENTICATED, status.getCode());
        assertEquals(ApprovalRow.State.PENDING, row().state());
        assertFalse(row().decidedBy().contains("ann"));
    }
}

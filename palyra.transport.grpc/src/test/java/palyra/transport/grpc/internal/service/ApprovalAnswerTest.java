package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Operation;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.transport.grpc.internal.service.stream.ProposalIds;
import palyra.transport.grpc.internal.wire.common.ApprovalDecisionScope;
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
        String id = Ids.next();
        run.write(new TapeEvent.ToolCallProposal(call, 1, 0, "process.run", "{\"argv\":[\"ls\"]}"));
        byte[] payload = "{\"detailsJson\":\"{}\"}".getBytes(StandardCharsets.UTF_8);
        run.commit(
                List.of(
                        new Operation.PutApproval(
                                new ApprovalRow(
                                        id,
                                        run.runId,
                                        call,
                                        ApprovalRow.State.PENDING,
                                        payload,
                                        0,
                                        expiresAtMillis,
                                        0,
                                        "")),
                        run.append(
                                new TapeEvent.ApprovalRequest(
                                        id, call, "{\"why\":\"it writes\"}", expiresAtMillis))));
        return id;
    }

    private StreamClient attached(Client client) {
        StreamClient stream =
                client.stream().send(StreamClient.request().setRunId(Wire.id(run.runId)));
        stream.await("the question", RunStreamEvent::hasToolApprovalRequest);
        return stream;
    }

    private static RunStreamRequest.Builder answer(ToolApprovalResponse.Builder response) {
        return StreamClient.request().setToolApprovalResponse(response);
    }

    private ToolApprovalResponse.Builder yes() {
        return ToolApprovalResponse.newBuilder()
                .setApprovalId(Wire.id(approvalId))
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
        assertEquals("{\"why\":\"it writes\"}", asked.getPrompt().getDetailsJson().toStringUtf8());
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
    void findsTheQuestionByItsProposal() {
        attached(ann)
                .send(
                        answer(
                                ToolApprovalResponse.newBuilder()
                                        .setProposalId(Wire.id(ProposalIds.of(callId)))
                                        .setReason("not today")))
                .await("the answer", RunStreamEvent::hasToolApprovalResponse);
        assertEquals(ApprovalRow.State.DENIED, row().state());
    }

    @Test
    void answersWithTheFirstMessageOfAStream() {
        ann.stream()
                .send(answer(yes()).setRunId(Wire.id(run.runId)))
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
        StreamClient stream = attached(ann).send(answer(yes().setApprovalId(Wire.id(foreign))));
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
                                                .setProposalId(Wire.id(Ids.next()))));
        assertEquals("NOT_FOUND", stream.awaitRefusal().getStatus().getCode());
        assertGoesOn(stream);
    }

    @Test
    void endsTheStreamOnAnAnswerThatCannotBeUnderstood() {
        List<ToolApprovalResponse.Builder> bad =
                List.of(
                        ToolApprovalResponse.newBuilder().setApproved(true),
                        yes().setApprovalId(Wire.id("yes")),
                        yes().setDecisionScopeValue(44),
                        yes().setDecisionScopeTtlMs(5),
                        yes().setDecidedBy("user:root"),
                        yes().setProposalId(Wire.id(Ids.next())));
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

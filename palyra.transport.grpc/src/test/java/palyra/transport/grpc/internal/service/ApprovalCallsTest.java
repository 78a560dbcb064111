package palyra.transport.grpc.internal.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.keys.PublishedKey;
import palyra.shared.approval.ExportVerifier;
import palyra.transport.grpc.internal.wire.common.ApprovalDecisionScope;
import palyra.transport.grpc.internal.wire.common.ApprovalGrantShape;
import palyra.transport.grpc.internal.wire.gateway.ApprovalDecision;
import palyra.transport.grpc.internal.wire.gateway.ApprovalExportFormat;
import palyra.transport.grpc.internal.wire.gateway.ApprovalRecord;
import palyra.transport.grpc.internal.wire.gateway.ApprovalSubjectType;
import palyra.transport.grpc.internal.wire.gateway.DecideApprovalRequest;
import palyra.transport.grpc.internal.wire.gateway.ExplainCallRequest;
import palyra.transport.grpc.internal.wire.gateway.ExportApprovalsRequest;
import palyra.transport.grpc.internal.wire.gateway.ExportApprovalsResponse;
import palyra.transport.grpc.internal.wire.gateway.GetApprovalRequest;
import palyra.transport.grpc.internal.wire.gateway.Grant;
import palyra.transport.grpc.internal.wire.gateway.ListApprovalsRequest;
import palyra.transport.grpc.internal.wire.gateway.ListApprovalsResponse;
import palyra.transport.grpc.internal.wire.gateway.ListGrantsRequest;
import palyra.transport.grpc.internal.wire.gateway.RevokeGrantRequest;
import palyra.transport.grpc.internal.wire.gateway.TapeRecord;

/** The service of questions over a real connection. */
class ApprovalCallsTest {
    private static final long HOUR = 3_600_000;

    @TempDir Path state;
    private TestGateway gateway;
    private Client ann;
    private Client alice;
    private Client bob;
    private TapeRun run;

    @BeforeEach
    void open() {
        gateway = new TestGateway(state);
        ann = gateway.client("user:ann", "approver");
        alice = gateway.client("user:alice", "integrator");
        bob = gateway.client("user:bob", "integrator");
        run = new TapeRun(gateway.journal, "user:alice");
    }

    @AfterEach
    void close() {
        List.of(ann, alice, bob).forEach(Client::close);
        gateway.close();
    }

    private String ask(int index) {
        return AskedQuestion.ask(
                run, "user:alice", run.runId + ".1." + index, System.currentTimeMillis() + HOUR);
    }

    private static GetApprovalRequest get(String id) {
        return GetApprovalRequest.newBuilder().setV(1).setApprovalId(ApiMapper.id(id)).build();
    }

    private static DecideApprovalRequest.Builder yes(String id) {
        return DecideApprovalRequest.newBuilder()
                .setV(1)
                .setApprovalId(ApiMapper.id(id))
                .setApproved(true);
    }

    private static DecideApprovalRequest.Builder forSession(String id) {
        return yes(id).setDecisionScope(ApprovalDecisionScope.APPROVAL_DECISION_SCOPE_SESSION)
                .setShape(ApprovalGrantShape.APPROVAL_GRANT_SHAPE_PATTERN)
                .setMaxUses(5);
    }

    private static ListApprovalsRequest.Builder list() {
        return ListApprovalsRequest.newBuilder().setV(1);
    }

    private static ListGrantsRequest.Builder grants() {
        return ListGrantsRequest.newBuilder().setV(1);
    }

    @Test
    void deniesTheCredentialThatStartedTheRunForAnotherPrincipal() {
        String id =
                AskedQuestion.askOthers(
                        run,
                        "user:alice",
                        "service:bridge",
                        run.runId + ".1.0",
                        System.currentTimeMillis() + HOUR);
        String speaks =
                gateway.token(
                        "service:bridge",
                        Set.of("access.speak_for", "approval.*", "run.*"),
                        "integrator",
                        "operator");
        String plain = gateway.token("service:bridge", "operator");
        try (Client first = gateway.client(speaks);
                Client second = gateway.client(plain);
                Client asAlice = gateway.client(speaks).with("x-palyra-principal", "user:alice");
                Client asBob = gateway.client(speaks).with("x-palyra-principal", "user:bob")) {
            for (Client each : List.of(first, second, asAlice, asBob)) {
                assertEquals(
                        Status.Code.PERMISSION_DENIED,
                        refusal(() -> each.approvals().decideApproval(yes(id).build())).getCode());
            }
        }
        assertEquals(ApprovalRow.State.PENDING, gateway.journal.approval(id).orElseThrow().state());
        ann.approvals().decideApproval(yes(id).build());
        assertEquals(ApprovalRow.State.GRANTED, gateway.journal.approval(id).orElseThrow().state());
    }

    @Test
    void refusesToSpeakForTheNamesOfTheGatewaysOwnRecords() {
        String speaks =
                gateway.token(
                        "service:bridge", Set.of("access.speak_for", "approval.*"), "integrator");
        for (String name : List.of("operator", "local-files")) {
            try (Client client = gateway.client(speaks).with("x-palyra-principal", name)) {
                Status refused = refusal(() -> client.approvals().listApprovals(list().build()));
                assertEquals(Status.Code.INVALID_ARGUMENT, refused.getCode());
                assertTrue(
                        refused.getDescription().contains("the gateway records its own work"),
                        refused.getDescription());
            }
        }
    }

    private static Status refusal(Runnable call) {
        return assertThrows(StatusRuntimeException.class, call::run).getStatus();
    }

    @Test
    void aQuestionIsShownWithAllThatWasAsked() {
        String id = ask(0);
        ApprovalRecord record = alice.approvals().getApproval(get(id)).getApproval();
        assertEquals("pending", record.getState());
        assertEquals(ApprovalDecision.APPROVAL_DECISION_UNSPECIFIED, record.getDecision());
        assertEquals("Run git?", record.getPrompt().getTitle());
        assertEquals(5, record.getPrompt().getOptionsCount());
        assertEquals(List.of("git", "log"), record.getCall().getArgvList());
        assertEquals(AskedQuestion.BINDING, record.getCall().getBindingSha256());
        assertEquals("user:alice", record.getPrincipal());
        assertEquals(run.runId + ".1.0", record.getCallId());
        assertEquals("ask_first", record.getPolicySnapshot().getPolicyId());
        assertEquals(
                Status.Code.NOT_FOUND,
                refusal(() -> bob.approvals().getApproval(get(id))).getCode());
    }

    /** A sender who wants to be answered waits for no run. */
    @Test
    void aSenderIsAQuestionWithoutARun() {
        String id = AskedQuestion.askAboutSender(gateway.journal);
        ApprovalRecord record =
                ann.approvals()
                        .listApprovals(
                                list().setSubjectType(
                                                ApprovalSubjectType
                                                        .APPROVAL_SUBJECT_TYPE_DEVICE_PAIRING)
                                        .setPendingOnly(true)
                                        .build())
                        .getApprovals(0);
        assertEquals(id, record.getApprovalId().getUlid());
        assertFalse(record.hasRunId() || record.hasProposalId() || record.hasCall());
        assertEquals("sender:fake:main/ann", record.getSubjectId());
        assertEquals(
                Status.Code.PERMISSION_DENIED,
                refusal(() -> ann.approvals().decideApproval(yes(id).build())).getCode());
        try (Client operator = gateway.client("user:op", "operator")) {
            ApprovalRecord decided =
                    operator.approvals().decideApproval(yes(id).build()).getApproval();
            assertEquals("granted", decided.getState());
            Grant grant = operator.approvals().listGrants(grants().build()).getGrants(0);
            assertEquals(decided.getGrantId(), grant.getGrantId());
            assertEquals("user:fake:main:ann", grant.getPrincipal());
        }
    }

    @Test
    void anAnswerMakesAGrantThatItsOwnerTakesBack() {
        String id = ask(0);
        ApprovalRecord decided =
                ann.approvals().decideApproval(forSession(id).build()).getApproval();
        assertEquals("granted", decided.getState());
        assertEquals("user:ann", decided.getDecidedBy());
        assertEquals(ApprovalGrantShape.APPROVAL_GRANT_SHAPE_PATTERN, decided.getShape());
        assertEquals(1, decided.getVotesCount());
        Grant grant = alice.approvals().listGrants(grants().build()).getGrants(0);
        assertEquals(decided.getGrantId(), grant.getGrantId());
        assertEquals("covers SESSION PATTERN", grant.getCovers());
        assertEquals(5, grant.getMaxUses());
        assertEquals(0, bob.approvals().listGrants(grants().build()).getGrantsCount());
        RevokeGrantRequest revoke =
                RevokeGrantRequest.newBuilder().setV(1).setGrantId(grant.getGrantId()).build();
        assertEquals(
                Status.Code.NOT_FOUND,
                refusal(() -> bob.approvals().revokeGrant(revoke)).getCode());
        assertEquals("revoked", alice.approvals().revokeGrant(revoke).getGrant().getState());
        Status twice = refusal(() -> ann.approvals().revokeGrant(revoke));
        assertTrue(twice.getDescription().contains("user:alice took it back"), twice.toString());
        assertEquals(
                0,
                ann.approvals().listGrants(grants().setActiveOnly(true).build()).getGrantsCount());
    }

    @Test
    void theSecondAnswerIsToldOfTheFirst() {
        String id = ask(0);
        assertEquals(
                Status.Code.PERMISSION_DENIED,
                refusal(() -> alice.approvals().decideApproval(yes(id).build())).getCode());
        ann.approvals().decideApproval(yes(id).setApproved(false).setReason("no").build());
        Status late = refusal(() -> ann.approvals().decideApproval(yes(id).build()));
        assertTrue(late.getDescription().contains("denied by user:ann"), late.toString());
    }

    @Test
    void questionsAreFoundAndPaged() {
        String first = ask(0);
        String second = ask(1);
        String third = ask(2);
        ann.approvals().decideApproval(yes(second).build());
        ListApprovalsResponse page = ann.approvals().listApprovals(list().setLimit(2).build());
        assertEquals(2, page.getApprovalsCount());
        ListApprovalsResponse rest =
                ann.approvals()
                        .listApprovals(
                                list().setLimit(2)
                                        .setAfterApprovalUlid(page.getNextAfterApprovalUlid())
                                        .build());
        assertEquals(third, rest.getApprovals(0).getApprovalId().getUlid());
        assertEquals("", rest.getNextAfterApprovalUlid());
        assertEquals(
                second,
                ann.approvals()
                        .listApprovals(
                                list().setDecision(ApprovalDecision.APPROVAL_DECISION_ALLOW)
                                        .build())
                        .getApprovals(0)
                        .getApprovalId()
                        .getUlid());
        assertEquals(
                first,
                alice.approvals()
                        .listApprovals(list().setPendingOnly(true).build())
                        .getApprovals(0)
                        .getApprovalId()
                        .getUlid());
        assertEquals(0, bob.approvals().listApprovals(list().build()).getApprovalsCount());
    }

    @Test
    void anExportIsVerifiedByWhoReceivesIt() throws IOException {
        for (int i = 0; i < 60; i++) {
            ask(i);
        }
        for (ApprovalExportFormat format :
                List.of(
                        ApprovalExportFormat.APPROVAL_EXPORT_FORMAT_UNSPECIFIED,
                        ApprovalExportFormat.APPROVAL_EXPORT_FORMAT_JSON)) {
            byte[] file = export(ann, format);
            ExportVerifier.Report report =
                    ExportVerifier.verify(new ByteArrayInputStream(file), this::key);
            assertEquals(List.of(), report.problems());
            assertEquals(60, report.records());
            file[file.length / 2] ^= 1;
            assertFalse(ExportVerifier.verify(new ByteArrayInputStream(file), this::key).intact());
        }
    }

    private static byte[] export(Client client, ApprovalExportFormat format) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        Iterator<ExportApprovalsResponse> parts =
                client.approvals()
                        .exportApprovals(
                                ExportApprovalsRequest.newBuilder()
                                        .setV(1)
                                        .setFormat(format)
                                        .build());
        int seq = 0;
        boolean done = false;
        while (parts.hasNext()) {
            ExportApprovalsResponse part = parts.next();
            assertEquals(seq++, part.getChunkSeq());
            assertTrue(part.getChunk().size() <= 64 * 1024);
            file.writeBytes(part.getChunk().toByteArray());
            done = part.getDone();
        }
        assertTrue(done);
        return file.toByteArray();
    }

    private byte[] key(String keyId) {
        return gateway.keys.published().stream()
                .filter(key -> key.keyId().equals(keyId))
                .map(PublishedKey::publicKey)
                .map(Base64.getUrlDecoder()::decode)
                .findFirst()
                .orElse(null);
    }

    @Test
    void aCallIsExplainedByItsRecords() {
        String id = ask(0);
        ask(1);
        ann.approvals().decideApproval(yes(id).build());
        ExplainCallRequest request =
                ExplainCallRequest.newBuilder().setV(1).setCallId(run.runId + ".1.0").build();
        List<String> types = new ArrayList<>();
        alice.call().explainCall(request).forEachRemaining(each -> types.add(each.getType()));
        assertEquals(List.of("tool_call_proposal", "approval_request", "approval_decision"), types);
        assertEquals(Status.Code.NOT_FOUND, explaining(bob, run.runId + ".1.0"));
        assertEquals(Status.Code.NOT_FOUND, explaining(alice, run.runId + ".9.9"));
        assertEquals(Status.Code.INVALID_ARGUMENT, explaining(alice, "call"));
        assertEquals(Status.Code.INVALID_ARGUMENT, explaining(alice, ""));
    }

    private static Status.Code explaining(Client client, String callId) {
        ExplainCallRequest request =
                ExplainCallRequest.newBuilder().setV(1).setCallId(callId).build();
        List<TapeRecord> got = new ArrayList<>();
        return refusal(() -> client.call().explainCall(request).forEachRemaining(got::add))
                .getCode();
    }

    @Test
    void whatCannotBeUnderstoodIsRefused() {
        String id = ask(0);
        List<Runnable> bad =
                List.of(
                        () -> ann.approvals().getApproval(get("x")),
                        () -> ann.approvals().getApproval(get("")),
                        () -> ann.approvals().listApprovals(list().setLimit(501).build()),
                        () -> ann.approvals().listApprovals(list().setDecisionValue(9).build()),
                        () -> ann.approvals().listApprovals(list().setSubjectTypeValue(9).build()),
                        () -> ann.approvals().listApprovals(list().setSinceUnixMs(-1).build()),
                        () ->
                                ann.approvals()
                                        .listApprovals(list().setAfterApprovalUlid("x").build()),
                        () ->
                                ann.approvals()
                                        .listApprovals(
                                                list().setSubjectId("x".repeat(300)).build()),
                        () ->
                                ann.approvals()
                                        .listApprovals(
                                                list().setPendingOnly(true)
                                                        .setDecisionValue(1)
                                                        .build()),
                        () ->
                                ann.approvals()
                                        .decideApproval(yes(id).setDecisionScopeValue(7).build()),
                        () -> ann.approvals().decideApproval(yes(id).setShapeValue(7).build()),
                        () -> ann.approvals().decideApproval(yes(id).setMaxUses(-1).build()),
                        () ->
                                ann.approvals()
                                        .decideApproval(yes(id).setDecisionScopeTtlMs(5).build()),
                        () ->
                                ann.approvals()
                                        .decideApproval(
                                                yes(id).setReason("x".repeat(1_001)).build()),
                        () -> ann.approvals().listGrants(grants().setLimit(501).build()),
                        () ->
                                ann.approvals()
                                        .revokeGrant(
                                                RevokeGrantRequest.newBuilder().setV(1).build()));
        for (int i = 0; i < bad.size(); i++) {
            assertEquals(
                    Status.Code.INVALID_ARGUMENT, refusal(bad.get(i)).getCode(), "request " + i);
        }
        assertEquals("pending", ann.approvals().getApproval(get(id)).getApproval().getState());
    }

    @Test
    void aRevokedTokenAnswersNothing() {
        String id = ask(0);
        gateway.revoke("user:ann");
        assertEquals(
                Status.Code.UNAUTHENTICATED,
                refusal(() -> ann.approvals().decideApproval(yes(id).build())).getCode());
        assertEquals("pending", alice.approvals().getApproval(get(id)).getApproval().getState());
    }

    @Test
    void withoutTheFrontNothingIsAnswered() {
        String id = ask(0);
        gateway.frontGoes();
        Status away =
                refusal(
                        () ->
                                ann.approvals()
                                        .withDeadlineAfter(8, java.util.concurrent.TimeUnit.SECONDS)
                                        .decideApproval(yes(id).build()));
        assertTrue(
                away.getCode() == Status.Code.UNAVAILABLE
                        || away.getCode() == Status.Code.DEADLINE_EXCEEDED,
                away.toString());
        gateway.frontComes();
        assertEquals(
                "granted",
                ann.approvals().decideApproval(yes(id).build()).getApproval().getState());
    }
}

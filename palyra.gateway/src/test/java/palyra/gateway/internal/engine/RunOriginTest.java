package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.journal.InboxRow;
import palyra.api.model.ModelMessage;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tape.TapeRecord;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.engine.run.RunOrigin;
import palyra.shared.run.SubmissionCodec;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;
import palyra.testing.wait.Await;

/** What policy is asked about a call, and what the tape keeps of its answer. */
class RunOriginTest {
    private static final String SECRET = "sk-do-not-keep-me";
    private static final CallContext EXPECTED =
            new CallContext(
                    "discord:42",
                    "laptop",
                    Set.of("integrator", "viewer"),
                    true,
                    false,
                    Set.of(),
                    CallFacts.none());

    @TempDir Path state;
    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private final RecordingTool tool = RecordingTool.withEffect("test.effect");
    private final FakeAccess access = FakeAccess.forTools();
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot", tool);
        start("boot/1");
        gateway.offering("test.effect");
    }

    private void start(String owner) {
        gateway =
                new LightGateway(around, model, owner, UnaryOperator.identity(), access)
                        .awaitReady();
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    private String submitFrom(String principal) {
        SubmittedMessage message =
                new SubmittedMessage(
                        "discord",
                        "m1",
                        "",
                        "",
                        "laptop",
                        "discord:42",
                        "",
                        "do it",
                        "",
                        false,
                        "",
                        "",
                        false,
                        "",
                        true);
        InboxRow row =
                new InboxRow(
                        gateway.services.ids().next(),
                        message.surface(),
                        SubmissionCodec.inboxKey(principal, message),
                        principal,
                        SubmissionCodec.storedBytes(message, Set.of("viewer", "integrator")),
                        InboxRow.State.QUEUED,
                        "",
                        "",
                        0);
        return gateway.host.router().accept(row, message, List.of()).runId();
    }

    private static PalyraException away() {
        return new PalyraException(ErrorCode.POLICY_UNAVAILABLE, "Nobody is there.");
    }

    @Test
    void whoDecidesIsToldWhereTheMessageCameFromAndWhatIsOnOffer() {
        model.propose("test.effect", "{}").answer("done");
        gateway.ended(submitFrom("user:alice"));
        ToolPolicyRequest question = access.toolRequests().get(0);
        assertEquals(EXPECTED, question.situation());
        assertEquals(
                List.of("test.effect"),
                question.offered().stream()
                        .map(ToolDescriptor::name)
                        .filter("test.effect"::equals)
                        .toList());
    }

    @Test
    void theSameQuestionIsAskedAfterTheEngineWentAway() {
        access.answering(
                question -> {
                    throw away();
                });
        model.propose("test.effect", "{}").answer("done");
        String runId = submitFrom("user:alice");
        Await.until(
                "the run to say what it waits for",
                () ->
                        around.journal()
                                .run(runId)
                                .filter(row -> row.reason().equals("waiting for policy"))
                                .isPresent());
        gateway.close();
        int before = access.toolRequests().size();
        access.answering(question -> answer(PolicyDecision.Outcome.ALLOW));
        start("boot/2");
        gateway.ended(runId);
        ToolPolicyRequest first = access.toolRequests().get(0);
        ToolPolicyRequest again = access.toolRequests().get(before);
        assertEquals(EXPECTED, again.situation());
        assertEquals(first, again);
        assertEquals(1, tool.calls().size());
    }

    @Test
    void aRunWaitsForAnEngineThatComesBackInTime() {
        access.answering(
                question -> {
                    if (access.toolRequests().size() < 3) {
                        throw away();
                    }
                    return answer(PolicyDecision.Outcome.ALLOW);
                });
        model.propose("test.effect", "{}").answer("done");
        String runId = gateway.ended(submitFrom("user:alice")).runId();
        assertEquals(
                Verdict.ALLOW,
                gateway.records(runId, TapeEvent.ToolDecision.class).get(0).verdict());
        assertEquals(3, access.toolRequests().size());
    }

    @Test
    void aRunOfWhichNoMessageIsKnownGrantsNothing() {
        RunContext run =
                new RunContext(
                        gateway.services.ids().next(),
                        "s",
                        "user:alice",
                        "shell",
                        gateway.services.ids().next(),
                        1,
                        gateway.agents.require(gateway.agents.defaultAgentId()),
                        List.of());
        RunOrigin none = new RunOrigin(run, gateway.services.journal());
        assertEquals(CallContext.unknown(), none.read(0));
    }

    @Test
    void anotherPrincipalsMessageLendsARunNothing() {
        model.answer("hello");
        String runId = gateway.ended(submitFrom("user:alice")).runId();
        String messageId = around.journal().run(runId).orElseThrow().messageId();
        RunContext run =
                new RunContext(
                        runId,
                        "s",
                        "user:mallory",
                        "shell",
                        messageId,
                        1,
                        gateway.agents.require(gateway.agents.defaultAgentId()),
                        List.of());
        assertEquals(CallContext.unknown(), new RunOrigin(run, gateway.services.journal()).read(0));
    }

    private static ToolPolicyDecision answer(PolicyDecision.Outcome outcome) {
        PolicyDecision policy =
                new PolicyDecision(
                        outcome,
                        "policy.said",
                        "The model may read this.",
                        "operators alone read this",
                        List.of("tools.effect"),
                        outcome == PolicyDecision.Outcome.ALLOW
                                ? List.of()
                                : List.of("context.approval.granted"),
                        outcome == PolicyDecision.Outcome.ALLOW_IF_APPROVED
                                ? Optional.of(
                                        new ApprovalTerms(
                                                Set.of("group:approver"),
                                                false,
                                                1,
                                                Set.of(ApprovalScope.ONCE),
                                                1))
                                : Optional.empty(),
                        Confinement.STRICTEST,
                        PolicyDecision.Confirmation.ABSENT,
                        "5e7",
                        3,
                        "{\"v\":1}");
        Verdict verdict =
                switch (outcome) {
                    case ALLOW -> Verdict.ALLOW;
                    case ALLOW_IF_APPROVED -> Verdict.APPROVAL_REQUIRED;
                    case DENY -> Verdict.DENY;
                };
        return new ToolPolicyDecision(
                verdict,
                policy.reasonCode(),
                policy.reason(),
                "POLICY",
                policy.policyIds(),
                "{}",
                Optional.of(policy));
    }

    private TapeEvent.ToolDecision decided(PolicyDecision.Outcome outcome) {
        access.answering(question -> answer(outcome));
        model.propose("test.effect", "{\"token\":\"" + SECRET + "\"}").answer("done");
        String runId = gateway.ended(submitFrom("user:alice")).runId();
        for (TapeRecord record : around.journal().tape(runId, 0, 1_000)) {
            if (record.type().equals("tool_decision")) {
                assertFalse(
                        new String(record.payload(), StandardCharsets.UTF_8).contains(SECRET),
                        "a decision holds nothing of the input");
                assertEquals(2, record.schema());
            }
        }
        return gateway.records(runId, TapeEvent.ToolDecision.class).get(0);
    }

    private String toldToModel() {
        List<ModelMessage> messages = model.requests().get(1).messages();
        return messages.get(messages.size() - 1).text();
    }

    @Test
    void theTapeKeepsWhatIsNeededToDecideAgain() {
        TapeEvent.ToolDecision decision = decided(PolicyDecision.Outcome.ALLOW);
        assertEquals("5e7", decision.setSha256());
        assertEquals("{\"v\":1}", decision.evidenceJson());
        assertEquals("C", decision.tier());
        assertEquals("STRICT", decision.egress());
        assertEquals("ABSENT", decision.confirmation());
        assertEquals(List.of("tools.effect"), decision.policyIds());
        assertEquals(1, tool.calls().size());
    }

    @Test
    void whyIsForOperatorsAndTheModelReadsTheReasonAlone() {
        TapeEvent.ToolDecision decision = decided(PolicyDecision.Outcome.DENY);
        assertEquals("operators alone read this", decision.operatorReason());
        assertEquals(List.of("context.approval.granted"), decision.missing());
        assertTrue(toldToModel().contains("The model may read this."), toldToModel());
        assertFalse(toldToModel().contains("operators"), toldToModel());
        assertFalse(toldToModel().contains("context."), toldToModel());
        assertEquals(0, tool.calls().size());
    }

    @Test
    void whatNeedsAPersonWaitsAndItsEvidenceIsKept() {
        access.answering(question -> answer(PolicyDecision.Outcome.ALLOW_IF_APPROVED));
        model.propose("test.effect", "{}").answer("done");
        String runId = submitFrom("user:alice");
        new Answers(around.journal()).waiting(runId);
        TapeEvent.ToolDecision decision =
                gateway.records(runId, TapeEvent.ToolDecision.class).get(0);
        assertEquals(Verdict.APPROVAL_REQUIRED, decision.verdict());
        assertEquals("{\"v\":1}", decision.evidenceJson());
        assertEquals(0, tool.calls().size());
        gateway.cancel(runId);
        gateway.ended(runId);
    }
}

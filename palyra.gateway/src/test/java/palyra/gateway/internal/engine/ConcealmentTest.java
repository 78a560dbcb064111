package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.vault.SecretRef;
import palyra.api.run.RunState;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.vault.LentSecrets;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;
import palyra.testing.vault.FakeKnownSecrets;

/** Whom a kept value is hidden from, and whom it never is. */
class ConcealmentTest {
    private static final String TOOL = "test.effect";
    private static final String OWN = "--directory=/srv/x7Kq9ZmT2v";
    private static final String GLOBAL = "m3Rw-global-8Yb2Ls6";
    private static final String BOBS = "q7Xv-bob-0Zt4Kp9";
    private static final Set<String> OPERATORS = Set.of("operator");

    @TempDir Path state;

    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private final RecordingTool tool = RecordingTool.withEffect(TOOL);
    private final PeopleAccess access = new PeopleAccess(TOOL);
    private LightGateway.Surroundings around;
    private LightGateway gateway;
    private Answers people;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot", tool);
        gateway = life("boot/1");
        people = new Answers(around.journal());
    }

    private LightGateway life(String boot) {
        LightGateway life = new LightGateway(around, model, boot, UnaryOperator.identity(), access);
        life.services
                .vault()
                .add(
                        new FakeKnownSecrets()
                                .knowing("vault:principal:user:alice/flag", OWN)
                                .knowing("vault:global/token", GLOBAL)
                                .knowing("vault:principal:user:bob/token", BOBS),
                        Map.of());
        return life.awaitReady().offering(TOOL);
    }

    @AfterEach
    void close() {
        gateway.close();
        model.close();
        around.close();
    }

    private String submit(String text, Set<String> groups) {
        return submit("", text, groups);
    }

    private String submit(String runId, String text, Set<String> groups) {
        SubmittedMessage message =
                new SubmittedMessage(
                        "shell", "", "", "", "", "", "", text, "", false, runId, "", false, "",
                        false);
        InboxRow row = LightGateway.inbox(message, SubmissionCodec.storedBytes(message, groups));
        return gateway.host.router().accept(row, message, List.of()).runId();
    }

    private static String text(ApprovalRow question) {
        return new String(question.payload(), StandardCharsets.UTF_8);
    }

    private String said(String runId) {
        return gateway.records(runId, TapeEvent.Message.class).getLast().text();
    }

    @Test
    void hidesNothingFromTheApproverThatTheAskerKeepsInItsOwnScope() {
        model.propose(TOOL, "{\"option\":\"" + OWN + "\"}").answer("done");
        String runId = submit("make", Set.of("integrator"));
        ApprovalRow asked = people.waiting(runId).get(0);
        ApprovalRequestBody question = Answers.question(asked);
        assertTrue(question.call().inputJson().contains(OWN), question.call().inputJson());
        assertTrue(question.prompt().summary().contains(OWN), question.prompt().summary());
        assertFalse(text(asked).contains("⟦secret"), text(asked));
        assertEquals("", question.call().onceOnly());
        assertEquals(List.of("ONCE", "SESSION", "TIMEBOXED"), question.terms().scopes());
        people.yes(asked, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(1, tool.calls().size());
    }

    @Test
    void saysWhatAQuestionHidesAndTakesNoMoreThanOnce() {
        model.propose(TOOL, "{\"key\":\"" + GLOBAL + "\"}").answer("done");
        String runId = submit("use it", OPERATORS);
        ApprovalRow asked = people.waiting(runId).get(0);
        ApprovalRequestBody question = Answers.question(asked);
        assertFalse(text(asked).contains(GLOBAL), text(asked));
        String hidden = "hidden from you: a secret that the vault keeps in the scope global.";
        assertTrue(question.prompt().summary().contains(hidden), question.prompt().summary());
        assertTrue(question.call().onceOnly().contains(hidden), question.call().onceOnly());
        assertEquals(List.of("ONCE"), question.terms().scopes());
        assertEquals(
                List.of("allow_once", "deny_once"),
                question.prompt().options().stream()
                        .map(ApprovalRequestBody.Option::optionId)
                        .toList());
        PalyraException refused =
                assertThrows(PalyraException.class, () -> people.yes(asked, Answers.Yes.session()));
        assertEquals(ErrorCode.DENIED, refused.code());
        assertTrue(refused.getMessage().contains("only, and once"), refused.getMessage());
        people.yes(asked, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals("{\"key\":\"" + GLOBAL + "\"}", tool.calls().get(0).inputJson());
    }

    @Test
    void namesTheHiddenValueWhereOperatorsAloneAreAsked() {
        access.terms =
                new ApprovalTerms(
                        Set.of("group:operator"), false, 60_000, PeopleAccess.TERMS.scopes(), 1);
        model.propose(TOOL, "{\"key\":\"" + GLOBAL + "\"}").answer("done");
        String runId = submit("use it", OPERATORS);
        ApprovalRow asked = people.waiting(runId).get(0);
        assertTrue(
                text(asked).contains("hidden from you: the secret global/token of the vault."),
                text(asked));
        people.no(asked, "user:boss", "");
        gateway.ended(runId);
    }

    @Test
    void answersTheSameToACandidateWhetherOrNotItIsAnothersSecret() {
        String candidates = BOBS + " " + GLOBAL + " q7Xv-bob-1Zt4Kp9";
        model.answer("you said " + candidates);
        String runId = submit(candidates, Set.of("integrator"));
        gateway.ended(runId);
        assertEquals(candidates, gateway.records(runId, TapeEvent.Message.class).get(0).text());
        assertEquals("you said " + candidates, said(runId));
        model.answer("mine is " + OWN + ", yours " + BOBS);
        String own = submit("and mine?", Set.of("integrator"));
        gateway.ended(own);
        assertEquals("mine is ⟦secret:vault:1⟧, yours " + BOBS, said(own));
        model.answer("it is " + GLOBAL + ", not " + BOBS);
        String operator = submit("which?", OPERATORS);
        gateway.ended(operator);
        assertEquals("it is ⟦secret:vault:1⟧, not " + BOBS, said(operator));
    }

    @Test
    void hidesWhatACallWasLentInAllThatItsRunPutsOutAlsoAfterARestart() {
        access.terms = PeopleAccess.terms(1);
        String runId = new Ulids().next();
        tool.returning("{\"leak\":\"" + GLOBAL + "\"}");
        model.propose(TOOL, "{\"n\":1}").propose(TOOL, "{\"n\":2}").answer("it is " + GLOBAL);
        submit(runId, "fetch", Set.of("integrator"));
        ApprovalRow first = people.waiting(runId).get(0);
        Operation lent =
                LentSecrets.record(first.callId(), SecretRef.parse("vault:global/token"))
                        .orElseThrow();
        around.journal().commit(Unit.of(lent)); // as the vault does with the record of the use
        people.yes(first, Answers.Yes.once());
        ApprovalRow second = people.asked(runId);
        assertEquals(
                "{\"leak\":\"⟦secret:vault:1⟧\"}",
                gateway.records(runId, TapeEvent.ToolCallOutput.class).get(0).outputJson());
        people.waiting(runId);
        gateway.close();
        gateway = life("boot/2");
        people.yes(second, Answers.Yes.once());
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals("it is ⟦secret:vault:1⟧", said(runId));
        assertEquals(List.of(), LentSecrets.of(around.journal(), runId));
    }
}

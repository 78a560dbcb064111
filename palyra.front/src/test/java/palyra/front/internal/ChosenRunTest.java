package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;

/** Messages that choose their run, name where they come from, or ask for sensitive tools. */
class ChosenRunTest {
    private static final Principal ALICE = People.person("alice", "integrator");
    private static final Principal BOB = People.person("bob", "integrator");
    private static final Principal OPERATOR = People.person("op", "operator");

    @TempDir Path state;
    private final Gate<Intake> intake = new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Ulids ids = new Ulids();
    private Stage stage;
    private RunFront front;

    @BeforeEach
    void open() {
        stage = Stage.open(state);
        front = front(stage.access);
    }

    private RunFront front(Access access) {
        return new RunFront(
                access, stage.journalGate, stage.feedGate, intake, FrontSettings.defaults());
    }

    @AfterEach
    void close() {
        front.close();
        stage.close();
    }

    private static SubmittedMessage message(
            String dedupeKey, String text, String runId, String originRunId, boolean sensitive) {
        return new SubmittedMessage(
                "grpc",
                dedupeKey,
                "",
                "",
                "",
                "",
                "",
                text,
                "",
                false,
                runId,
                "",
                false,
                originRunId,
                sensitive);
    }

    private static SubmittedMessage choosing(String runId, String text) {
        return message("", text, runId, "", false);
    }

    private static PalyraException refusal(Runnable action) {
        return assertThrows(PalyraException.class, action::run);
    }

    private static ErrorCode codeOf(Runnable action) {
        return refusal(action).code();
    }

    private InboxRow inbox(Submission submission) {
        return stage.journal().inbox(submission.messageId()).orElseThrow();
    }

    private SubmittedMessage stored(Submission submission) {
        return SubmissionCodec.message(inbox(submission).payload());
    }

    /** A gateway that routes whatever it gets, and then fails if so wanted. */
    private Intake gateway(RuntimeException after) {
        return new FakeIntake() {
            @Override
            public Submission accept(
                    InboxRow row, SubmittedMessage message, List<Operation> records) {
                String runId = message.runId();
                stage.journal()
                        .commit(
                                Unit.builder()
                                        .once(
                                                SubmissionCodec.idempotencyKey(
                                                                row.principal(), message)
                                                        .orElseThrow(),
                                                SubmissionCodec.result(row.messageId()))
                                        .add(new Operation.PutInbox(TestRun.routed(row, runId)))
                                        .addAll(records)
                                        .build());
                if (after != null) {
                    throw after;
                }
                return new Submission(row.messageId(), runId, "", false);
            }
        };
    }

    /** A client that lost its stream while the gateway is away comes back by the id it chose. */
    @Test
    void aRunThatWasAcceptedAndHasNotBegunIsNotSaidToBeUnknown() {
        String runId = ids.next();
        front.submit(ALICE, choosing(runId, "hello"));
        PalyraException waits = refusal(() -> front.run(ALICE, runId));
        assertEquals(ErrorCode.GATEWAY_UNAVAILABLE, waits.code());
        assertTrue(waits.getMessage().contains("was accepted"), waits.getMessage());
        assertTrue(front.run(BOB, runId).isEmpty(), "of which nothing is told to others");
        assertTrue(front.run(ALICE, ids.next()).isEmpty());
    }

    @Test
    void theRunAMessageChoseIsKeptForItWhileItWaits() {
        String runId = ids.next();
        Submission sent = front.submit(ALICE, choosing(runId, "hi"));
        assertEquals("", sent.runId(), "no run exists yet");
        assertEquals("", front.submission(ALICE, sent.messageId()).runId());
        assertEquals(runId, inbox(sent).runId());
        assertEquals(runId, stored(sent).runId());
    }

    @Test
    void theSameMessageForTheSameRunIsTheSameSubmission() {
        String runId = ids.next();
        Submission first = front.submit(ALICE, choosing(runId, "hi"));
        Submission again = front.submit(ALICE, choosing(runId, "hi"));
        assertEquals(new Submission(first.messageId(), "", "", true), again);
        assertEquals(
                ErrorCode.IDEMPOTENCY_MISMATCH,
                codeOf(() -> front.submit(ALICE, choosing(runId, "ho"))));
        assertEquals(1, stage.journal().inboxIn(InboxRow.State.QUEUED, "", 10).size());
        assertEquals(1, stage.decisions("run.start").size());
    }

    @Test
    void aRunThatAWaitingMessageChoseIsRefusedToOthersWithoutSayingWhose() {
        String runId = ids.next();
        front.submit(ALICE, choosing(runId, "hi"));
        for (SubmittedMessage other :
                List.of(choosing(runId, "hi"), message("k", "hi", runId, "", false))) {
            PalyraException refused = refusal(() -> front.submit(BOB, other));
            assertEquals(ErrorCode.ALREADY_EXISTS, refused.code());
            assertFalse(refused.getMessage().contains("alice"), refused.getMessage());
        }
        assertEquals(
                ErrorCode.ALREADY_EXISTS,
                codeOf(() -> front.submit(ALICE, message("k", "hi", runId, "", false))));
        assertEquals(1, stage.journal().inboxIn(InboxRow.State.QUEUED, "", 10).size());
    }

    @Test
    void aRunThatExistsIsRefusedToAnyNewMessage() {
        TestRun run = new TestRun(stage::journal, ALICE.id());
        for (Principal who : List.of(ALICE, BOB, OPERATOR)) {
            PalyraException refused = refusal(() -> front.submit(who, choosing(run.runId, "hi")));
            assertEquals(ErrorCode.ALREADY_EXISTS, refused.code());
            assertFalse(refused.getMessage().contains("alice"), refused.getMessage());
        }
        assertEquals(List.of(), stage.journal().inboxIn(InboxRow.State.QUEUED, "", 10));
    }

    @Test
    void whatIsNoIdIsRefusedBeforeAnythingIsAsked() {
        for (String bad : List.of("x", "01j00000000000000000000000", "journal")) {
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT,
                    codeOf(() -> front.submit(ALICE, choosing(bad, "hi"))));
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT,
                    codeOf(() -> front.submit(ALICE, message("", "hi", "", bad, false))));
        }
        assertEquals(List.of(), stage.decisions("run.start"));
    }

    @Test
    void aMessageForAChosenRunGoesThroughTheGatewayOnce() {
        intake.add(gateway(null), Map.of());
        String runId = ids.next();
        Submission sent = front.submit(ALICE, choosing(runId, "hi"));
        assertEquals(runId, sent.runId());
        assertEquals(InboxRow.State.ROUTED, inbox(sent).state());
    }

    @Test
    void aGatewayThatBreaksAfterItTookTheMessageDoesNotMakeTwoOfIt() {
        intake.add(gateway(new IllegalStateException("stopped")), Map.of());
        String runId = ids.next();
        Submission sent = front.submit(ALICE, choosing(runId, "hi"));
        assertEquals(runId, sent.runId());
        assertEquals(List.of(), stage.journal().inboxIn(InboxRow.State.QUEUED, "", 10));
    }

    @Test
    void theRunThatAskedForThisOneMustBeOnesOwn() {
        TestRun own = new TestRun(stage::journal, ALICE.id());
        TestRun foreign = new TestRun(stage::journal, BOB.id());
        Submission sent = front.submit(ALICE, message("", "hi", "", own.runId, false));
        assertEquals(own.runId, stored(sent).originRunId());
        JsonNode facts = stage.decisions("run.start").get(0).path("facts");
        assertEquals(own.runId, facts.path("originRunId").asText());
        for (String runId : List.of(foreign.runId, ids.next())) {
            for (Principal who : List.of(ALICE, OPERATOR)) {
                PalyraException refused =
                        refusal(() -> front.submit(who, message("", "hi", "", runId, false)));
                assertEquals(ErrorCode.NOT_FOUND, refused.code());
                assertFalse(refused.getMessage().contains("bob"), refused.getMessage());
            }
        }
        assertEquals(1, stage.decisions("run.start").size());
    }

    private String sensitiveFact() {
        return stage.decisions("run.start").getLast().path("facts").path("allowSensitive").asText();
    }

    @Test
    void sensitiveToolsAreGrantedToWhoeverIsEntitledOnly() {
        Principal entitled = People.scoped(OPERATOR, "run.*", "tool.allow_sensitive");
        Submission granted = front.submit(entitled, message("", "hi", "", "", true));
        assertTrue(stored(granted).allowSensitiveTools());
        assertEquals("granted", sensitiveFact());
        int denials = 0;
        for (Principal without :
                List.of(
                        ALICE,
                        OPERATOR,
                        People.scoped(OPERATOR, "*"),
                        People.scoped(OPERATOR, "run.*"),
                        People.scoped(ALICE, "run.*", "tool.allow_sensitive"))) {
            Submission refused = front.submit(without, message("", "hi", "", "", true));
            assertFalse(stored(refused).allowSensitiveTools(), without.toString());
            assertEquals("refused", sensitiveFact());
            denials++;
            assertEquals(denials, stage.decisions("tool.allow_sensitive").size());
        }
        front.submit(ALICE, message("", "hi", "", "", false));
        assertEquals("", sensitiveFact(), "nobody asked");
        assertEquals(denials, stage.decisions("tool.allow_sensitive").size());
    }

    @Test
    void whatWasGrantedTheFirstTimeStays() {
        Principal entitled = People.scoped(OPERATOR, "run.*", "tool.allow_sensitive");
        Submission first = front.submit(OPERATOR, message("k", "hi", "", "", true));
        Submission again = front.submit(entitled, message("k", "hi", "", "", true));
        assertTrue(again.duplicate());
        assertEquals(first.messageId(), again.messageId());
        assertFalse(stored(again).allowSensitiveTools());
    }

    @Test
    void withoutADecisionAboutSensitiveToolsNothingIsAccepted() {
        Gate<Access> nobody = new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, 0);
        try (RunFront deaf = front(new GatedAccess(nobody))) {
            assertEquals(
                    ErrorCode.POLICY_UNAVAILABLE,
                    codeOf(() -> deaf.submit(ALICE, message("", "hi", "", "", true))));
        }
        assertEquals(List.of(), stage.journal().inboxIn(InboxRow.State.QUEUED, "", 10));
    }

    @Test
    void whereAMessageCameFromAndTheGroupsOfItsPrincipalStayWithIt() {
        SubmittedMessage asked =
                new SubmittedMessage(
                        "discord", "", "", "", "laptop", "discord:42", "", "hi", "", false);
        Submission sent = front.submit(ALICE, asked);
        assertEquals(asked, stored(sent));
        assertEquals(ALICE.groups(), SubmissionCodec.principalGroups(inbox(sent).payload()));
        assertFalse(ALICE.groups().isEmpty());
        var facts = stage.decisions("run.start").getLast().path("facts");
        assertEquals("discord:42", facts.path("channel").asText());
        assertEquals("laptop", facts.path("device").asText());
    }
}

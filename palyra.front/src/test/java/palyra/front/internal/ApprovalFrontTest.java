package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalView;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.TapeCodec;

class ApprovalFrontTest {
    private static final Principal ALICE = People.person("alice", "integrator");
    private static final Principal BOB = People.person("bob", "integrator");
    private static final Principal VIEWER = People.person("vic", "viewer");
    private static final Principal APPROVER = People.person("ann", "approver");
    private static final Principal OPERATOR = People.person("op", "operator");
    private static final long FAR = 4_000_000_000_000L;
    private static final long LONG_AGO = 1_000;
    private static final String DETAILS = "{\"command\":\"rm\"}";

    @TempDir Path state;
    private final Ulids ids = new Ulids();
    private Stage stage;
    private ApprovalFront front;
    private TestRun run;

    @BeforeEach
    void open() {
        stage = Stage.open(state);
        front = front(System.currentTimeMillis());
        run = new TestRun(stage::journal, ALICE.id());
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private ApprovalFront front(long nowMillis) {
        return new ApprovalFront(stage.access, stage.journalGate, () -> nowMillis);
    }

    private ApprovalRow question(String runId, long expiresAtMillis) {
        String id = ids.next();
        return new ApprovalRow(
                id,
                runId,
                "call-1",
                ApprovalRow.State.PENDING,
                TapeCodec.payload(
                        new TapeEvent.ApprovalRequest(id, "call-1", DETAILS, expiresAtMillis)),
                0,
                expiresAtMillis,
                0,
                "");
    }

    private String ask(TestRun of, long expiresAtMillis) {
        ApprovalRow row = question(of.runId, expiresAtMillis);
        stage.journal().commit(Unit.of(new Operation.PutApproval(row)));
        return row.approvalId();
    }

    private static ApprovalAnswer yes(String id) {
        return new ApprovalAnswer(id, true, ApprovalScope.ONCE, 0, "");
    }

    private static ApprovalAnswer no(String id, String reason) {
        return new ApprovalAnswer(id, false, ApprovalScope.ONCE, 0, reason);
    }

    private static PalyraException refusal(Runnable action) {
        return assertThrows(PalyraException.class, action::run);
    }

    private static ErrorCode codeOf(Runnable action) {
        return refusal(action).code();
    }

    private List<TapeEvent.ApprovalDecision> decided() {
        List<TapeEvent.ApprovalDecision> decisions = new ArrayList<>();
        stage.journal()
                .tape(run.runId, 0, 1_000)
                .forEach(
                        record -> {
                            if (TapeCodec.event(record) instanceof TapeEvent.ApprovalDecision d) {
                                decisions.add(d);
                            }
                        });
        return decisions;
    }

    private static List<String> idsOf(List<ApprovalView> views) {
        return views.stream().map(ApprovalView::approvalId).toList();
    }

    @Test
    void anAnswerIsOnTheTapeWithItsPermit() {
        String id = ask(run, FAR);
        ApprovalView answered = front.decide(APPROVER, yes(id));
        assertEquals(ApprovalState.GRANTED, answered.state());
        assertEquals(APPROVER.id(), answered.decidedBy());
        assertTrue(answered.decidedAtMillis() > 0);
        assertEquals(DETAILS, answered.detailsJson());
        assertEquals(
                List.of(
                        new TapeEvent.ApprovalDecision(
                                id, "call-1", true, "once", APPROVER.id(), "")),
                decided());
        assertEquals(1, stage.decisions("approval.decide").size());
        assertEquals(ALICE.id(), stage.decisions("approval.decide").get(0).path("owner").asText());
    }

    @Test
    void aNoHasAReasonAndNoReach() {
        String id = ask(run, FAR);
        assertEquals(ApprovalState.DENIED, front.decide(OPERATOR, no(id, "too risky")).state());
        assertEquals(
                List.of(
                        new TapeEvent.ApprovalDecision(
                                id, "call-1", false, "", OPERATOR.id(), "too risky")),
                decided());
    }

    @Test
    void howFarAYesReachesIsOnTheTape() {
        front.decide(
                APPROVER, new ApprovalAnswer(ask(run, FAR), true, ApprovalScope.SESSION, 0, ""));
        front.decide(
                APPROVER,
                new ApprovalAnswer(ask(run, FAR), true, ApprovalScope.TIMEBOXED, 60_000, ""));
        assertEquals(
                List.of("session", "timeboxed:60000"),
                decided().stream().map(TapeEvent.ApprovalDecision::scope).toList());
    }

    @Test
    void theSecondAnswerIsToldOfTheFirst() {
        String id = ask(run, FAR);
        front.decide(APPROVER, yes(id));
        for (ApprovalAnswer late : List.of(yes(id), no(id, ""))) {
            PalyraException refused = refusal(() -> front.decide(OPERATOR, late));
            assertEquals(ErrorCode.CONFLICT, refused.code());
            assertTrue(refused.getMessage().contains("granted by user:ann"), refused.getMessage());
        }
        String other = ask(run, FAR);
        front.decide(OPERATOR, no(other, ""));
        PalyraException refused = refusal(() -> front.decide(APPROVER, yes(other)));
        assertTrue(refused.getMessage().contains("denied by user:op"), refused.getMessage());
        assertEquals(2, decided().size());
        assertEquals(2, stage.decisions("approval.decide").size());
    }

    @Test
    void ofManyAnswersAtOnceOneWins() throws Exception {
        String id = ask(run, FAR);
        List<Callable<Optional<ApprovalView>>> race = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Principal who = i % 3 == 0 ? OPERATOR : APPROVER;
            ApprovalAnswer answer = i % 2 == 0 ? yes(id) : no(id, "");
            race.add(
                    () -> {
                        try {
                            return Optional.of(front.decide(who, answer));
                        } catch (PalyraException e) {
                            assertEquals(ErrorCode.CONFLICT, e.code(), e.getMessage());
                            assertTrue(
                                    e.getMessage().contains("granted by")
                                            || e.getMessage().contains("denied by"),
                                    e.getMessage());
                            return Optional.empty();
                        }
                    });
        }
        List<ApprovalView> won = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(race.size())) {
            for (Future<Optional<ApprovalView>> racer :
                    threads.invokeAll(race, 60, TimeUnit.SECONDS)) {
                racer.get().ifPresent(won::add);
            }
        }
        assertEquals(1, won.size());
        assertEquals(1, decided().size());
        assertEquals(won.get(0).state() == ApprovalState.GRANTED, decided().get(0).granted());
        assertEquals(won.get(0).decidedBy(), decided().get(0).decidedBy());
        assertEquals(1, stage.decisions("approval.decide").size());
        assertTrue(stage.journal().verifyStream("journal", () -> false).intact());
    }

    @Test
    void anAnswerThatComesTooLateIsNone() {
        String id = ask(run, LONG_AGO);
        for (ApprovalAnswer late : List.of(yes(id), no(id, ""))) {
            PalyraException refused = refusal(() -> front.decide(APPROVER, late));
            assertEquals(ErrorCode.CONFLICT, refused.code());
            assertTrue(refused.getMessage().contains("expired"), refused.getMessage());
        }
        // Nor when the clock of whoever asks is behind: the journal's own counts.
        ApprovalFront behind = front(0);
        assertEquals(ErrorCode.CONFLICT, codeOf(() -> behind.decide(APPROVER, yes(id))));
        assertEquals(List.of(), decided());
        assertEquals(ApprovalRow.State.PENDING, stage.journal().approval(id).orElseThrow().state());
        assertEquals(ApprovalState.EXPIRED, front.approval(APPROVER, id).orElseThrow().state());
        assertEquals(List.of(), front.pending(APPROVER, "", "", 10));
    }

    @Test
    void theEndOfTheRunWithdrawsTheQuestion() {
        String id = ask(run, FAR);
        run.end(RunState.CANCELLED);
        PalyraException refused = refusal(() -> front.decide(APPROVER, yes(id)));
        assertEquals(ErrorCode.CONFLICT, refused.code());
        assertTrue(refused.getMessage().contains("withdrawn"), refused.getMessage());
        assertEquals(List.of(), decided());
        assertEquals(ApprovalState.WITHDRAWN, front.approval(ALICE, id).orElseThrow().state());
    }

    @Test
    void onlyApproversAndOperatorsDecide() {
        String id = ask(run, FAR);
        for (Principal who : List.of(ALICE, BOB, VIEWER, People.person("nobody"))) {
            assertEquals(ErrorCode.DENIED, codeOf(() -> front.decide(who, yes(id))), who.id());
            assertEquals(
                    ErrorCode.DENIED, codeOf(() -> front.decide(who, yes(ids.next()))), who.id());
        }
        assertEquals(List.of(), decided());
        assertEquals(ApprovalRow.State.PENDING, stage.journal().approval(id).orElseThrow().state());
        // Not even about what is one's own, when one has another group only.
        TestRun approvers = new TestRun(stage::journal, APPROVER.id());
        front.decide(APPROVER, yes(ask(approvers, FAR)));
        front.decide(APPROVER, yes(id));
    }

    @Test
    void anUnknownQuestionIsNotFound() {
        assertEquals(ErrorCode.NOT_FOUND, codeOf(() -> front.decide(APPROVER, yes(ids.next()))));
        assertEquals(ErrorCode.INVALID_ARGUMENT, codeOf(() -> front.decide(APPROVER, yes("x"))));
        assertEquals(Optional.empty(), front.approval(APPROVER, ids.next()));
    }

    @Test
    void aQuestionIsSeenByItsOwnerByApproversAndByOperators() {
        String id = ask(run, FAR);
        for (Principal who : List.of(ALICE, APPROVER, OPERATOR)) {
            assertEquals(id, front.approval(who, id).orElseThrow().approvalId());
            assertEquals(List.of(id), idsOf(front.pending(who, "", "", 10)));
            assertEquals(List.of(id), idsOf(front.pending(who, run.runId, "", 10)));
        }
        for (Principal who : List.of(BOB, VIEWER)) {
            assertEquals(Optional.empty(), front.approval(who, id));
            assertEquals(List.of(), front.pending(who, "", "", 10));
            assertEquals(ErrorCode.NOT_FOUND, codeOf(() -> front.pending(who, run.runId, "", 10)));
        }
        Principal nobody = People.person("nobody");
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.approval(nobody, id)));
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.pending(nobody, "", "", 10)));
        assertEquals(
                ErrorCode.NOT_FOUND, codeOf(() -> front.pending(APPROVER, ids.next(), "", 10)));
    }

    @Test
    void openQuestionsArePagedFromTheOldest() {
        List<String> asked = List.of(ask(run, FAR), ask(run, FAR), ask(run, FAR));
        front.decide(APPROVER, yes(asked.get(1)));
        ask(run, LONG_AGO);
        String last = ask(run, FAR);
        assertEquals(
                List.of(asked.get(0), asked.get(2)), idsOf(front.pending(APPROVER, "", "", 2)));
        assertEquals(List.of(last), idsOf(front.pending(APPROVER, "", asked.get(2), 2)));
        for (int limit : new int[] {0, -1, 501}) {
            assertEquals(
                    ErrorCode.INVALID_ARGUMENT,
                    codeOf(() -> front.pending(APPROVER, "", "", limit)));
        }
    }

    @Test
    void onesOwnQuestionsAreFoundBehindManyOfOthers() {
        TestRun bobs = new TestRun(stage::journal, BOB.id());
        List<Operation> many = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            many.add(new Operation.PutApproval(question(bobs.runId, FAR)));
        }
        stage.journal().commit(Unit.of(many.toArray(Operation[]::new)));
        String own = ask(run, FAR);
        assertEquals(List.of(own), idsOf(front.pending(ALICE, "", "", 10)));
        assertEquals(500, front.pending(APPROVER, "", "", 500).size());
    }

    @Test
    void aQuestionStoredInAnotherFormIsShownAsItIs() {
        ApprovalRow odd =
                new ApprovalRow(
                        ids.next(),
                        run.runId,
                        "c",
                        ApprovalRow.State.PENDING,
                        DETAILS.getBytes(StandardCharsets.UTF_8),
                        0,
                        FAR,
                        0,
                        "");
        stage.journal().commit(Unit.of(new Operation.PutApproval(odd)));
        assertEquals(DETAILS, front.approval(ALICE, odd.approvalId()).orElseThrow().detailsJson());
    }
}

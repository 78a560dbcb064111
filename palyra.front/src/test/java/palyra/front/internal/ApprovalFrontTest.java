package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.front.internal.Answers.codeOf;
import static palyra.front.internal.Answers.idsOf;
import static palyra.front.internal.Answers.no;
import static palyra.front.internal.Answers.refusal;
import static palyra.front.internal.Answers.yes;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalSubject;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.GrantShape;
import palyra.api.approval.RiskLevel;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.front.internal.approval.ApprovalFront;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.Coverage;
import palyra.shared.hash.Ulids;
import palyra.shared.json.StrictJson;

class ApprovalFrontTest extends AnswerStage {
    private static final long LONG_AGO = 1_000;
    private final Ulids ids = new Ulids();

    private String ask() {
        return Questions.ask().in(stage, run);
    }

    private String askLongAgo() {
        return Questions.ask().expires(LONG_AGO).in(stage, run);
    }

    @Test
    void aYesIsOnTheTapeWithItsPermitAndMakesAGrant() {
        String id = ask();
        ApprovalView answered = front.decide(APPROVER, yes(id));
        assertEquals(ApprovalState.GRANTED, answered.state());
        assertEquals(APPROVER.id(), answered.outcome().decidedBy());
        assertTrue(answered.outcome().decidedAtMillis() > 0);
        GrantRow grant = grants().get(0);
        assertEquals(grant.grantId(), answered.outcome().grantId());
        assertEquals(
                List.of(
                        new TapeEvent.ApprovalDecision(
                                id,
                                "call-1",
                                true,
                                "once",
                                APPROVER.id(),
                                "",
                                "exact",
                                grant.grantId(),
                                List.of(APPROVER.id()))),
                decided());
        assertEquals(List.of(), told(TapeEvent.ApprovalVoted.class));
        assertEquals(1, stage.decisions("approval.decide").size());
        assertEquals(ALICE.id(), stage.decisions("approval.decide").get(0).path("owner").asText());
        assertEquals(APPROVER.id(), answered.votes().get(0).principal());
    }

    @Test
    void aYesForOneCallCoversThatCallOnce() {
        front.decide(APPROVER, yes(ask(), ApprovalScope.ONCE, GrantShape.PATTERN, 7));
        GrantRow grant = grants().get(0);
        assertEquals("call-1", grant.callId());
        assertEquals(1, grant.maxUses());
        assertEquals(0, grant.expiresAtMillis());
        assertEquals(ALICE.id(), grant.principal());
        assertEquals("default", grant.agentId());
        assertEquals("palyra.process.run", grant.tool());
        Coverage coverage = ApprovalRequestCodec.coverage(grant.payload());
        assertEquals("ab".repeat(32), coverage.workspaceSha256());
        assertEquals(List.of("p-1"), coverage.running());
        assertEquals("EXACT", coverage.shape());
        assertEquals("covers ONCE EXACT", coverage.covers());
        assertEquals(Questions.BINDING, coverage.bindingSha256());
        assertEquals(
                List.of(new Coverage.Voter(APPROVER.id(), List.of("approver"))), coverage.voters());
    }

    @Test
    void aYesForTheSessionEndsWithIt() {
        front.decide(APPROVER, yes(ask(), ApprovalScope.SESSION, GrantShape.PATTERN, 7));
        GrantRow grant = grants().get(0);
        assertEquals(run.sessionId, grant.sessionId());
        assertEquals("", grant.callId());
        assertEquals(7, grant.maxUses());
        assertEquals(0, grant.expiresAtMillis());
        Coverage coverage = ApprovalRequestCodec.coverage(grant.payload());
        assertEquals("PATTERN", coverage.shape());
        assertEquals(Questions.ask().of(run).pattern(), coverage.pattern());
        assertEquals("session", decided().get(0).scope());
        assertEquals("pattern", decided().get(0).shape());
    }

    @Test
    void aYesForAWhileEndsWithIt() {
        front = front(1_000_000);
        front.decide(
                APPROVER, new ApprovalAnswer(ask(), true, ApprovalScope.TIMEBOXED, 60_000, ""));
        GrantRow grant = grants().get(0);
        assertEquals("", grant.sessionId());
        assertEquals(1_060_000, grant.expiresAtMillis());
        assertEquals("timeboxed:60000", decided().get(0).scope());
    }

    @Test
    void aNoHasAReasonAndNoReach() {
        String id = ask();
        ApprovalView denied = front.decide(OPERATOR, no(id, "too risky"));
        assertEquals(ApprovalState.DENIED, denied.state());
        assertEquals("too risky", denied.outcome().reason());
        assertEquals(
                List.of(
                        new TapeEvent.ApprovalDecision(
                                id,
                                "call-1",
                                false,
                                "",
                                OPERATOR.id(),
                                "too risky",
                                "",
                                "",
                                List.of())),
                decided());
        assertEquals(List.of(), grants());
    }

    @Test
    void aQuestionShowsEverythingThatWasAsked() {
        ApprovalView view = front.approval(ALICE, ask()).orElseThrow();
        assertEquals("Run git?", view.prompt().title());
        assertEquals(RiskLevel.HIGH, view.prompt().risk());
        assertEquals(ApprovalSubject.TOOL, view.subject());
        assertEquals("git log", view.requestSummary());
        assertEquals(Questions.ANYBODY, view.approvers());
        assertEquals(6, view.prompt().options().size());
        assertEquals("deny_once", view.prompt().options().get(5).optionId());
        assertEquals("ask_first", view.policy().policyId());
        assertEquals(run.runId, view.runId());
        assertEquals(ALICE.id(), view.origin().principal());
        assertEquals(
                Questions.BINDING,
                StrictJson.parse(view.prompt().detailsJson(), "details")
                        .path("call")
                        .path("bindingSha256")
                        .asText());
    }

    @Test
    void theSecondAnswerIsToldOfTheFirst() {
        String id = ask();
        front.decide(APPROVER, yes(id));
        for (ApprovalAnswer late : List.of(yes(id), no(id, ""))) {
            PalyraException refused = refusal(() -> front.decide(OPERATOR, late));
            assertEquals(ErrorCode.CONFLICT, refused.code());
            assertTrue(
                    refused.getMessage().contains("granted by user:ann at 20"),
                    refused.getMessage());
        }
        String other = ask();
        front.decide(OPERATOR, no(other, ""));
        PalyraException refused = refusal(() -> front.decide(APPROVER, yes(other)));
        assertTrue(refused.getMessage().contains("denied by user:op at 20"), refused.getMessage());
        assertEquals(2, decided().size());
        assertEquals(1, grants().size());
        assertEquals(2, stage.decisions("approval.decide").size());
    }

    @Test
    void anAnswerThatComesTooLateIsNone() {
        String id = askLongAgo();
        // Whatever the clock of whoever asks says: the journal's own counts.
        for (ApprovalFront asking : List.of(front, front(0))) {
            for (ApprovalAnswer late : List.of(yes(id), no(id, ""))) {
                PalyraException refused = refusal(() -> asking.decide(APPROVER, late));
                assertEquals(ErrorCode.CONFLICT, refused.code());
                assertTrue(refused.getMessage().contains("expired at"), refused.getMessage());
            }
        }
        assertEquals(List.of(), decided());
        assertEquals(ApprovalRow.State.PENDING, row(id).state());
        assertEquals(ApprovalState.EXPIRED, front.approval(APPROVER, id).orElseThrow().state());
        assertEquals(List.of(), front.pending(APPROVER, "", "", 10));
    }

    @Test
    void aClockThatIsAheadMakesNoAnswerLate() {
        String id = Questions.ask().expires(Questions.FAR).in(stage, run);
        assertEquals(
                ApprovalState.GRANTED, front(Questions.FAR + 1).decide(APPROVER, yes(id)).state());
    }

    @Test
    void theEndOfTheRunWithdrawsTheQuestion() {
        String id = ask();
        run.end(RunState.CANCELLED);
        PalyraException refused = refusal(() -> front.decide(APPROVER, yes(id)));
        assertEquals(ErrorCode.CONFLICT, refused.code());
        assertTrue(refused.getMessage().contains("withdrawn"), refused.getMessage());
        assertEquals(List.of(), decided());
        assertEquals(ApprovalState.WITHDRAWN, front.approval(ALICE, id).orElseThrow().state());
    }

    @Test
    void onlyApproversAndOperatorsDecide() {
        String id = ask();
        for (Principal who : List.of(ALICE, BOB, VIEWER, People.person("nobody"))) {
            assertEquals(ErrorCode.DENIED, codeOf(() -> front.decide(who, yes(id))), who.id());
            assertEquals(
                    ErrorCode.DENIED, codeOf(() -> front.decide(who, yes(ids.next()))), who.id());
        }
        assertEquals(List.of(), decided());
        assertEquals(ApprovalRow.State.PENDING, row(id).state());
        // Not even about what is one's own, when one has another group only.
        TestRun approvers = new TestRun(stage::journal, APPROVER.id());
        front.decide(APPROVER, yes(Questions.ask().in(stage, approvers)));
        front.decide(APPROVER, yes(id));
    }

    @Test
    void whoIsPermittedButNotAskedIsRefusedAndThatIsRecorded() {
        String id = Questions.ask().by("user:carol", "group:owners").in(stage, run);
        for (ApprovalAnswer answer : List.of(yes(id), no(id, ""))) {
            PalyraException refused = refusal(() -> front.decide(APPROVER, answer));
            assertEquals(ErrorCode.DENIED, refused.code());
            assertTrue(
                    refused.getMessage().contains("group:owners or user:carol"),
                    refused.getMessage());
        }
        assertEquals(List.of(), decided());
        List<TapeRecord> refusals =
                stage.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1_000).stream()
                        .filter(record -> record.type().equals("approval_refused"))
                        .toList();
        assertEquals(2, refusals.size());
        assertEquals(
                APPROVER.id(),
                StrictJson.parse(refusals.get(0).payload(), "a refusal")
                        .path("principal")
                        .asText());
        // The one who is asked may.
        front.decide(People.person("carol", "approver"), yes(id));
    }

    @Test
    void whatIsNotOfferedIsNotGranted() {
        String once = Questions.ask().onceOnly("it starts a shell").in(stage, run);
        PalyraException refused =
                refusal(
                        () ->
                                front.decide(
                                        APPROVER,
                                        yes(once, ApprovalScope.SESSION, GrantShape.EXACT, 0)));
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        assertTrue(
                refused.getMessage()
                        .endsWith(
                                "it offers once. It cannot be allowed for longer: it starts a"
                                        + " shell."),
                refused.getMessage());
        String plain = Questions.ask().withoutPattern().in(stage, run);
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(
                        () ->
                                front.decide(
                                        APPROVER,
                                        yes(plain, ApprovalScope.SESSION, GrantShape.PATTERN, 0))));
        assertEquals(List.of(), grants());
        front.decide(APPROVER, yes(once));
        front.decide(APPROVER, yes(plain, ApprovalScope.SESSION, GrantShape.EXACT, 0));
    }

    @Test
    void aQuestionThatCannotBeReadCountsAsNo() {
        List<byte[]> damaged = new ArrayList<>();
        damaged.add("{\"command\":\"rm\"}".getBytes(StandardCharsets.UTF_8));
        damaged.add("\0".getBytes(StandardCharsets.UTF_8));
        damaged.add(ApprovalRequestCodec.bytes(Questions.ask().of(run))); // of another question
        for (byte[] payload : damaged) {
            ApprovalRow row = Questions.ask().row(run, payload);
            String id = row.approvalId();
            stage.journal().commit(Unit.of(new Operation.PutApproval(row)));
            ApprovalView view = front.approval(ALICE, id).orElseThrow();
            assertTrue(view.requestSummary().contains("counts as denied"), view.requestSummary());
            assertEquals(
                    List.of("deny_once"),
                    view.prompt().options().stream().map(o -> o.optionId()).toList());
            PalyraException refused = refusal(() -> front.decide(OPERATOR, yes(id)));
            assertEquals(ErrorCode.CORRUPT, refused.code());
            assertTrue(refused.getMessage().contains("counts as no"), refused.getMessage());
            assertEquals(ApprovalState.DENIED, front.decide(OPERATOR, no(id, "damaged")).state());
        }
        assertEquals(List.of(), grants());
    }

    @Test
    void anUnknownQuestionIsNotFound() {
        assertEquals(ErrorCode.NOT_FOUND, codeOf(() -> front.decide(APPROVER, yes(ids.next()))));
        assertEquals(ErrorCode.INVALID_ARGUMENT, codeOf(() -> front.decide(APPROVER, yes("x"))));
        assertEquals(Optional.empty(), front.approval(APPROVER, ids.next()));
    }

    @Test
    void aQuestionIsSeenByItsOwnerByApproversAndByOperators() {
        String id = ask();
        for (Principal who : List.of(ALICE, APPROVER, OPERATOR)) {
            assertEquals(id, front.approval(who, id).orElseThrow().approvalId());
            assertEquals(List.of(id), idsOf(front.pending(who, "", "", 10)));
            assertEquals(List.of(id), idsOf(front.pending(who, run.runId, "", 10)));
            assertEquals(List.of(id), idsOf(front.list(who, ApprovalQuery.ALL, "", 10)));
        }
        for (Principal who : List.of(BOB, VIEWER)) {
            assertEquals(Optional.empty(), front.approval(who, id));
            assertEquals(List.of(), front.pending(who, "", "", 10));
            assertEquals(List.of(), front.list(who, ApprovalQuery.ALL, "", 10));
            assertEquals(ErrorCode.NOT_FOUND, codeOf(() -> front.pending(who, run.runId, "", 10)));
        }
        Principal nobody = People.person("nobody");
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.approval(nobody, id)));
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.pending(nobody, "", "", 10)));
        assertEquals(ErrorCode.DENIED, codeOf(() -> front.list(nobody, ApprovalQuery.ALL, "", 10)));
        assertEquals(
                ErrorCode.NOT_FOUND, codeOf(() -> front.pending(APPROVER, ids.next(), "", 10)));
    }

    @Test
    void openQuestionsArePagedFromTheOldest() {
        List<String> asked = List.of(ask(), ask(), ask());
        front.decide(APPROVER, yes(asked.get(1)));
        askLongAgo();
        String last = ask();
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
    void questionsAreFoundByWhereTheyStand() {
        String open = ask();
        String granted = ask();
        String denied = ask();
        String overdue = askLongAgo();
        String expired = askLongAgo();
        String overdueToo = askLongAgo();
        front.decide(APPROVER, yes(granted));
        front.decide(APPROVER, no(denied, ""));
        stage.journal()
                .commit(
                        Unit.of(
                                new Operation.DecideApproval(
                                        expired, ApprovalRow.State.EXPIRED, "")));
        assertEquals(List.of(open), in(ApprovalState.PENDING));
        assertEquals(List.of(granted), in(ApprovalState.GRANTED));
        assertEquals(List.of(denied), in(ApprovalState.DENIED));
        assertEquals(List.of(overdue, expired, overdueToo), in(ApprovalState.EXPIRED));
        assertEquals(List.of(), in(ApprovalState.WITHDRAWN));
        assertEquals(6, front.list(APPROVER, ApprovalQuery.ALL, "", 10).size());
        assertEquals(
                List.of(expired, overdueToo),
                idsOf(front.list(APPROVER, query(ApprovalState.EXPIRED, ""), overdue, 10)));
        assertEquals(List.of(), front.list(ALICE, query(ApprovalState.EXPIRED, BOB.id()), "", 10));
    }

    private List<String> in(ApprovalState wanted) {
        return idsOf(front.list(APPROVER, query(wanted, ""), "", 10));
    }

    private static ApprovalQuery query(ApprovalState wanted, String principal) {
        return new ApprovalQuery(
                Optional.of(wanted), Optional.empty(), "", principal, "", "", 0, 0);
    }

    @Test
    void onesOwnQuestionsAreFoundBehindManyOfOthers() {
        TestRun bobs = new TestRun(stage::journal, BOB.id());
        List<Operation> many = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            many.add(new Operation.PutApproval(Questions.ask().row(bobs)));
        }
        stage.journal().commit(Unit.of(many.toArray(Operation[]::new)));
        String own = ask();
        assertEquals(List.of(own), idsOf(front.pending(ALICE, "", "", 10)));
        assertEquals(500, front.pending(APPROVER, "", "", 500).size());
    }
}

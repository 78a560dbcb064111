package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.front.internal.Answers.no;
import static palyra.front.internal.Answers.refusal;
import static palyra.front.internal.Answers.yes;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.ApprovalVote;
import palyra.api.approval.GrantShape;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeEvent;
import palyra.front.internal.approval.ApprovalFront;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.Coverage;

class QuorumTest extends AnswerStage {
    private static final int THREADS = 12;
    private static final int ROUNDS = 4;

    @Test
    void theQuestionStaysOpenUntilEnoughHaveSaidYes() {
        String id = Questions.ask().quorum(2).in(stage, run);
        ApprovalView first = front.decide(APPROVER, yes(id));
        assertEquals(ApprovalState.PENDING, first.state());
        assertEquals(List.of(APPROVER.id()), voters(first));
        assertEquals(List.of(), decided());
        assertEquals(List.of(), grants());

        ApprovalView second = front.decide(OPERATOR, yes(id));
        assertEquals(ApprovalState.GRANTED, second.state());
        assertEquals(List.of(APPROVER.id(), OPERATOR.id()), voters(second));
        assertEquals(List.of(APPROVER.id(), OPERATOR.id()), decided().get(0).approvedBy());
        assertEquals(
                List.of(1, 2),
                told(TapeEvent.ApprovalVoted.class).stream()
                        .map(TapeEvent.ApprovalVoted::votes)
                        .toList());
        assertEquals(2, ApprovalRequestCodec.coverage(grants().get(0).payload()).voters().size());
        assertEquals(2, stage.decisions("approval.decide").size());
    }

    private static List<String> voters(ApprovalView view) {
        return view.votes().stream().map(ApprovalVote::principal).toList();
    }

    @Test
    void thePrincipalThatSaidYesIsNotASecondPerson() {
        String id = Questions.ask().quorum(2).in(stage, run);
        front.decide(APPROVER, yes(id));
        Principal again =
                new Principal(
                        APPROVER.id(),
                        APPROVER.kind(),
                        APPROVER.groups(),
                        APPROVER.scopes(),
                        "another credential");
        for (ApprovalAnswer answer : List.of(yes(id), no(id, ""))) {
            PalyraException refused = refusal(() -> front.decide(again, answer));
            assertEquals(ErrorCode.CONFLICT, refused.code());
            assertTrue(
                    refused.getMessage().contains("user:ann said yes to approval " + id + " at 20"),
                    refused.getMessage());
            assertTrue(
                    refused.getMessage().contains("1 of 2 answers are missing"),
                    refused.getMessage());
        }
        assertEquals(1, row(id).votes());
    }

    @Test
    void oneNoEndsItWhateverOthersSaid() {
        String id = Questions.ask().quorum(3).in(stage, run);
        front.decide(APPROVER, yes(id));
        front.decide(OTHER_APPROVER, yes(id));
        assertEquals(ApprovalState.DENIED, front.decide(OPERATOR, no(id, "stop")).state());
        assertEquals(List.of(), grants());
        assertEquals(1, decided().size());
    }

    @Test
    void severalPeopleAllowWhatAllOfThemAllowed() {
        String id = Questions.ask().quorum(3).in(stage, run);
        front = front(1_000_000);
        front.decide(APPROVER, yes(id, ApprovalScope.TIMEBOXED, GrantShape.PATTERN, 9));
        front.decide(OTHER_APPROVER, yes(id, ApprovalScope.SESSION, GrantShape.EXACT, 0));
        ApprovalView view =
                front.decide(
                        OPERATOR,
                        new ApprovalAnswer(
                                id,
                                true,
                                ApprovalScope.TIMEBOXED,
                                GrantShape.PATTERN,
                                30_000,
                                4,
                                ""));
        assertEquals(GrantShape.EXACT, view.outcome().shape());
        assertEquals(30_000, view.outcome().ttlMillis());
        GrantRow grant = grants().get(0);
        assertEquals(run.sessionId, grant.sessionId());
        assertEquals(1_030_000, grant.expiresAtMillis());
        assertEquals(4, grant.maxUses());
        // One who said once is enough for once.
        String narrow = Questions.ask().quorum(2).in(stage, run);
        front.decide(APPROVER, yes(narrow));
        front.decide(OPERATOR, yes(narrow, ApprovalScope.SESSION, GrantShape.PATTERN, 0));
        GrantRow once = grants().get(1);
        assertEquals("call-1", once.callId());
        assertEquals(1, once.maxUses());
    }

    @Test
    void whereOthersAreAskedTheOneWhoseRunItIsHasNoSay() {
        TestRun own = new TestRun(stage::journal, OPERATOR.id());
        String id = Questions.ask().others().in(stage, own);
        for (ApprovalAnswer answer : List.of(yes(id), no(id, ""))) {
            PalyraException refused = refusal(() -> front.decide(OPERATOR, answer));
            assertEquals(ErrorCode.DENIED, refused.code());
            assertTrue(refused.getMessage().contains("another person"), refused.getMessage());
        }
        assertEquals(ApprovalState.GRANTED, front.decide(APPROVER, yes(id)).state());
        // Without that word one answers one's own.
        front.decide(OPERATOR, yes(Questions.ask().in(stage, own)));
    }

    private static Principal speaking(Principal as, String person) {
        return new Principal(
                as.id(), as.kind(), as.groups(), as.scopes(), as.credentialId(), person);
    }

    private void assertRefused(Principal who, String id, String why) {
        for (ApprovalAnswer answer : List.of(yes(id), no(id, ""))) {
            PalyraException refused = refusal(() -> front.decide(who, answer));
            assertEquals(ErrorCode.DENIED, refused.code());
            assertTrue(refused.getMessage().contains(why), refused.getMessage());
        }
    }

    @Test
    void deniesAnAnswerOfTheCredentialThatStartedTheRunUnderAnotherName() {
        // the approver's credential started ALICE's run; neither its own name nor a third one helps
        String id = Questions.ask().others().startedBy(APPROVER.id()).in(stage, run);
        assertRefused(APPROVER, id, "which " + APPROVER.id() + " started");
        assertRefused(speaking(OTHER_APPROVER, APPROVER.id()), id, "another person");
        assertEquals(ApprovalState.GRANTED, front.decide(OTHER_APPROVER, yes(id)).state());
        // and a credential of the run's principal that speaks for an approver is that principal
        String own = Questions.ask().others().in(stage, run);
        assertRefused(speaking(APPROVER, ALICE.id()), own, "another person");
        assertEquals(ApprovalState.GRANTED, front.decide(APPROVER, yes(own)).state());
    }

    @Test
    void deniesACredentialThatMaySpeakForTheAskerWhereOthersAreAsked() {
        Principal may = People.scoped(APPROVER, "access.speak_for", "approval.*");
        String id = Questions.ask().others().in(stage, run);
        assertRefused(may, id, "may speak for that principal");
        assertEquals(
                ApprovalState.GRANTED,
                front.decide(People.scoped(APPROVER, "approval.*"), yes(id)).state());
        front.decide(may, yes(Questions.ask().in(stage, run)));
    }

    @Test
    void countsOneVoteOfAPersonUnderTwoNames() {
        String id = Questions.ask().quorum(2).in(stage, run);
        front.decide(speaking(APPROVER, OPERATOR.id()), yes(id));
        PalyraException second = refusal(() -> front.decide(OPERATOR, yes(id)));
        assertEquals(ErrorCode.CONFLICT, second.code());
        assertTrue(second.getMessage().contains("answers once"), second.getMessage());
        assertEquals(ApprovalState.GRANTED, front.decide(OTHER_APPROVER, yes(id)).state());
        assertEquals(
                List.of(OPERATOR.id(), OTHER_APPROVER.id()),
                ApprovalRequestCodec.coverage(grants().get(0).payload()).voters().stream()
                        .map(Coverage.Voter::person)
                        .toList());
    }

    @Test
    void whoIsAskedLastAnswersOnlyFromThenOn() {
        long then = 2_000_000;
        String id = Questions.ask().by("user:ann").escalates(then, "group:operator").in(stage, run);
        PalyraException early = refusal(() -> front(then - 1).decide(OPERATOR, yes(id)));
        assertEquals(ErrorCode.DENIED, early.code());
        assertTrue(early.getMessage().contains("on also group:operator may"), early.getMessage());
        ApprovalView before = front(then - 1).approval(ALICE, id).orElseThrow();
        assertEquals(List.of("user:ann"), before.approvers());
        ApprovalView after = front(then).approval(ALICE, id).orElseThrow();
        assertTrue(after.escalated());
        assertEquals(List.of("group:operator", "user:ann"), after.approvers());
        assertEquals(ApprovalState.GRANTED, front(then).decide(OPERATOR, yes(id)).state());
    }

    /** The journal moves the end of a question when the clock jumps; what is before it follows. */
    @Test
    void whoIsAskedLastIsAskedLaterWhenTheEndMoved() {
        long then = 2_000_000;
        long jump = 86_400_000;
        Questions asked = Questions.ask().by("user:ann").escalates(then, "group:operator");
        byte[] payload = ApprovalRequestCodec.bytes(asked.of(run));
        ApprovalRow moved = asked.expires(Questions.FAR + jump).row(run, payload);
        stage.journal().commit(Unit.of(new Operation.PutApproval(moved)));
        String id = moved.approvalId();
        assertEquals(
                ErrorCode.DENIED,
                refusal(() -> front(then + jump - 1).decide(OPERATOR, yes(id))).code());
        assertEquals(ApprovalState.GRANTED, front(then + jump).decide(OPERATOR, yes(id)).state());
    }

    @Test
    void votesSurviveARestart() {
        String id = Questions.ask().quorum(3).in(stage, run);
        for (Principal who : List.of(APPROVER, OTHER_APPROVER)) {
            front.decide(who, yes(id));
            stage.journalGoes();
            stage.journalComes();
            front = front(System.currentTimeMillis());
        }
        assertEquals(2, row(id).votes());
        assertEquals(ErrorCode.CONFLICT, refusal(() -> front.decide(APPROVER, yes(id))).code());
        assertEquals(ApprovalState.GRANTED, front.decide(OPERATOR, yes(id)).state());
        assertEquals(3, decided().get(0).approvedBy().size());
    }

    @Test
    void theTimeIsOverForTheLastYesAsForTheFirst() throws InterruptedException {
        long end = System.currentTimeMillis() + 5_000;
        String id = Questions.ask().quorum(2).expires(end).in(stage, run);
        front.decide(APPROVER, yes(id));
        while (System.currentTimeMillis() <= end) {
            Thread.sleep(20);
        }
        PalyraException refused = refusal(() -> front.decide(OPERATOR, yes(id)));
        assertEquals(ErrorCode.CONFLICT, refused.code());
        assertTrue(refused.getMessage().contains("without enough answers"), refused.getMessage());
        assertEquals(List.of(), grants());
    }

    /** Twelve people at two fronts, all at once: what they are told is what became of it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void ofManyAnswersAtOnceTheFirstOnesCount(int quorum) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            String id = Questions.ask().quorum(quorum).in(stage, run);
            // A round without a no, then with more and more of them.
            List<String> told = race(id, round * 2);
            ApprovalRow row = row(id);
            int yes = (int) told.stream().filter("yes"::equals).count();
            int no = (int) told.stream().filter("no"::equals).count();
            assertEquals(row.votes(), yes, told.toString());
            if (row.state() == ApprovalRow.State.GRANTED) {
                assertEquals(quorum, yes, told.toString());
                assertEquals(0, no, told.toString());
            } else {
                assertEquals(ApprovalRow.State.DENIED, row.state());
                assertEquals(1, no, told.toString());
                assertTrue(yes < quorum, told.toString());
            }
            long decisions =
                    decided().stream().filter(each -> each.approvalId().equals(id)).count();
            assertEquals(1, decisions);
            long grants = grants().stream().filter(each -> each.approvalId().equals(id)).count();
            assertEquals(row.state() == ApprovalRow.State.GRANTED ? 1 : 0, grants);
            List<String> voters =
                    stage.journal().approvalVotes(id).stream().map(v -> v.principal()).toList();
            assertEquals(voters.size(), new HashSet<>(voters).size());
        }
        assertTrue(stage.journal().verifyStream("journal", () -> false).intact());
    }

    private List<String> race(String id, int refusing) throws Exception {
        ApprovalFront second = front(System.currentTimeMillis());
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Callable<String>> racers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Principal who = People.person("racer" + i, i % 2 == 0 ? "approver" : "operator");
            ApprovalFront at = i % 3 == 0 ? second : front;
            ApprovalAnswer answer = i < refusing ? no(id, "no") : yes(id);
            racers.add(
                    () -> {
                        start.await(30, TimeUnit.SECONDS);
                        return outcome(at, who, answer);
                    });
        }
        List<String> told = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (Future<String> racer : threads.invokeAll(racers, 120, TimeUnit.SECONDS)) {
                told.add(racer.get());
            }
        }
        return told;
    }

    private static String outcome(ApprovalFront at, Principal who, ApprovalAnswer answer) {
        try {
            at.decide(who, answer);
            return answer.granted() ? "yes" : "no";
        } catch (PalyraException e) {
            assertEquals(ErrorCode.CONFLICT, e.code(), e.getMessage());
            assertTrue(
                    e.getMessage().contains("granted by user:racer")
                            || e.getMessage().contains("denied by user:racer"),
                    e.getMessage());
            return "late";
        }
    }
}

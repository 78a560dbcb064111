package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.ApprovalVoteRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.run.RunState;

/** People vote once each and are reminded once each time. */
interface ApprovalVoteRules extends Rules {
    private ApprovalRow asked(String runId, int quorum, long noticeAtMillis) {
        return ApprovalRow.asked(
                IDS.next(),
                runId,
                "call-1",
                "session-1",
                ALICE,
                "TOOL",
                "tool:palyra.echo",
                Rules.json("may I?"),
                quorum,
                clock().millis() + 10_000,
                noticeAtMillis);
    }

    private String ask(int quorum, long noticeAtMillis) {
        ApprovalRow row = asked(newRun(RunState.RUNNING), quorum, noticeAtMillis);
        commit(new Operation.PutApproval(row));
        return row.approvalId();
    }

    private static Operation vote(String id, String who) {
        return new Operation.VoteApproval(id, who, Rules.json(who));
    }

    private static Operation grant(String id) {
        return new Operation.DecideApproval(id, ApprovalRow.State.GRANTED, "user:bob");
    }

    private ApprovalRow found(String id) {
        return journal().approval(id).orElseThrow();
    }

    @Test
    default void questionIsKeptAsItWasAsked() {
        ApprovalRow row = asked(newRun(RunState.RUNNING), 3, clock().millis() + 5_000);
        commit(new Operation.PutApproval(row));
        ApprovalRow found = found(row.approvalId());
        assertEquals("session-1", found.sessionId());
        assertEquals(ALICE, found.principal());
        assertEquals("TOOL", found.subjectType());
        assertEquals("tool:palyra.echo", found.subjectId());
        assertEquals(3, found.quorum());
        assertEquals(0, found.votes());
        assertEquals(clock().millis() + 5_000, found.noticeAtMillis());
        assertEquals(clock().millis(), found.createdAtMillis());
        assertEquals(0, found.decision().length);
        commit(
                new Operation.DecideApproval(
                        row.approvalId(), ApprovalRow.State.DENIED, "user:bob", Rules.json("no")));
        assertArrayEquals(Rules.json("no"), found(row.approvalId()).decision());
        assertEquals(0, found(row.approvalId()).noticeAtMillis());
    }

    @Test
    default void eachUserVotesOnce() {
        String id = ask(2, 0);
        commit(vote(id, "user:bob"));
        Rules.refused(ErrorCode.CONFLICT, () -> commit(vote(id, "user:bob")));
        assertEquals(1, found(id).votes());
        clock().advance(5);
        commit(vote(id, "user:ann"));
        List<ApprovalVoteRow> votes = journal().approvalVotes(id);
        assertEquals(
                List.of("user:bob", "user:ann"),
                votes.stream().map(ApprovalVoteRow::principal).toList());
        assertArrayEquals(Rules.json("user:ann"), votes.get(1).payload());
        assertEquals(clock().millis(), votes.get(1).votedAtMillis());
        assertEquals(2, found(id).votes());
        assertEquals(ApprovalRow.State.PENDING, found(id).state());
        assertEquals(List.of(), journal().approvalVotes("none"));
    }

    @Test
    default void votesAreTakenWhileTheQuestionIsOpenAlone() {
        String decided = ask(1, 0);
        commit(grant(decided));
        Rules.refused(ErrorCode.CONFLICT, () -> commit(vote(decided, "user:ann")));
        String late = ask(1, 0);
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(vote("none", "user:ann")));
        clock().advance(10_000);
        Rules.refused(ErrorCode.CONFLICT, () -> commit(vote(late, "user:ann")));
        assertEquals(List.of(), journal().approvalVotes(late));
    }

    @Test
    default void unitThatCountsOnTheVotesSeesOthersVotes() {
        String id = ask(2, 0);
        commit(new Precondition.ApprovalOpen(id, 0), vote(id, "user:bob"));
        Rules.refused(
                ErrorCode.CONFLICT,
                () -> commit(new Precondition.ApprovalOpen(id, 0), vote(id, "user:ann")));
        assertEquals(1, found(id).votes());
        commit(new Precondition.ApprovalOpen(id, 1), vote(id, "user:ann"), grant(id));
        Rules.refused(
                ErrorCode.CONFLICT,
                () -> commit(new Precondition.ApprovalOpen(id, 2), vote(id, "user:eve")));
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () -> commit(new Precondition.ApprovalOpen("none", 0), vote(id, "user:eve")));
        String late = ask(1, 0);
        clock().advance(10_000);
        Rules.refused(
                ErrorCode.CONFLICT,
                () -> commit(new Precondition.ApprovalOpen(late, 0), grant(late)));
    }

    @Test
    default void racedLastVoteDecidesOnce() throws Exception {
        String id = ask(2, 0);
        commit(vote(id, "user:0"));
        List<Callable<Boolean>> race = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            String who = "user:" + i;
            race.add(() -> lastVote(id, who));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(race.size())) {
            long won = 0;
            for (Future<Boolean> racer : threads.invokeAll(race, 30, TimeUnit.SECONDS)) {
                won += racer.get() ? 1 : 0;
            }
            assertEquals(1, won);
        }
        assertEquals(2, found(id).votes());
        assertEquals(2, journal().approvalVotes(id).size());
        assertEquals(ApprovalRow.State.GRANTED, found(id).state());
    }

    private boolean lastVote(String id, String who) {
        try {
            commit(new Precondition.ApprovalOpen(id, 1), vote(id, who), grant(id));
            return true;
        } catch (PalyraException e) {
            assertEquals(ErrorCode.CONFLICT, e.code());
            return false;
        }
    }

    @Test
    default void questionsAreDueWhenTheirTimeIsOverOrPeopleAreToBeReminded() {
        long now = clock().millis();
        String reminded = ask(1, now + 1_000);
        String quiet = ask(1, 0);
        assertEquals(List.of(), journal().approvalsDue(now + 999, 10));
        assertEquals(List.of(reminded), ids(journal().approvalsDue(now + 1_000, 10)));
        commit(new Operation.NoteApproval(reminded, 0, now + 6_000));
        assertEquals(1, found(reminded).notices());
        assertEquals(List.of(), journal().approvalsDue(now + 1_000, 10));
        assertEquals(List.of(reminded), ids(journal().approvalsDue(now + 6_000, 10)));
        commit(new Operation.NoteApproval(reminded, 1, 0));
        assertEquals(List.of(), journal().approvalsDue(now + 9_999, 10));
        assertEquals(
                List.of(reminded, quiet),
                ids(journal().approvalsDue(now + 10_000, 10)).stream().sorted().toList());
        assertEquals(1, journal().approvalsDue(now + 10_000, 1).size());
        clock().advance(10_000);
        commit(
                new Operation.DecideApproval(quiet, ApprovalRow.State.EXPIRED, ""),
                new Operation.DecideApproval(reminded, ApprovalRow.State.EXPIRED, ""));
        assertEquals(List.of(), journal().approvalsDue(now + 10_000, 10));
    }

    @Test
    default void everyReminderIsCountedOnce() {
        String id = ask(1, clock().millis() + 1_000);
        commit(new Operation.NoteApproval(id, 0, clock().millis() + 2_000));
        Rules.refused(ErrorCode.CONFLICT, () -> commit(new Operation.NoteApproval(id, 0, 0)));
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(new Operation.NoteApproval("none", 0, 0)));
        commit(grant(id));
        Rules.refused(ErrorCode.CONFLICT, () -> commit(new Operation.NoteApproval(id, 1, 0)));
    }

    private static List<String> ids(List<ApprovalRow> rows) {
        return rows.stream().map(ApprovalRow::approvalId).toList();
    }
}

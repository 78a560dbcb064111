package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;

/** Questions are found by what they are about, and runs by that one of theirs was answered. */
interface ApprovalReadRules extends Rules {
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

    private static Operation grant(String id) {
        return new Operation.DecideApproval(id, ApprovalRow.State.GRANTED, "user:bob");
    }

    @Test
    default void waitingRunIsFoundOnceOneOfItsQuestionsIsDecided() {
        String early = newRun(RunState.RUNNING);
        String waiting = newRun(RunState.RUNNING);
        ApprovalRow first = asked(early, 1, 0);
        ApprovalRow second = asked(waiting, 1, 0);
        ApprovalRow third = asked(waiting, 1, 0);
        commit(
                new Operation.PutApproval(first),
                new Operation.PutApproval(second),
                new Operation.PutApproval(third),
                Rules.move(waiting, RunState.AWAITING_APPROVAL));
        commit(grant(first.approvalId()));
        assertEquals(List.of(), answered("")); // it is not waiting yet
        commit(Rules.move(early, RunState.AWAITING_APPROVAL));
        commit(new Operation.DecideApproval(second.approvalId(), ApprovalRow.State.DENIED, ""));
        assertEquals(List.of(early, waiting), answered(""));
        assertEquals(List.of(waiting), answered(early));
        assertEquals(1, journal().answeredRuns("", 1).size());
        commit(Rules.move(waiting, RunState.RUNNING));
        commit(Rules.move(waiting, RunState.AWAITING_APPROVAL));
        assertEquals(List.of(early), answered(""));
        reopen("boot-2");
        assertEquals(List.of(early), answered(""));
        commit(Rules.move(early, RunState.CANCELLED));
        assertEquals(List.of(), answered(""));
    }

    private List<String> answered(String afterId) {
        return journal().answeredRuns(afterId, 10).stream().map(RunRow::runId).toList();
    }

    @Test
    default void listenersHearOfQuestionsAndAnswers() throws Exception {
        String runId = newRun(RunState.RUNNING);
        ApprovalRow row = asked(runId, 1, 0);
        BlockingQueue<FeedItem> heard = new LinkedBlockingQueue<>();
        try (LiveFeed.Subscription ignored = feed().subscribe("", heard::add)) {
            commit(new Operation.PutApproval(row));
            assertEquals(
                    new FeedItem.ApprovalAsked(row.approvalId(), runId),
                    heard.poll(30, TimeUnit.SECONDS));
            commit(grant(row.approvalId()));
            assertEquals(
                    new FeedItem.ApprovalDecided(row.approvalId(), runId),
                    heard.poll(30, TimeUnit.SECONDS));
        }
    }

    /** Who follows everything hears of it once. */
    @Test
    default void requestWithoutARunIsToldOnce() throws Exception {
        ApprovalRow row =
                ApprovalRow.asked(
                        IDS.next(),
                        "",
                        "",
                        "",
                        ALICE,
                        "DEVICE_PAIRING",
                        "sender:fake:main/ann",
                        Rules.json("may I?"),
                        1,
                        clock().millis() + 10_000,
                        0);
        BlockingQueue<FeedItem> heard = new LinkedBlockingQueue<>();
        try (LiveFeed.Subscription ignored = feed().subscribe("", heard::add)) {
            commit(new Operation.PutApproval(row));
            commit(grant(row.approvalId()));
            assertEquals(
                    new FeedItem.ApprovalAsked(row.approvalId(), ""),
                    heard.poll(30, TimeUnit.SECONDS));
            assertEquals(
                    new FeedItem.ApprovalDecided(row.approvalId(), ""),
                    heard.poll(30, TimeUnit.SECONDS));
        }
        assertEquals(ApprovalRow.State.GRANTED, journal().approval(row.approvalId()).get().state());
    }

    private static List<String> ids(List<ApprovalRow> rows) {
        return rows.stream().map(ApprovalRow::approvalId).toList();
    }

    @Test
    default void everyFieldOfTheFilterNarrows() {
        String runId = newRun(RunState.RUNNING);
        ApprovalRow one = asked(runId, 1, 0);
        commit(new Operation.PutApproval(one));
        clock().advance(10);
        ApprovalRow other =
                ApprovalRow.asked(
                        IDS.next(),
                        "run-2",
                        "call-1",
                        "session-2",
                        "user:zoe",
                        "DEVICE_PAIRING",
                        "device:phone",
                        Rules.json("x"),
                        1,
                        clock().millis() + 10_000,
                        0);
        commit(new Operation.PutApproval(other));
        commit(grant(other.approvalId()));
        long now = clock().millis();
        Optional<ApprovalRow.State> any = Optional.empty();
        Optional<ApprovalRow.State> granted = Optional.of(ApprovalRow.State.GRANTED);
        List<ApprovalFilter> onlyOther =
                List.of(
                        new ApprovalFilter(granted, "", "", "", "", "", 0, 0),
                        new ApprovalFilter(any, "DEVICE_PAIRING", "", "", "", "", 0, 0),
                        new ApprovalFilter(any, "", "device:phone", "", "", "", 0, 0),
                        new ApprovalFilter(any, "", "", "user:zoe", "", "", 0, 0),
                        new ApprovalFilter(any, "", "", "", "run-2", "", 0, 0),
                        new ApprovalFilter(any, "", "", "", "", "session-2", 0, 0),
                        new ApprovalFilter(any, "", "", "", "", "", now, 0),
                        new ApprovalFilter(
                                granted,
                                "DEVICE_PAIRING",
                                "device:phone",
                                "user:zoe",
                                "run-2",
                                "session-2",
                                now,
                                now + 1));
        for (ApprovalFilter filter : onlyOther) {
            assertEquals(
                    List.of(other.approvalId()),
                    ids(journal().approvals(filter, "", 10)),
                    filter.toString());
        }
        List<String> both = List.of(one.approvalId(), other.approvalId());
        assertEquals(both, ids(journal().approvals(ApprovalFilter.ALL, "", 10)));
        assertEquals(
                both.subList(0, 1),
                ids(
                        journal()
                                .approvals(
                                        new ApprovalFilter(any, "", "", "", "", "", 0, now),
                                        "",
                                        10)));
        assertEquals(
                List.of(),
                ids(
                        journal()
                                .approvals(
                                        new ApprovalFilter(granted, "", "", ALICE, runId, "", 0, 0),
                                        "",
                                        10)));
        assertEquals(
                both.subList(1, 2),
                ids(journal().approvals(ApprovalFilter.ALL, one.approvalId(), 10)));
        assertEquals(both.subList(0, 1), ids(journal().approvals(ApprovalFilter.ALL, "", 1)));
    }
}

package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunPayloads;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.SettledKind;
import palyra.api.run.RunState;
import palyra.shared.hash.Ulids;

/** What is settled can be dropped, nothing else, and runs are found in the order of their ends. */
interface RetentionRules extends Rules {
    /** An id of the store's time; {@link Rules#IDS} are of the system's. */
    private String idAt(int number) {
        return Ulids.firstAt(clock().millis()).substring(0, 24) + (number + 10);
    }

    private void putMessage(String id, InboxRow.State state, String runId) {
        commit(
                new Operation.PutInbox(
                        new InboxRow(
                                id, "chat", id, ALICE, Rules.json("hi"), state, runId, "", 0)));
    }

    private void putAnswer(String id, OutboxRow.State state, String runId) {
        commit(
                new Operation.PutOutbox(
                        new OutboxRow(id, runId, "chat", Rules.json("a"), state, 0, 0, 0)));
    }

    private void end(String runId) {
        commit(Rules.append(runId, "last"), Rules.move(runId, RunState.SUCCEEDED));
    }

    private List<String> settled(SettledKind kind) {
        return journal().settled(kind, clock().millis(), "", 100);
    }

    private void drop(SettledKind kind, String id) {
        commit(new Operation.DropSettled(kind, id, clock().millis()));
    }

    private void refuseToDrop(SettledKind kind, String id) {
        Rules.refused(ErrorCode.CONFLICT, () -> drop(kind, id));
    }

    @Test
    default void messageIsSettledWhenItsRunHasEndedOrItWasRejected() {
        String ended = newRun(RunState.RUNNING);
        String open = newRun(RunState.RUNNING);
        String[] ids = {idAt(0), idAt(1), idAt(2), idAt(3), idAt(4)};
        putMessage(ids[0], InboxRow.State.QUEUED, "");
        putMessage(ids[1], InboxRow.State.ROUTED, open);
        putMessage(ids[2], InboxRow.State.ROUTED, ended);
        putMessage(ids[3], InboxRow.State.REJECTED, "");
        putMessage(ids[4], InboxRow.State.ROUTED, "a run that was lost");
        clock().advance(1_000);
        assertEquals(List.of(ids[3]), settled(SettledKind.MESSAGE));
        end(ended);
        assertEquals(List.of(ids[3]), settled(SettledKind.MESSAGE), "it ended at this moment");
        clock().advance(1);
        assertEquals(List.of(ids[2], ids[3]), settled(SettledKind.MESSAGE));
        assertEquals(
                List.of(ids[3]),
                journal().settled(SettledKind.MESSAGE, clock().millis(), ids[2], 1));
        for (int open1 : new int[] {0, 1, 4}) {
            refuseToDrop(SettledKind.MESSAGE, ids[open1]);
        }
        drop(SettledKind.MESSAGE, ids[2]);
        drop(SettledKind.MESSAGE, ids[2]); // nothing happens
        assertTrue(journal().inbox(ids[2]).isEmpty());
        assertEquals(List.of(ids[3]), settled(SettledKind.MESSAGE));
        putMessage(ids[2], InboxRow.State.QUEUED, ""); // id and dedupe key are free again
    }

    @Test
    default void answerIsSettledWhenNothingWillBeSentAndItsRunHasEnded() {
        String ended = newRun(RunState.RUNNING);
        String open = newRun(RunState.RUNNING);
        Set<OutboxRow.State> over =
                Set.of(OutboxRow.State.READABLE, OutboxRow.State.SENT, OutboxRow.State.FAILED);
        int number = 0;
        for (OutboxRow.State state : OutboxRow.State.values()) {
            putAnswer(idAt(number++), state, ended);
        }
        putAnswer(idAt(number), OutboxRow.State.SENT, open);
        end(ended);
        clock().advance(1);
        List<String> found = settled(SettledKind.ANSWER);
        for (OutboxRow row : journal().outboxOf(ended)) {
            boolean settled = over.contains(row.state()) || row.state() == withdrawn();
            assertEquals(settled, found.contains(row.outboxId()), row.state().name());
            if (settled) {
                drop(SettledKind.ANSWER, row.outboxId());
            } else {
                refuseToDrop(SettledKind.ANSWER, row.outboxId());
            }
        }
        refuseToDrop(SettledKind.ANSWER, idAtOf(open));
        assertEquals(
                List.of(OutboxRow.State.PENDING, OutboxRow.State.SENDING, OutboxRow.State.UNKNOWN),
                journal().outboxOf(ended).stream().map(OutboxRow::state).toList());
    }

    private static OutboxRow.State withdrawn() {
        return OutboxRow.State.WITHDRAWN;
    }

    private String idAtOf(String runId) {
        return journal().outboxOf(runId).getFirst().outboxId();
    }

    @Test
    default void commandIsSettledWhenItIsDone() {
        String[] ids = {idAt(0), idAt(1)};
        for (String id : ids) {
            commit(
                    new Operation.PutCommand(
                            new CommandRow(
                                    id,
                                    CommandRow.CANCEL_RUN,
                                    "run-1",
                                    ALICE,
                                    Rules.json("c"),
                                    false,
                                    "",
                                    0)));
        }
        commit(new Operation.FinishCommand(ids[1], "done"));
        assertEquals(List.of(), settled(SettledKind.COMMAND), "given at this moment");
        clock().advance(1);
        assertEquals(List.of(ids[1]), settled(SettledKind.COMMAND));
        refuseToDrop(SettledKind.COMMAND, ids[0]);
        drop(SettledKind.COMMAND, ids[1]);
        assertEquals(List.of(), settled(SettledKind.COMMAND));
        assertEquals(1, journal().pendingCommands("", 10).size());
    }

    @Test
    default void approvalGoesWithItsVotesWhenItWasDecidedAndItsRunHasEnded() {
        String runId = newRun(RunState.RUNNING);
        String[] ids = {idAt(0), idAt(1)};
        for (String id : ids) {
            commit(new Operation.PutApproval(question(id, runId)));
            commit(new Operation.VoteApproval(id, "user:bob", Rules.json("yes")));
        }
        commit(
                new Operation.DecideApproval(
                        ids[0], ApprovalRow.State.DENIED, "user:bob", Rules.json("no")));
        clock().advance(1);
        assertEquals(List.of(), settled(SettledKind.APPROVAL), "the run goes on");
        refuseToDrop(SettledKind.APPROVAL, ids[0]);
        end(runId);
        clock().advance(1);
        assertEquals(List.of(ids[0], ids[1]), settled(SettledKind.APPROVAL));
        drop(SettledKind.APPROVAL, ids[0]);
        assertTrue(journal().approval(ids[0]).isEmpty());
        assertEquals(List.of(), journal().approvalVotes(ids[0]));
        assertEquals(1, journal().approvalVotes(ids[1]).size());
        assertEquals(
                1,
                journal()
                        .approvals(
                                new ApprovalFilter(Optional.empty(), "", "", "", runId, "", 0, 0),
                                "",
                                10)
                        .size());
    }

    private ApprovalRow question(String id, String runId) {
        return ApprovalRow.asked(
                id,
                runId,
                "call-" + id,
                journal().run(runId).orElseThrow().sessionId(),
                ALICE,
                "tool",
                "palyra.echo",
                Rules.json("ask"),
                1,
                clock().millis() + 60_000,
                0);
    }

    @Test
    default void grantIsSettledWhenItCoversNothingAnyMore() {
        String[] ids = {idAt(0), idAt(1)};
        for (String id : ids) {
            commit(
                    new Operation.PutGrant(
                            GrantRow.begin(
                                    id,
                                    "approval-1",
                                    "",
                                    ALICE,
                                    "main",
                                    "palyra.echo",
                                    "",
                                    Rules.json("covers"),
                                    0,
                                    0)));
        }
        commit(new Operation.RevokeGrant(ids[0], ALICE));
        clock().advance(1);
        assertEquals(List.of(ids[0]), settled(SettledKind.GRANT));
        refuseToDrop(SettledKind.GRANT, ids[1]);
        drop(SettledKind.GRANT, ids[0]);
        assertTrue(journal().grant(ids[0]).isEmpty());
        assertTrue(journal().grant(ids[1]).isPresent());
    }

    @Test
    default void runsAreFoundInTheOrderOfTheirEndsByWhatIsLeft() {
        String late = newRun(RunState.RUNNING);
        String early = newRun(RunState.RUNNING);
        String open = newRun(RunState.RUNNING);
        end(early);
        clock().advance(10);
        end(late);
        clock().advance(10);
        assertEquals(List.of(early, late), ended(RunPayloads.WHOLE, ""));
        assertEquals(List.of(late), ended(RunPayloads.WHOLE, early));
        assertEquals(List.of(), ended(RunPayloads.WHOLE, "no run"));
        assertEquals(
                List.of(early),
                ids(journal().endedRuns(RunPayloads.WHOLE, clock().millis() - 10, "", 100)));
        Rules.refused(
                ErrorCode.CONFLICT,
                () -> commit(new Operation.NoteRunPayloads(open, RunPayloads.NONE)));
        commit(new Operation.NoteRunPayloads(early, RunPayloads.WITHOUT_STREAM));
        commit(new Operation.NoteRunPayloads(late, RunPayloads.NONE));
        commit(new Operation.NoteRunPayloads(late, RunPayloads.WITHOUT_STREAM)); // stays NONE
        assertEquals(List.of(), ended(RunPayloads.WHOLE, ""));
        assertEquals(List.of(early), ended(RunPayloads.WITHOUT_STREAM, ""));
        assertEquals(RunState.SUCCEEDED, stateOf(late));
    }

    private List<String> ended(RunPayloads left, String afterId) {
        return ids(journal().endedRuns(left, clock().millis(), afterId, 100));
    }

    private static List<String> ids(List<RunRow> runs) {
        return runs.stream().map(RunRow::runId).toList();
    }
}

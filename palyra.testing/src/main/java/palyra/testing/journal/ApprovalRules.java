package palyra.testing.journal;

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
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Operation;
import palyra.api.run.RunState;

/** Questions to people are decided once. */
interface ApprovalRules extends Rules {
    private static ApprovalRow question(String id, String runId) {
        return question(id, runId, 1_800_000_000_000L);
    }

    private static ApprovalRow question(String id, String runId, long expiresAtMillis) {
        return ApprovalRow.asked(
                id,
                runId,
                "call-1",
                "",
                "user:ada",
                "TOOL",
                "tool:palyra.echo",
                Rules.json("may I?"),
                1,
                expiresAtMillis,
                0);
    }

    @Test
    default void questionIsDecidedOnce() {
        String runId = newRun(RunState.RUNNING);
        String id = IDS.next();
        commit(new Operation.PutApproval(question(id, runId)));
        clock().advance(9);
        commit(new Operation.DecideApproval(id, ApprovalRow.State.GRANTED, "user:bob"));
        ApprovalRow found = journal().approval(id).orElseThrow();
        assertEquals(ApprovalRow.State.GRANTED, found.state());
        assertEquals("user:bob", found.decidedBy());
        assertEquals(clock().millis(), found.decidedAtMillis());
        assertEquals(clock().millis() - 9, found.createdAtMillis());
        assertEquals(1_800_000_000_000L, found.expiresAtMillis());
        Rules.refused(
                ErrorCode.CONFLICT,
                () ->
                        commit(
                                new Operation.DecideApproval(
                                        id, ApprovalRow.State.DENIED, "user:carol")));
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () ->
                        commit(
                                new Operation.DecideApproval(
                                        "none", ApprovalRow.State.DENIED, "user:carol")));
        Rules.refused(
                ErrorCode.INVALID_ARGUMENT,
                () -> commit(new Operation.DecideApproval(id, ApprovalRow.State.PENDING, "")));
        Rules.refused(
                ErrorCode.ALREADY_EXISTS,
                () -> commit(new Operation.PutApproval(question(id, runId))));
    }

    @Test
    default void answerThatComesTooLateIsRefused() {
        String runId = newRun(RunState.RUNNING);
        String id = IDS.next();
        long expires = clock().millis() + 1_000;
        commit(new Operation.PutApproval(question(id, runId, expires)));
        clock().advance(999);
        Rules.refused(
                ErrorCode.CONFLICT,
                () -> commit(new Operation.DecideApproval(id, ApprovalRow.State.EXPIRED, "")));
        clock().advance(1);
        for (ApprovalRow.State late :
                List.of(ApprovalRow.State.GRANTED, ApprovalRow.State.DENIED)) {
            Rules.refused(
                    ErrorCode.CONFLICT,
                    () -> commit(new Operation.DecideApproval(id, late, "user:bob")));
        }
        assertEquals(ApprovalRow.State.PENDING, journal().approval(id).orElseThrow().state());
        commit(new Operation.DecideApproval(id, ApprovalRow.State.EXPIRED, ""));
        assertEquals(ApprovalRow.State.EXPIRED, journal().approval(id).orElseThrow().state());
    }

    @Test
    default void racedDecisionIsWonOnce() throws Exception {
        String runId = newRun(RunState.RUNNING);
        String id = IDS.next();
        commit(new Operation.PutApproval(question(id, runId)));
        List<Callable<Boolean>> race = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            ApprovalRow.State answer =
                    i % 2 == 0 ? ApprovalRow.State.GRANTED : ApprovalRow.State.DENIED;
            race.add(() -> decides(id, answer));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(race.size())) {
            long won = 0;
            for (Future<Boolean> racer : threads.invokeAll(race, 20, TimeUnit.SECONDS)) {
                won += racer.get() ? 1 : 0;
            }
            assertEquals(1, won);
        }
    }

    private boolean decides(String id, ApprovalRow.State answer) {
        try {
            commit(new Operation.DecideApproval(id, answer, "user:bob"));
            return true;
        } catch (PalyraException e) {
            assertEquals(ErrorCode.CONFLICT, e.code());
            return false;
        }
    }

    @Test
    default void questionsArePagedByRun() {
        String runId = newRun(RunState.RUNNING);
        List<String> ids = List.of(IDS.next(), IDS.next(), IDS.next());
        commit(
                new Operation.PutApproval(question(ids.get(0), runId)),
                new Operation.PutApproval(question(ids.get(1), "other-run")),
                new Operation.PutApproval(question(ids.get(2), runId)));
        ApprovalRow.State pending = ApprovalRow.State.PENDING;
        assertEquals(
                List.of(ids.get(0), ids.get(2)),
                approvalIds(journal().approvals(ApprovalFilter.in(pending, runId), "", 10)));
        assertEquals(
                ids.subList(1, 3),
                approvalIds(journal().approvals(ApprovalFilter.in(pending, ""), ids.get(0), 10)));
    }

    private static List<String> approvalIds(List<ApprovalRow> rows) {
        return rows.stream().map(ApprovalRow::approvalId).toList();
    }

    @Test
    default void endOfTheRunWithdrawsItsQuestions() {
        String runId = newRun(RunState.RUNNING);
        String id = IDS.next();
        commit(new Operation.PutApproval(question(id, runId)));
        commit(Rules.move(runId, RunState.CANCELLED));
        assertEquals(ApprovalRow.State.WITHDRAWN, journal().approval(id).orElseThrow().state());
        Rules.refused(
                ErrorCode.CONFLICT,
                () ->
                        commit(
                                new Operation.DecideApproval(
                                        id, ApprovalRow.State.GRANTED, "user:bob")));
    }
}

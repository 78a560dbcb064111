package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;

/** Runs: states, epochs, one active run a session. */
interface RunRules extends Rules {
    @Test
    default void runIsKeptAsGivenAndIsTheSessionsLast() {
        String sessionId = newSession();
        String runId = newRun(sessionId, RunState.ACCEPTED);
        long now = clock().millis();
        assertEquals(
                new RunRow(
                        runId,
                        sessionId,
                        ALICE,
                        "main",
                        "interactive",
                        "",
                        "shell",
                        RunState.ACCEPTED,
                        "",
                        0,
                        now,
                        now,
                        0,
                        Optional.empty()),
                journal().run(runId).orElseThrow());
        assertEquals(runId, journal().session(sessionId).orElseThrow().lastRunId());
    }

    @Test
    default void runNeedsAFreeIdAndASession() {
        String sessionId = newSession();
        String runId = newRun(sessionId, RunState.ACCEPTED);
        Rules.refused(
                ErrorCode.ALREADY_EXISTS,
                () -> commit(Rules.insertRun(runId, sessionId, RunState.ACCEPTED)));
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () -> commit(Rules.insertRun(IDS.next(), "none", RunState.ACCEPTED)));
        Rules.refused(
                ErrorCode.INVALID_ARGUMENT,
                () ->
                        commit(
                                Rules.insertRun(
                                        TapeRecord.JOURNAL_STREAM, sessionId, RunState.ACCEPTED)));
    }

    @Test
    default void sessionHasOneActiveRun() {
        String sessionId = newSession();
        String first = newRun(sessionId, RunState.RUNNING);
        String second = newRun(sessionId, RunState.ACCEPTED);
        Rules.refused(ErrorCode.CONFLICT, () -> commit(Rules.move(second, RunState.RUNNING)));
        Rules.refused(
                ErrorCode.CONFLICT,
                () -> commit(Rules.insertRun(IDS.next(), sessionId, RunState.RUNNING)));
        commit(Rules.move(first, RunState.AWAITING_APPROVAL));
        Rules.refused(ErrorCode.CONFLICT, () -> commit(Rules.move(second, RunState.RUNNING)));
        commit(Rules.move(first, RunState.SUCCEEDED));
        commit(Rules.move(second, RunState.RUNNING));
        assertEquals(RunState.RUNNING, stateOf(second));
    }

    @Test
    default void racedStartOfASessionsRunsIsWonOnce() throws Exception {
        String sessionId = newSession();
        List<Callable<Boolean>> race = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            String runId = newRun(sessionId, RunState.ACCEPTED);
            race.add(() -> wins(runId));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(race.size())) {
            long won = 0;
            for (Future<Boolean> racer : threads.invokeAll(race, 20, TimeUnit.SECONDS)) {
                won += racer.get() ? 1 : 0;
            }
            assertEquals(1, won);
        }
        assertEquals(1, journal().runsIn(Set.of(RunState.RUNNING), sessionId, "", 100).size());
    }

    private boolean wins(String runId) {
        try {
            commit(Rules.move(runId, RunState.RUNNING));
            return true;
        } catch (PalyraException e) {
            assertEquals(ErrorCode.CONFLICT, e.code());
            return false;
        }
    }

    @Test
    default void runMovesOnlyFromTheStatesNamed() {
        String runId = newRun(RunState.ACCEPTED);
        Rules.refused(
                ErrorCode.CONFLICT,
                () ->
                        commit(
                                new Operation.MoveRun(
                                        runId,
                                        EnumSet.of(RunState.RUNNING),
                                        RunState.FAILED,
                                        "why")));
        commit(new Operation.MoveRun(runId, Set.of(RunState.ACCEPTED), RunState.FAILED, "why"));
        assertEquals("why", journal().run(runId).orElseThrow().reason());
        Rules.refused(ErrorCode.CONFLICT, () -> commit(Rules.move(runId, RunState.RUNNING)));
        Rules.refused(ErrorCode.CONFLICT, () -> commit(Rules.move(runId, RunState.SUCCEEDED)));
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(Rules.move("none", RunState.RUNNING)));
    }

    @Test
    default void onlyAHigherEpochTakesARun() {
        String runId = newRun(RunState.RUNNING);
        commit(new Operation.ClaimRun(runId, 3));
        Rules.refused(ErrorCode.STALE_EPOCH, () -> commit(new Operation.ClaimRun(runId, 3)));
        Rules.refused(ErrorCode.STALE_EPOCH, () -> commit(new Operation.ClaimRun(runId, 2)));
        commit(new Precondition.Epoch(runId, 3), Rules.append(runId, "mine"));
        commit(new Operation.ClaimRun(runId, 4));
        Rules.refused(
                ErrorCode.STALE_EPOCH,
                () -> commit(new Precondition.Epoch(runId, 3), Rules.append(runId, "late")));
        assertEquals(List.of("{\"text\":\"mine\"}"), texts(runId));
    }

    @Test
    default void endedRunIsHeldByNoEngine() {
        String runId = newRun(RunState.RUNNING);
        commit(new Operation.ClaimRun(runId, 1));
        commit(Rules.move(runId, RunState.SUCCEEDED));
        Rules.refused(
                ErrorCode.STALE_EPOCH,
                () -> commit(new Precondition.Epoch(runId, 1), Rules.append(runId, "late")));
        Rules.refused(ErrorCode.CONFLICT, () -> commit(new Operation.ClaimRun(runId, 2)));
    }

    @Test
    default void runsArePagedByStateSessionAndPrincipal() {
        String sessionId = newSession();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            ids.add(newRun(sessionId, RunState.ACCEPTED));
        }
        String other = newRun(RunState.RUNNING);
        commit(Rules.move(ids.get(1), RunState.FAILED));
        commit(Rules.move(ids.get(2), RunState.RUNNING));
        assertEquals(
                List.of(ids.get(2), other),
                runIds(journal().runsIn(Set.of(RunState.RUNNING), "", "", 10)));
        Set<RunState> two = Set.of(RunState.RUNNING, RunState.ACCEPTED);
        assertEquals(
                List.of(ids.get(0), ids.get(2), ids.get(3)),
                runIds(journal().runsIn(two, sessionId, "", 3)));
        assertEquals(
                List.of(ids.get(4), ids.get(5)),
                runIds(journal().runsIn(two, sessionId, ids.get(3), 3)));
        assertEquals(
                List.of(ids.get(1)),
                runIds(journal().runsIn(Set.of(RunState.FAILED), sessionId, "", 3)));
        assertEquals(List.of(other, ids.get(5)), runIds(journal().runs("", "", "", 2)));
        assertEquals(
                List.of(ids.get(4), ids.get(3)),
                runIds(journal().runs(ALICE, sessionId, ids.get(5), 2)));
        assertEquals(List.of(), journal().runs("user:bob", "", "", 2));
        assertEquals(List.of(), journal().runs("user:bob", sessionId, "", 2));
        assertTrue(journal().runsIn(Set.of(), "", "", 2).isEmpty());
    }

    @Test
    default void runsAreInTheOrderTheyWereRecordedNotOfTheirIds() {
        String sessionId = newSession();
        String late = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
        String middle = IDS.next();
        String early = "00000000000000000000000000";
        List<String> recorded = List.of(late, middle, early);
        recorded.forEach(id -> commit(Rules.insertRun(id, sessionId, RunState.ACCEPTED)));
        Set<RunState> accepted = Set.of(RunState.ACCEPTED);
        for (String session : List.of("", sessionId)) {
            assertEquals(recorded, runIds(journal().runsIn(accepted, session, "", 10)));
            assertEquals(
                    List.of(middle, early), runIds(journal().runsIn(accepted, session, late, 10)));
            assertEquals(List.of(), runIds(journal().runsIn(accepted, session, IDS.next(), 10)));
            for (String principal : List.of("", ALICE)) {
                assertEquals(
                        recorded.reversed(), runIds(journal().runs(principal, session, "", 10)));
                assertEquals(
                        List.of(middle, late),
                        runIds(journal().runs(principal, session, early, 10)));
                assertEquals(List.of(), runIds(journal().runs(principal, session, IDS.next(), 10)));
            }
        }
        String bobs = IDS.next();
        String bobsSession = IDS.next();
        commit(
                new Operation.InsertSession(
                        new SessionView(bobsSession, "k", "", "user:bob", "", "", "", 0, 0, 0, "")),
                new Operation.InsertRun(
                        bobs,
                        bobsSession,
                        "user:bob",
                        "main",
                        "interactive",
                        "",
                        "shell",
                        RunState.ACCEPTED,
                        0));
        assertEquals(List.of(), journal().runs(ALICE, "", bobs, 10), "whose it is stays hidden");
    }

    private static List<String> runIds(List<RunRow> rows) {
        return rows.stream().map(RunRow::runId).toList();
    }

    @Test
    default void waitingMessagesAndRunsAreCounted() {
        String sessionId = newSession();
        String messageId = IDS.next();
        commit(
                new Operation.PutInbox(
                        new InboxRow(
                                messageId,
                                "shell",
                                "",
                                ALICE,
                                Rules.json("hi"),
                                InboxRow.State.QUEUED,
                                "",
                                "",
                                0)));
        String runId = newRun(sessionId, RunState.ACCEPTED);
        Operation nothing = new Operation.DeleteDocument("c", "k");
        Rules.refused(
                ErrorCode.RESOURCE_EXHAUSTED,
                () -> commit(new Precondition.QueueBelow(2), nothing));
        commit(new Precondition.QueueBelow(3), nothing);
        reopen("boot-2");
        Rules.refused(
                ErrorCode.RESOURCE_EXHAUSTED,
                () -> commit(new Precondition.QueueBelow(2), nothing));
        commit(new Operation.SettleInbox(messageId, InboxRow.State.ROUTED, runId, ""));
        commit(new Precondition.QueueBelow(2), nothing);
        commit(Rules.move(runId, RunState.RUNNING));
        commit(new Precondition.QueueBelow(1), nothing);
    }
}

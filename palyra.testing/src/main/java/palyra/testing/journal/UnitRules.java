package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;

/** A unit happens as a whole or not at all, and what is acknowledged stays. */
interface UnitRules extends Rules {
    @Test
    default void refusedOperationUndoesTheWholeUnit() {
        String sessionId = IDS.next();
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () ->
                        commit(
                                new Operation.InsertSession(Rules.sessionView(sessionId, "k")),
                                Rules.append(TapeRecord.JOURNAL_STREAM, "gone"),
                                Rules.append("no-such-run", "x")));
        assertTrue(journal().session(sessionId).isEmpty());
        assertEquals(0, journal().headSeq(TapeRecord.JOURNAL_STREAM));
        assertTrue(journal().tape(TapeRecord.JOURNAL_STREAM, 0, 10).isEmpty());
    }

    @Test
    default void appendsToManyStreamsAreRefusedAsAWhole() {
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () ->
                        commit(
                                Rules.append(TapeRecord.JOURNAL_STREAM, "a"),
                                Rules.append("no-such-run", "b")));
        assertEquals(0, journal().headSeq(TapeRecord.JOURNAL_STREAM));
        commit(Rules.append(TapeRecord.JOURNAL_STREAM, "c"));
        assertEquals(List.of("{\"text\":\"c\"}"), texts(TapeRecord.JOURNAL_STREAM));
    }

    @Test
    default void refusedUnitDoesNotHarmUnitsHandedInBesideIt() throws Exception {
        String runId = newRun(RunState.RUNNING);
        List<CompletableFuture<Committed>> good = new ArrayList<>();
        List<CompletableFuture<Committed>> bad = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            good.add(journal().submit(Unit.of(Rules.append(runId, "n" + i))).toCompletableFuture());
            bad.add(
                    journal()
                            .submit(
                                    Unit.of(
                                            Rules.append(runId, "never"),
                                            Rules.move("no-such-run", RunState.FAILED)))
                            .toCompletableFuture());
        }
        for (int i = 0; i < 200; i++) {
            Committed committed = good.get(i).get(10, TimeUnit.SECONDS);
            assertEquals(i + 1, committed.appended().getFirst().seq());
            int at = i;
            Exception thrown =
                    assertThrows(
                            CompletionException.class,
                            () -> bad.get(at).orTimeout(10, TimeUnit.SECONDS).join());
            assertEquals(ErrorCode.NOT_FOUND, ((PalyraException) thrown.getCause()).code());
        }
        assertEquals(200, journal().headSeq(runId));
        assertTrue(verifier().verifyStream(runId, () -> false).intact());
    }

    @Test
    default void unitsOfOneThreadAndLaneKeepTheirOrder() throws Exception {
        String runId = newRun(RunState.RUNNING);
        CompletableFuture<Committed> last = null;
        for (int i = 0; i < 500; i++) {
            Unit unit =
                    Unit.builder().add(Rules.append(runId, "n" + i)).lane(Unit.Lane.BULK).build();
            last = journal().submit(unit).toCompletableFuture();
        }
        last.get(10, TimeUnit.SECONDS);
        List<String> texts = texts(runId);
        for (int i = 0; i < 500; i++) {
            assertEquals("{\"text\":\"n" + i + "\"}", texts.get(i));
        }
    }

    @Test
    default void submitTellsRefusalsThroughTheStage() {
        CompletableFuture<Committed> stage =
                journal().submit(Unit.of(Rules.append("no-such-run", "x"))).toCompletableFuture();
        Exception thrown =
                assertThrows(
                        CompletionException.class,
                        () -> stage.orTimeout(10, TimeUnit.SECONDS).join());
        assertEquals(ErrorCode.NOT_FOUND, ((PalyraException) thrown.getCause()).code());
    }

    @Test
    default void committedIsThereAfterReopening() {
        String runId = newRun(RunState.RUNNING);
        commit(Rules.append(runId, "kept"));
        long records = journal().status().recordCount();
        reopen("boot-2");
        assertEquals(List.of("{\"text\":\"kept\"}"), texts(runId));
        assertEquals(records, journal().status().recordCount());
        assertEquals(JournalStatus.State.OPEN, journal().status().state());
        commit(Rules.append(runId, "more"));
        assertEquals(2, journal().headSeq(runId));
        assertTrue(verifier().verifyAll(() -> false).intact());
    }

    @Test
    default void positionsTellWhereRecordsWent() {
        String runId = newRun(RunState.RUNNING);
        Committed committed =
                journal()
                        .commit(
                                Unit.of(
                                        Rules.append(runId, "a"),
                                        Rules.append(TapeRecord.JOURNAL_STREAM, "b"),
                                        Rules.append(runId, "c")));
        long now = clock().millis();
        assertEquals(
                List.of(
                        new Committed.Position(runId, 1, now),
                        new Committed.Position(TapeRecord.JOURNAL_STREAM, 1, now),
                        new Committed.Position(runId, 2, now)),
                committed.appended());
        assertFalse(committed.replayed());
    }

    @Test
    default void failedPreconditionsStopAUnit() {
        String sessionId = newSession();
        String runId = newRun(sessionId, RunState.RUNNING);
        Operation change = Rules.append(runId, "never");
        ErrorCode conflict = ErrorCode.CONFLICT;
        Rules.refused(
                conflict,
                () -> commit(new Precondition.RunIn(runId, Set.of(RunState.ACCEPTED)), change));
        Rules.refused(conflict, () -> commit(new Precondition.SessionIdle(sessionId), change));
        String waiting = newSession();
        newRun(waiting, RunState.ACCEPTED);
        Rules.refused(conflict, () -> commit(new Precondition.SessionIdle(waiting), change));
        Rules.refused(conflict, () -> commit(new Precondition.SessionLive("none"), change));
        Rules.refused(conflict, () -> commit(new Precondition.DocumentAt("c", "k", 1), change));
        Rules.refused(
                conflict,
                () -> commit(new Precondition.InboxIn("none", InboxRow.State.QUEUED), change));
        Rules.refused(
                ErrorCode.STALE_EPOCH, () -> commit(new Precondition.Epoch(runId, 7), change));
        Rules.refused(
                ErrorCode.STALE_EPOCH,
                () -> commit(new Precondition.HoldsLease("engine", "boot-1/e", 1), change));
        Rules.refused(
                ErrorCode.RESOURCE_EXHAUSTED, () -> commit(new Precondition.QueueBelow(0), change));
        assertEquals(0, journal().headSeq(runId));
    }

    @Test
    default void preconditionsThatHoldLetAUnitPass() {
        String sessionId = newSession();
        String runId = newRun(sessionId, RunState.ACCEPTED);
        journal()
                .commit(
                        Unit.builder()
                                .require(new Precondition.RunIn(runId, Set.of(RunState.ACCEPTED)))
                                .require(new Precondition.SessionIdle(newSession()))
                                .require(new Precondition.SessionLive(sessionId))
                                .require(new Precondition.DocumentAt("c", "k", 0))
                                .require(new Precondition.Epoch(runId, 0))
                                .require(new Precondition.QueueBelow(2))
                                .add(Rules.append(runId, "x"))
                                .build());
        assertEquals(1, journal().headSeq(runId));
    }

    @Test
    default void pagesOutsideTheLimitsAreRefused() {
        Rules.refused(
                ErrorCode.INVALID_ARGUMENT, () -> journal().tape(TapeRecord.JOURNAL_STREAM, 0, 0));
        Rules.refused(ErrorCode.INVALID_ARGUMENT, () -> journal().runs("", "", "", 1_001));
        assertEquals(List.of(), journal().runs("", "", "", 1_000));
    }
}

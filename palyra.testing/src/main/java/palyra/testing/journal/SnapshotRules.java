package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunSnapshot;
import palyra.api.core.journal.VerificationReport;
import palyra.api.run.RunState;

/** Snapshots of runs: one for each that has not ended, and no part of what is proved. */
interface SnapshotRules extends Rules {
    private static Operation put(String runId, long seq, String content) {
        return new Operation.PutSnapshot(new RunSnapshot(runId, seq, 3, Rules.json(content)));
    }

    /** A run with a tape of three records. */
    private String runOfThree() {
        String runId = newRun(RunState.RUNNING);
        commit(Rules.append(runId, "a"), Rules.append(runId, "b"), Rules.append(runId, "c"));
        return runId;
    }

    @Test
    default void lastSnapshotOfARunComesBackAsItWas() {
        String runId = runOfThree();
        assertEquals(Optional.empty(), journal().snapshot(runId));
        commit(put(runId, 2, "two"));
        commit(put(runId, 3, "three"), Rules.append(runId, "d"));
        reopen("boot-2");
        RunSnapshot found = journal().snapshot(runId).orElseThrow();
        assertEquals(runId, found.runId());
        assertEquals(3, found.seq());
        assertEquals(3, found.format());
        assertArrayEquals(Rules.json("three"), found.content());
        assertEquals(Optional.empty(), journal().snapshot(runOfThree()));
        assertEquals(Optional.empty(), journal().snapshot("no-such-run"));
    }

    @Test
    default void snapshotGoesWhenItsRunEnds() {
        String runId = runOfThree();
        commit(put(runId, 3, "three"));
        commit(Rules.move(runId, RunState.CANCELLED));
        assertEquals(Optional.empty(), journal().snapshot(runId));
        Rules.refused(ErrorCode.CONFLICT, () -> commit(put(runId, 3, "again")));
    }

    @Test
    default void snapshotGoesWhenAPayloadOfItsRunIsErased() {
        String runId = runOfThree();
        String other = runOfThree();
        commit(put(runId, 3, "three"), put(other, 3, "three"));
        commit(new Operation.ErasePayload(runId, 1));
        assertEquals(Optional.empty(), journal().snapshot(runId));
        assertTrue(journal().snapshot(other).isPresent());
    }

    @Test
    default void snapshotNamesARecordThatIsThere() {
        String runId = runOfThree();
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(put(runId, 4, "ahead")));
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(put(runId, 0, "before all")));
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(put("no-such-run", 1, "x")));
    }

    @Test
    default void snapshotIsNoLargerThanItsBound() {
        String runId = runOfThree();
        byte[] most = new byte[RunSnapshot.MAX_BYTES];
        commit(new Operation.PutSnapshot(new RunSnapshot(runId, 3, 1, most)));
        assertArrayEquals(most, journal().snapshot(runId).orElseThrow().content());
        assertThrows(
                PalyraException.class,
                () -> new RunSnapshot(runId, 3, 1, new byte[RunSnapshot.MAX_BYTES + 1]));
    }

    @Test
    default void verificationLooksAtNoSnapshot() {
        String runId = runOfThree();
        VerificationReport before = verifier().verifyStream(runId, () -> false);
        commit(put(runId, 3, "three"));
        assertEquals(before, verifier().verifyStream(runId, () -> false));
        assertFalse(journal().tape(runId, 0, 10).isEmpty());
    }
}

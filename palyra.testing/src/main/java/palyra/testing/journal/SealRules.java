package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Seal;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.TapeHash;

/** A run that has ended is sealed by a signature over the end of its tape. */
interface SealRules extends Rules {
    @Test
    default void endOfARunIsSignedAfterEverythingOfItsUnit() {
        String runId = newRun(RunState.RUNNING);
        commit(
                Rules.append(runId, "before"),
                Rules.move(runId, RunState.SUCCEEDED),
                Rules.append(runId, "in the same unit, after the move"));
        Seal seal = journal().run(runId).orElseThrow().seal().orElseThrow();
        TapeRecord last = journal().tape(runId, 1, 10).getLast();
        assertEquals(2, seal.seq());
        assertArrayEquals(last.hash(), seal.hash());
        assertTrue(
                keys().verify(
                                KeyPurpose.TAPE_HEAD,
                                TapeHash.headStatement(runId, 2, last.hash()),
                                new KeySignature(seal.keyId(), seal.signature())));
        VerificationReport report = verifier().verifyStream(runId, () -> false);
        assertTrue(report.intact(), report::toString);
        assertEquals(1, report.seals());
    }

    @Test
    default void nothingGoesOnASealedTape() {
        String runId = newRun(RunState.RUNNING);
        commit(Rules.append(runId, "x"), Rules.move(runId, RunState.FAILED));
        Rules.refused(ErrorCode.CONFLICT, () -> commit(Rules.append(runId, "late")));
        reopen("boot-2");
        Rules.refused(ErrorCode.CONFLICT, () -> commit(Rules.append(runId, "late")));
        assertEquals(1, journal().headSeq(runId));
        assertTrue(verifier().verifyStream(runId, () -> false).intact());
    }

    @Test
    default void runWithoutRecordsIsSealedToo() {
        String runId = newRun(RunState.ACCEPTED);
        commit(Rules.move(runId, RunState.CANCELLED));
        assertEquals(0, journal().run(runId).orElseThrow().seal().orElseThrow().seq());
        assertTrue(verifier().verifyStream(runId, () -> false).intact());
    }

    @Test
    default void refusedEndLeavesTheTapeOpen() {
        String runId = newRun(RunState.RUNNING);
        Rules.refused(
                ErrorCode.NOT_FOUND,
                () ->
                        commit(
                                Rules.move(runId, RunState.SUCCEEDED),
                                Rules.append("no-such-run", "x")));
        assertEquals(RunState.RUNNING, stateOf(runId));
        commit(Rules.append(runId, "goes on"));
        assertTrue(verifier().verifyStream(runId, () -> false).intact());
    }

    @Test
    default void sealsOfARotatedKeyStayGood() {
        String before = newRun(RunState.RUNNING);
        commit(Rules.append(before, "x"), Rules.move(before, RunState.SUCCEEDED));
        keys().rotate(KeyPurpose.TAPE_HEAD);
        String after = newRun(RunState.RUNNING);
        commit(Rules.append(after, "x"), Rules.move(after, RunState.SUCCEEDED));
        VerificationReport report = verifier().verifyAll(() -> false);
        assertTrue(report.intact(), report::toString);
        assertEquals(2, report.seals());
    }

    @Test
    default void firstDurableEndWithdrawsWhatWasNotBegun() {
        String runId = newRun(RunState.RUNNING);
        commit(
                new Operation.PutOutbox(answer(runId, OutboxRow.State.PENDING)),
                new Operation.PutOutbox(answer(runId, OutboxRow.State.READABLE)),
                new Operation.PutOutbox(answer(runId, OutboxRow.State.SENDING)));
        commit(
                Rules.move(runId, RunState.CANCELLED),
                new Operation.PutOutbox(answer(runId, OutboxRow.State.PENDING)));
        assertEquals(
                List.of(
                        OutboxRow.State.WITHDRAWN,
                        OutboxRow.State.READABLE,
                        OutboxRow.State.SENDING,
                        OutboxRow.State.PENDING),
                journal().outboxOf(runId).stream().map(OutboxRow::state).toList());
        Rules.refused(ErrorCode.CONFLICT, () -> commit(Rules.move(runId, RunState.SUCCEEDED)));
    }

    @Test
    default void answerOfASuccessfulRunStaysOnItsWay() {
        String runId = newRun(RunState.RUNNING);
        commit(
                new Operation.PutOutbox(answer(runId, OutboxRow.State.PENDING)),
                Rules.move(runId, RunState.SUCCEEDED));
        assertEquals(OutboxRow.State.PENDING, journal().outboxOf(runId).getFirst().state());
    }

    private static OutboxRow answer(String runId, OutboxRow.State state) {
        return new OutboxRow(IDS.next(), runId, "chat", Rules.json("a"), state, 0, 0, 0);
    }
}

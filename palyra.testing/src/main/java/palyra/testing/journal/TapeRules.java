package palyra.testing.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.VerificationReport;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.StreamVerifier;
import palyra.shared.tape.TapeHash;

/** Tapes are hash chains that any reader can verify; erasing a payload leaves the chain intact. */
interface TapeRules extends Rules {
    @Test
    default void recordsFormAChainFromTheRunsIdentity() {
        String sessionId = newSession();
        String runId = newRun(sessionId, RunState.RUNNING);
        for (int i = 1; i <= 5; i++) {
            commit(Rules.append(runId, "n" + i));
        }
        byte[] prev = TapeHash.genesis(runId, sessionId, ALICE);
        long seq = 0;
        for (TapeRecord record : journal().tape(runId, 0, 10)) {
            assertEquals(Optional.empty(), TapeHash.check(record, runId, ++seq, prev), "" + seq);
            assertEquals(TapeHash.LENGTH, record.salt().length);
            prev = record.hash();
        }
        assertEquals(5, seq);
    }

    @Test
    default void journalsOwnStreamIsAChainToo() {
        commit(Rules.append(TapeRecord.JOURNAL_STREAM, "a"));
        commit(Rules.append(TapeRecord.JOURNAL_STREAM, "b"));
        List<TapeRecord> tape = journal().tape(TapeRecord.JOURNAL_STREAM, 0, 10);
        String name = journal().nodeStream();
        VerificationReport report =
                StreamVerifier.verify(
                        name,
                        TapeHash.genesis(name, "", ""),
                        tape,
                        false,
                        Optional.empty(),
                        List.of());
        assertTrue(report.intact(), report::toString);
        assertEquals(2, report.records());
    }

    /** Several nodes can have their events in one store: each in a stream of its own. */
    @Test
    default void eventsAreInAStreamOfTheNode() {
        commit(Rules.append(TapeRecord.JOURNAL_STREAM, "a"));
        String name = journal().nodeStream();
        assertTrue(name.matches("journal/[a-z0-9][a-z0-9-]{0,62}"), name);
        assertEquals(name, journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1).getFirst().streamId());
        assertEquals(name, journal().tape(name, 0, 1).getFirst().streamId());
        assertEquals(1, journal().headSeq(name));
        assertEquals(1, verifier().verifyStream(name, () -> false).records());
        String other = name + "x";
        assertEquals(List.of(), journal().tape(other, 0, 1));
        assertEquals(0, journal().headSeq(other));
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(Rules.append(other, "b")));
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(Rules.append(name, "b")));
        String sessionId = newSession();
        for (String taken : List.of(TapeRecord.JOURNAL_STREAM, name, other)) {
            Rules.refused(
                    ErrorCode.INVALID_ARGUMENT,
                    () -> commit(Rules.insertRun(taken, sessionId, RunState.ACCEPTED)));
        }
    }

    @Test
    default void exportedRunIsVerifiedWithoutTheStore() {
        String sessionId = newSession();
        String runId = newRun(sessionId, RunState.RUNNING);
        commit(Rules.append(runId, "a"), Rules.append(runId, "b"));
        commit(Rules.append(runId, "c"), Rules.move(runId, RunState.SUCCEEDED));
        VerificationReport report =
                StreamVerifier.verify(
                        runId,
                        TapeHash.genesis(runId, sessionId, ALICE),
                        journal().tape(runId, 0, 10),
                        true,
                        journal().run(runId).orElseThrow().seal(),
                        keys().published());
        assertTrue(report.intact(), report::toString);
        assertEquals(1, report.seals());
    }

    @Test
    default void tapeIsReadInPages() {
        String runId = newRun(RunState.RUNNING);
        List<Operation> appends = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            appends.add(Rules.append(runId, "n" + i));
        }
        commit(appends.toArray(Operation[]::new));
        List<TapeRecord> all = new ArrayList<>();
        List<TapeRecord> page = journal().tape(runId, 0, 10);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = journal().tape(runId, all.getLast().seq(), 10);
        }
        assertEquals(25, all.size());
        assertEquals(25, all.getLast().seq());
        assertEquals(List.of(), journal().tape("no-such-run", 0, 10));
        assertEquals(0, journal().headSeq("no-such-run"));
    }

    /** A page has a bound of bytes; what is left out of it comes with the next. */
    @Test
    default void pageOfLargeRecordsIsShorterThanItsLimit() {
        String runId = newRun(RunState.RUNNING);
        for (int i = 0; i < 12; i++) {
            commit(
                    new Operation.Append(
                            runId, "tool_call_output", 1, Rules.json("x".repeat(900_000 + i))),
                    Rules.append(runId, "n" + i));
        }
        List<TapeRecord> all = new ArrayList<>();
        List<TapeRecord> page = journal().tape(runId, 0, 1_000);
        while (!page.isEmpty()) {
            long bytes = page.stream().mapToLong(record -> record.payload().length).sum();
            assertTrue(bytes <= 8L << 20, () -> bytes + " bytes in one page");
            all.addAll(page);
            page = journal().tape(runId, all.getLast().seq(), 1_000);
        }
        assertEquals(
                LongStream.rangeClosed(1, 24).boxed().toList(),
                all.stream().map(TapeRecord::seq).toList());
        assertEquals(1, journal().tape(runId, 0, 1).size());
    }

    @Test
    default void largeAndEmptyPayloadsComeBackAsTheyWere() {
        String runId = newRun(RunState.RUNNING);
        byte[] large = Rules.json("x".repeat(300_000));
        commit(
                new Operation.Append(runId, "tool_call_output", 1, large),
                new Operation.Append(runId, "note", 1, new byte[0]));
        reopen("boot-2");
        List<TapeRecord> tape = journal().tape(runId, 0, 10);
        assertArrayEquals(large, tape.get(0).payload());
        assertArrayEquals(new byte[0], tape.get(1).payload());
        VerificationReport report = verifier().verifyStream(runId, () -> false);
        assertTrue(report.intact(), report::toString);
        assertEquals(0, report.withheld());
    }

    @Test
    default void erasedPayloadIsWithheldAndTheChainStays() {
        String runId = newRun(RunState.RUNNING);
        commit(Rules.append(runId, "a"), Rules.append(runId, "secret"), Rules.append(runId, "c"));
        TapeRecord before = journal().tape(runId, 1, 1).getFirst();
        commit(new Operation.ErasePayload(runId, 2));
        commit(new Operation.ErasePayload(runId, 2));
        TapeRecord after = journal().tape(runId, 1, 1).getFirst();
        assertNull(after.payload());
        assertNull(after.salt());
        assertArrayEquals(before.hash(), after.hash());
        assertArrayEquals(before.commitment(), after.commitment());
        commit(Rules.append(runId, "d"), Rules.move(runId, RunState.SUCCEEDED));
        VerificationReport report = verifier().verifyStream(runId, () -> false);
        assertTrue(report.intact(), report::toString);
        assertEquals(4, report.records());
        assertEquals(1, report.withheld());
        Rules.refused(ErrorCode.NOT_FOUND, () -> commit(new Operation.ErasePayload(runId, 99)));
        Rules.refused(
                ErrorCode.NOT_FOUND, () -> commit(new Operation.ErasePayload("no-such-run", 1)));
    }

    @Test
    default void erasingLargePayloadKeepsTheSamePayloadOfOthers() {
        String runId = newRun(RunState.RUNNING);
        byte[] large = Rules.json("y".repeat(200_000));
        Operation append = new Operation.Append(runId, "tool_call_output", 1, large);
        commit(append, append);
        commit(new Operation.ErasePayload(runId, 1));
        assertNull(journal().tape(runId, 0, 1).getFirst().payload());
        assertArrayEquals(large, journal().tape(runId, 1, 1).getFirst().payload());
        commit(new Operation.ErasePayload(runId, 2));
        assertNull(journal().tape(runId, 1, 1).getFirst().payload());
        commit(append);
        assertNotNull(journal().tape(runId, 2, 1).getFirst().payload());
        VerificationReport report = verifier().verifyStream(runId, () -> false);
        assertTrue(report.intact(), report::toString);
        assertEquals(2, report.withheld());
    }

    @Test
    default void everythingIsVerifiedInOneGo() {
        for (int i = 0; i < 5; i++) {
            String runId = newRun(RunState.RUNNING);
            commit(Rules.append(runId, "a"), Rules.append(TapeRecord.JOURNAL_STREAM, "b"));
            commit(Rules.append(runId, "c"), Rules.move(runId, RunState.SUCCEEDED));
        }
        String open = newRun(RunState.RUNNING);
        commit(Rules.append(open, "a"));
        VerificationReport report = verifier().verifyAll(() -> false);
        assertTrue(report.intact(), report::toString);
        assertEquals(7, report.streams());
        assertEquals(16, report.records());
        assertEquals(5, report.seals());
    }

    @Test
    default void rangeIsVerifiedByItself() {
        String runId = newRun(RunState.RUNNING);
        for (int i = 0; i < 6; i++) {
            commit(Rules.append(runId, "n" + i));
        }
        VerificationReport report = verifier().verifyRange(runId, 3, 5, () -> false);
        assertTrue(report.intact(), report::toString);
        assertEquals(3, report.records());
        assertEquals(6, verifier().verifyRange(runId, 1, 6, () -> false).records());
        ErrorCode invalid = ErrorCode.INVALID_ARGUMENT;
        Rules.refused(invalid, () -> verifier().verifyRange(runId, 0, 3, () -> false));
        Rules.refused(invalid, () -> verifier().verifyRange(runId, 4, 3, () -> false));
        Rules.refused(invalid, () -> verifier().verifyRange(runId, 1, 7, () -> false));
    }

    @Test
    default void verificationSaysWhenItWasCancelled() {
        String runId = newRun(RunState.RUNNING);
        commit(Rules.append(runId, "a"));
        VerificationReport report = verifier().verifyStream(runId, () -> true);
        assertFalse(report.complete());
        assertFalse(report.intact());
        Rules.refused(
                ErrorCode.NOT_FOUND, () -> verifier().verifyStream("no-such-run", () -> false));
    }
}

package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.Sql;
import palyra.shared.tape.TapeHash;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** A store belongs to one node, and nothing in memory is believed once others have written. */
class NodeStreamTest {
    @TempDir Path state;

    private final MemoryKeys keys = new MemoryKeys();

    private TestStore open(String node) {
        return TestStore.open(
                TestStore.settings(state).with(new JournalSettings.Node(node, "boot-1")), keys);
    }

    private static Operation.Append event(String text) {
        return TestStore.append(TapeRecord.JOURNAL_STREAM, text);
    }

    @Test
    void eventsOfANewStoreAreInTheStreamOfItsNode() {
        try (TestStore store = open("berlin-2")) {
            store.journal().commit(Unit.of(event("a")));
            assertEquals("journal/berlin-2", store.journal().nodeStream());
            assertEquals(
                    "journal/berlin-2",
                    store.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1).getFirst().streamId());
        }
    }

    @Test
    void aStoreOfAnotherNodeStaysAsItIsAndSaysWhatToDo() {
        try (TestStore store = open("a")) {
            store.journal().commit(Unit.of(event("one")));
        }
        try (TestStore other =
                TestStore.on(
                        TestStore.settings(state).with(new JournalSettings.Node("b", "boot-2")),
                        new FaultyMedium(state.resolve("journal")))) {
            other.journal().awaitOpening();
            assertEquals(State.STOPPED, other.journal().status().state());
            String why = other.journal().status().detail();
            assertTrue(why.contains("belongs to node a"), why);
            assertTrue(why.contains("set it to a"), why);
            assertThrows(
                    PalyraException.class, () -> other.journal().commit(Unit.of(event("two"))));
        }
        try (TestStore store = open("a")) {
            assertEquals(1, store.journal().headSeq(TapeRecord.JOURNAL_STREAM));
        }
    }

    @Test
    void aStoreOfAnotherNodeOpensWhenTheNodeIsCorrected() {
        try (TestStore store = open("a")) {
            store.journal().commit(Unit.of(event("one")));
        }
        JournalSettings wrong =
                TestStore.settings(state).with(new JournalSettings.Node("b", "boot-2"));
        try (TestStore other = TestStore.on(wrong, new FaultyMedium(state.resolve("journal")))) {
            other.journal().awaitOpening();
            assertEquals(State.STOPPED, other.journal().status().state());
            other.journal().change(wrong.with(new JournalSettings.Node("a", "boot-2")));
            Await.until(
                    "the journal to open", () -> other.journal().status().state() == State.OPEN);
            assertEquals(1, other.journal().headSeq(TapeRecord.JOURNAL_STREAM));
        }
    }

    @Test
    void aStoreThatIsOpenDoesNotBecomeAnotherNodes() {
        try (TestStore store = open("a")) {
            store.journal().commit(Unit.of(event("one")));
            JournalSettings other =
                    TestStore.settings(state).with(new JournalSettings.Node("b", "boot-1"));
            String why =
                    assertThrows(PalyraException.class, () -> store.journal().change(other))
                            .getMessage();
            assertTrue(why.contains("counts from the next start, which would refuse"), why);
            assertTrue(why.contains("set node to a"), why);
        }
    }

    /** The row is made again from what the hashes say, for a name of today and one from before. */
    @Test
    void theNameIsToldByTheHashesWhenItsRowIsLost() throws SQLException {
        try (TestStore store = open("a")) {
            store.journal().commit(Unit.of(event("one")));
        }
        forgetNode();
        try (TestStore store = open("a")) {
            assertEquals("journal/a", store.journal().nodeStream());
            store.journal().commit(Unit.of(event("two")));
            assertTrue(store.journal().verifyAll(() -> false).intact());
        }
        forgetNode();
        try (TestStore store = open("b")) { // of other hashes: it goes on under the oldest name
            assertEquals(TapeRecord.JOURNAL_STREAM, store.journal().nodeStream());
        }
    }

    private void forgetNode() throws SQLException {
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            sql.execute("DELETE FROM node");
        }
    }

    @Test
    void anEmptyStoreFromBeforeKeepsItsName() throws SQLException {
        try (TestStore store = open("a")) {
            assertEquals(0, store.journal().headSeq(TapeRecord.JOURNAL_STREAM));
        }
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            sql.execute("DELETE FROM node");
            sql.update(
                    "UPDATE heads SET head_hash = ? WHERE stream_no = 1",
                    TapeHash.genesis(TapeRecord.JOURNAL_STREAM, "", ""));
        }
        try (TestStore store = open("a")) {
            store.journal().commit(Unit.of(event("one")));
            assertEquals(TapeRecord.JOURNAL_STREAM, store.journal().nodeStream());
            assertTrue(store.journal().verifyAll(() -> false).intact());
        }
    }

    /** As when a second store writes to the same database: heads and sums are read again. */
    @Test
    void headsAndSumsAreReadAgainWhenAnotherConnectionWrote() throws SQLException {
        try (TestStore store = open("a")) {
            String runId = store.newTape(2);
            byte[] salt = new byte[TapeHash.LENGTH];
            byte[] payload = TestStore.json("by another store");
            TapeRecord last = store.journal().tape(runId, 1, 1).getFirst();
            byte[] commitment = TapeHash.commitment(salt, payload);
            byte[] hash = TapeHash.hash(last.hash(), runId, 3, "model_token", 7, 1, commitment);
            try (Sql sql = store.direct()) {
                long streamNo = sql.number("SELECT stream_no FROM runs WHERE run_id = ?", 0, runId);
                sql.execute("BEGIN IMMEDIATE");
                sql.update(
                        "INSERT INTO tape (stream_no, seq, type, time_millis, schema, commitment,"
                                + " prev_hash, hash, salt, payload) VALUES (?, 3, 'model_token',"
                                + " 7, 1, ?, ?, ?, ?, ?)",
                        streamNo,
                        commitment,
                        last.hash(),
                        hash,
                        salt,
                        payload);
                sql.update(
                        "UPDATE heads SET head_seq = 3, head_hash = ? WHERE stream_no = ?",
                        hash,
                        streamNo);
                sql.update("UPDATE meta SET value = value + 1 WHERE name = 'records'");
                sql.execute("COMMIT");
            }
            store.append(runId, 1);
            assertEquals(4, store.journal().headSeq(runId));
            assertEquals(4, store.journal().status().recordCount());
            assertTrue(store.journal().verifyStream(runId, () -> false).intact());
            String next = store.newRun();
            assertEquals(List.of(), store.journal().tape(next, 0, 1));
        }
    }
}

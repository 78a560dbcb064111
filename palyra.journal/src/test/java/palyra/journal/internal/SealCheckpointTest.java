package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.TapeVerifier.Extent;
import palyra.api.core.journal.TapeVerifier.Progress;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.Keys;
import palyra.journal.internal.database.Sql;
import palyra.shared.gate.Gate;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** One signature covers many seals, and a note many tapes: neither hides a change. */
class SealCheckpointTest {
    private static final int BATCH = 5;
    private static final int RUNS = 3 * BATCH;
    private static final int RECORDS = 3;

    @TempDir Path state;

    private final MemoryKeys memory = new MemoryKeys();
    private final AtomicLong verifications = new AtomicLong();
    private final Keys keys = counting();
    private final Gate<Keys> gate = JournalFactory.gate(keys);
    private final List<String> runs = new ArrayList<>();
    private TestStore store;
    private Sql sql;

    @BeforeEach
    void open() throws SQLException {
        store = store();
        for (int i = 0; i < RUNS; i++) {
            runs.add(store.newSealedTape(RECORDS));
        }
        store.journal().commit(Unit.of(TestStore.append("journal", "an event")));
        sql = store.direct();
        awaitCheckpoints(3);
    }

    private Keys counting() {
        return (Keys)
                Proxy.newProxyInstance(
                        Keys.class.getClassLoader(),
                        new Class<?>[] {Keys.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("verify")) {
                                verifications.incrementAndGet();
                            }
                            return method.invoke(memory, arguments);
                        });
    }

    private JournalSettings settings(int batch) {
        JournalSettings.Checks usual = JournalSettings.Checks.DEFAULT;
        return TestStore.settings(state)
                .with(
                        new JournalSettings.Checks(
                                0,
                                usual.scrubPercent(),
                                usual.scrubRestMillis(),
                                usual.scrubAfterMillis(),
                                batch,
                                usual.sealWaitMillis()));
    }

    /** From now on there are too few seals for a checkpoint. */
    private void noMoreCheckpoints() {
        store.journal().change(settings(10_000));
    }

    private TestStore store() {
        JournalSettings settings = settings(BATCH);
        SqliteJournal journal =
                new SqliteJournal(settings, gate, InstantSource.system(), System::nanoTime);
        return new TestStore(journal, settings.folder());
    }

    @AfterEach
    void close() throws SQLException {
        sql.close();
        store.close();
    }

    private long number(String query, Object... arguments) {
        try {
            return sql.number(query, -1, arguments);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitCheckpoints(long count) {
        Await.until(
                count + " checkpoints",
                () -> number("SELECT count(*) FROM seal_checkpoints") == count);
    }

    private VerificationReport everything() {
        return store.journal().verifyAll(() -> false);
    }

    private VerificationReport whatIsNew() {
        return store.journal().verifyAll(Extent.NEW, Progress.NONE, () -> false);
    }

    private Fault fault() {
        return everything().fault().orElseThrow();
    }

    private long streamNo(int run) {
        return number("SELECT stream_no FROM runs WHERE run_id = ?", runs.get(run));
    }

    private void change(String text, Object... arguments) throws SQLException {
        assertTrue(sql.update(text, arguments) > 0, text);
    }

    private void assertIntact(VerificationReport report, long records, long seals, long earlier) {
        assertTrue(report.intact(), report::toString);
        assertEquals(records, report.records());
        assertEquals(seals, report.seals());
        assertEquals(earlier, report.earlier());
    }

    @Test
    void everySealIsCoveredAndCounted() {
        assertEquals(BATCH, number("SELECT count(*) FROM seals WHERE checkpoint_no = 2"));
        assertIntact(everything(), RUNS * RECORDS + 1, RUNS, 0);
    }

    /** The signatures of the seals that a checkpoint covers are not looked at one by one. */
    @Test
    void oneSignatureStandsForMany() throws SQLException {
        long before = verifications.get();
        assertIntact(everything(), RUNS * RECORDS + 1, RUNS, 0);
        assertEquals(3, verifications.get() - before);
        noMoreCheckpoints();
        change("DELETE FROM verified");
        change("UPDATE seals SET checkpoint_no = 0");
        change("DELETE FROM seal_checkpoints");
        before = verifications.get();
        assertIntact(everything(), RUNS * RECORDS + 1, RUNS, 0);
        assertEquals(RUNS, verifications.get() - before);
    }

    @Test
    void aChangedSealIsFoundAtItsRun() throws SQLException {
        change("UPDATE seals SET signature = zeroblob(64) WHERE stream_no = ?", streamNo(7));
        assertEquals(Kind.SIGNATURE, fault().kind());
        assertEquals(runs.get(7), fault().streamId());
        change("UPDATE seals SET hash = zeroblob(32) WHERE stream_no = ?", streamNo(2));
        assertEquals(Kind.HEAD, fault().kind());
        assertEquals(runs.get(2), fault().streamId());
        change("DELETE FROM seals WHERE stream_no = ?", streamNo(1));
        assertEquals(Kind.UNSEALED, fault().kind());
        assertEquals(runs.get(1), fault().streamId());
        change("UPDATE seals SET key_id = 'none' WHERE stream_no = ?", streamNo(0));
        assertEquals(Kind.SIGNATURE, fault().kind());
        assertEquals(runs.get(0), fault().streamId());
    }

    @Test
    void aChangedRecordUnderACheckpointIsFoundAtItsPlace() throws SQLException {
        change(
                "UPDATE tape SET payload = ? WHERE stream_no = ? AND seq = 2",
                TestStore.json("forged"),
                streamNo(7));
        assertEquals(new Place(runs.get(7), 2, Kind.PAYLOAD), Place.of(fault()));
    }

    /** A run that was written anew to its end, head and seal too, has no signature. */
    @Test
    void aCoveredRunCannotBeReplacedByAnother() throws SQLException {
        for (String column : List.of("seq", "hash", "key_id", "signature")) {
            change(
                    "UPDATE seals SET "
                            + column
                            + " = (SELECT "
                            + column
                            + " FROM seals WHERE stream_no = ?) WHERE stream_no = ?",
                    streamNo(3),
                    streamNo(4));
        }
        assertEquals(runs.get(4), fault().streamId());
    }

    private record Place(String streamId, long seq, Kind kind) {
        static Place of(Fault fault) {
            return new Place(fault.streamId(), fault.seq(), fault.kind());
        }
    }

    private void assertCheckpoint(long number, String part) {
        VerificationReport report = everything();
        Fault fault = report.fault().orElseThrow();
        assertEquals(new Place("checkpoint " + number, 0, Kind.CHECKPOINT), Place.of(fault));
        assertTrue(fault.detail().contains(part), fault::detail);
        assertEquals(RUNS * RECORDS + 1, report.records(), "no run is accused");
        assertEquals(RUNS, report.seals());
    }

    @Test
    void aChangedCheckpointAccusesNoRun() throws SQLException {
        byte[] digest = blob("digest", 2);
        change("UPDATE seal_checkpoints SET digest = zeroblob(32) WHERE checkpoint_no = 2");
        assertCheckpoint(2, "signature");
        change("UPDATE seal_checkpoints SET digest = ? WHERE checkpoint_no = 2", digest);
        change("UPDATE seal_checkpoints SET signature = zeroblob(64) WHERE checkpoint_no = 1");
        assertCheckpoint(1, "signature");
    }

    @Test
    void aCheckpointByAnUnknownKeyCoversNothing() throws SQLException {
        change("UPDATE seal_checkpoints SET key_id = 'ed25519:0' WHERE checkpoint_no = 3");
        assertCheckpoint(3, "no published key");
    }

    private byte[] blob(String column, long number) throws SQLException {
        return sql.one(
                        "SELECT " + column + " FROM seal_checkpoints WHERE checkpoint_no = ?",
                        row -> row.getBytes(1),
                        number)
                .orElseThrow();
    }

    @Test
    void aMissingCheckpointIsFound() throws SQLException {
        sql.execute("CREATE TEMP TABLE kept AS SELECT * FROM seal_checkpoints");
        change("DELETE FROM seal_checkpoints WHERE checkpoint_no = 2");
        assertCheckpoint(2, "missing");
        change("DELETE FROM seal_checkpoints WHERE checkpoint_no = 3");
        assertCheckpoint(3, "missing");
        change("DELETE FROM seal_checkpoints");
        assertCheckpoint(3, "missing");
        change("INSERT INTO seal_checkpoints SELECT * FROM kept");
        assertIntact(everything(), RUNS * RECORDS + 1, RUNS, 0);
    }

    @Test
    void anotherOrderIsFound() throws SQLException {
        change("UPDATE seal_checkpoints SET checkpoint_no = -1 WHERE checkpoint_no = 1");
        change("UPDATE seal_checkpoints SET checkpoint_no = 1 WHERE checkpoint_no = 2");
        change("UPDATE seal_checkpoints SET checkpoint_no = 2 WHERE checkpoint_no = -1");
        assertCheckpoint(1, "does not follow");
    }

    @Test
    void aSealThatNamesAnotherCheckpointIsFound() throws SQLException {
        change("UPDATE seals SET checkpoint_no = 3 WHERE stream_no = ?", streamNo(0));
        assertCheckpoint(1, "digest");
        change(
                "UPDATE seals SET checkpoint_no = 9223372036854775807 WHERE stream_no = ?",
                streamNo(0));
        assertCheckpoint(1, "digest");
    }

    /** Without its checkpoint it could not be told from a run that never was. */
    @Test
    void aRunThatWasRemovedAsAWholeIsFound() throws SQLException {
        long streamNo = streamNo(8);
        for (String table : List.of("tape", "heads", "seals", "runs")) {
            change("DELETE FROM " + table + " WHERE stream_no = ?", streamNo);
        }
        assertEquals("checkpoint 2", fault().streamId());
        assertEquals(Kind.CHECKPOINT, fault().kind());
    }

    /** Otherwise a checkpoint of the gateway would make a forged seal genuine. */
    @Test
    void aSealThatIsForgedBeforeItIsCoveredIsNeverCovered() throws SQLException {
        sql.execute("BEGIN IMMEDIATE");
        change(
                "UPDATE seals SET checkpoint_no = 0, signature = zeroblob(64) WHERE stream_no = ?",
                streamNo(6));
        sql.execute("COMMIT");
        for (int i = 0; i < BATCH - 1; i++) {
            runs.add(store.newSealedTape(RECORDS));
        }
        awaitCheckpoints(4);
        assertEquals(
                -1, number("SELECT checkpoint_no FROM seals WHERE stream_no = ?", streamNo(6)));
        assertEquals(runs.get(6), fault().streamId());
        assertEquals(Kind.SIGNATURE, fault().kind());
    }

    @Test
    void withoutKeysCheckpointsAreLateAndNothingElse() {
        noMoreCheckpoints();
        for (int i = 0; i < BATCH; i++) {
            store.newSealedTape(RECORDS);
        }
        gate.remove(keys);
        store.journal().change(settings(BATCH));
        store.append(store.newTape(RECORDS), 1);
        gate.add(keys, Map.of());
        awaitCheckpoints(4);
        assertTrue(everything().intact());
    }

    /** What is sealed and not covered, as a crash leaves it, is verified as it was before. */
    @Test
    void aStoreThatDiedBetweenSealsAndCheckpointVerifies() throws SQLException {
        for (int i = 0; i < BATCH - 1; i++) {
            store.newSealedTape(RECORDS);
        }
        assertIntact(everything(), RUNS * RECORDS + 1 + (BATCH - 1) * RECORDS, RUNS + BATCH - 1, 0);
        sql.close();
        store.close();
        store = store();
        sql = store.direct();
        assertIntact(everything(), RUNS * RECORDS + 1 + (BATCH - 1) * RECORDS, RUNS + BATCH - 1, 0);
        store.newSealedTape(RECORDS);
        awaitCheckpoints(4);
        assertTrue(everything().intact());
    }

    @Test
    void checkpointsOfARotatedKeyStayGood() {
        memory.rotate(KeyPurpose.TAPE_HEAD);
        for (int i = 0; i < BATCH; i++) {
            store.newSealedTape(RECORDS);
        }
        awaitCheckpoints(4);
        assertEquals(2, number("SELECT count(DISTINCT key_id) FROM seal_checkpoints"), "two keys");
        assertTrue(everything().intact());
    }

    @Test
    void whatWasVerifiedIsLeftOutAndWhatIsNewIsNot() throws SQLException {
        assertIntact(whatIsNew(), RUNS * RECORDS + 1, RUNS, 0); // there is no note yet
        assertIntact(whatIsNew(), 0, 0, RUNS);
        String later = store.newSealedTape(RECORDS);
        String open = store.newTape(RECORDS);
        store.journal().commit(Unit.of(TestStore.append("journal", "another")));
        assertIntact(whatIsNew(), 2 * RECORDS + 1, 1, RUNS);
        change(
                "UPDATE tape SET hash = zeroblob(32) WHERE seq = 2 AND stream_no ="
                        + " (SELECT stream_no FROM runs WHERE run_id = ?)",
                open);
        assertEquals(open, whatIsNew().fault().orElseThrow().streamId());
        change(
                "UPDATE tape SET hash = zeroblob(32) WHERE seq = 2 AND stream_no ="
                        + " (SELECT stream_no FROM runs WHERE run_id = ?)",
                later);
        assertEquals(later, whatIsNew().fault().orElseThrow().streamId());
    }

    /** A fault leaves the note as it was: the next one begins there again. */
    @Test
    void aFaultMovesNoNote() throws SQLException {
        assertTrue(everything().intact());
        String later = store.newSealedTape(RECORDS);
        change(
                "UPDATE tape SET hash = zeroblob(32) WHERE seq = 2 AND stream_no ="
                        + " (SELECT stream_no FROM runs WHERE run_id = ?)",
                later);
        for (int i = 0; i < 2; i++) {
            assertEquals(later, whatIsNew().fault().orElseThrow().streamId());
        }
    }

    /** A note that an attacker wrote hides nothing: all is verified, and the note is named. */
    @Test
    void aNoteThatWasEditedIsNotReliedOn() throws SQLException {
        noMoreCheckpoints();
        sql.execute("CREATE TEMP TABLE kept AS SELECT * FROM seal_checkpoints");
        change("UPDATE seals SET checkpoint_no = 0 WHERE checkpoint_no = 3");
        change("DELETE FROM seal_checkpoints WHERE checkpoint_no = 3");
        assertTrue(everything().intact());
        change("INSERT INTO seal_checkpoints SELECT * FROM kept WHERE checkpoint_no = 3");
        change("UPDATE seals SET checkpoint_no = 3 WHERE checkpoint_no = 0");
        String last = runs.getLast();
        forge(last, "forged");
        assertEquals(last, whatIsNew().fault().orElseThrow().streamId());
        change("UPDATE verified SET checkpoint_no = 3");
        assertEquals(last, whatIsNew().fault().orElseThrow().streamId());
        change(
                "UPDATE verified SET checkpoint_digest ="
                        + " (SELECT digest FROM seal_checkpoints WHERE checkpoint_no = 3)");
        assertEquals(last, whatIsNew().fault().orElseThrow().streamId());
        forge(last, "n2");
        VerificationReport report = whatIsNew();
        assertEquals("note of what was verified", report.fault().orElseThrow().streamId());
        assertEquals(Kind.CHECKPOINT, report.fault().orElseThrow().kind());
        assertEquals(RUNS * RECORDS + 1, report.records(), "everything was verified");
        change("UPDATE verified SET journal_seq = 0");
        assertEquals(RUNS * RECORDS + 1, whatIsNew().records());
    }

    private void forge(String runId, String text) throws SQLException {
        change(
                "UPDATE tape SET payload = ? WHERE seq = 2 AND stream_no ="
                        + " (SELECT stream_no FROM runs WHERE run_id = ?)",
                TestStore.json(text),
                runId);
    }

    /** A run that was not verified does not become one that was by naming an old checkpoint. */
    @Test
    void aRunThatNamesAVerifiedCheckpointIsNotLeftOut() throws SQLException {
        assertTrue(everything().intact());
        String later = store.newSealedTape(RECORDS);
        sql.execute("BEGIN IMMEDIATE");
        forge(later, "forged");
        change(
                "UPDATE seals SET checkpoint_no = 1 WHERE stream_no ="
                        + " (SELECT stream_no FROM runs WHERE run_id = ?)",
                later);
        sql.execute("COMMIT");
        assertEquals(
                new Place(later, 2, Kind.PAYLOAD), Place.of(whatIsNew().fault().orElseThrow()));
    }

    @Test
    void whatWasVerifiedAndIsGoneIsFound() throws SQLException {
        noMoreCheckpoints();
        assertTrue(everything().intact());
        change("UPDATE seals SET checkpoint_no = 0 WHERE checkpoint_no = 3");
        change("DELETE FROM seal_checkpoints WHERE checkpoint_no = 3");
        assertEquals("checkpoint 3", whatIsNew().fault().orElseThrow().streamId());
        assertEquals(Kind.CHECKPOINT, fault().kind());
    }

    /** Nothing signs the end of the journal's own stream, but what was verified of it is known. */
    @Test
    void anEndOfTheJournalThatWasVerifiedCannotBeCutOff() throws SQLException {
        store.journal().commit(Unit.of(TestStore.append("journal", "the last")));
        assertTrue(everything().intact());
        change("DELETE FROM tape WHERE stream_no = 1 AND seq = 2");
        change(
                "UPDATE heads SET head_seq = 1, head_hash = (SELECT hash FROM tape WHERE"
                        + " stream_no = 1 AND seq = 1) WHERE stream_no = 1");
        assertEquals(new Place("journal/main", 2, Kind.HEAD), Place.of(fault()));
        assertEquals(
                new Place("journal/main", 2, Kind.HEAD),
                Place.of(whatIsNew().fault().orElseThrow()));
    }

    @Test
    void valuesThatNoNoteAndNoCheckpointHasAreFaults() throws SQLException {
        assertTrue(everything().intact());
        change("UPDATE verified SET journal_hash = x'', journal_seq = 'x', key_id = ''");
        assertEquals("note of what was verified", fault().streamId());
        change("DELETE FROM verified");
        change("UPDATE seal_checkpoints SET key_id = '', digest = x'' WHERE checkpoint_no = 1");
        assertCheckpoint(1, "signature");
    }

    @Test
    void progressIsToldOnTheCallersThread() {
        Thread caller = Thread.currentThread();
        List<Long> told = new ArrayList<>();
        store.journal()
                .verifyAll(
                        Extent.EVERYTHING,
                        (records, of) -> {
                            assertEquals(caller, Thread.currentThread());
                            assertEquals(RUNS * RECORDS + 1, of);
                            told.add(records);
                        },
                        () -> false);
        assertTrue(told.size() > 1);
        assertEquals(told.stream().sorted().toList(), told);
    }
}

package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Finding;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.api.core.keys.Keys;
import palyra.journal.internal.database.Sql;
import palyra.shared.gate.Gate;
import palyra.testing.journal.MemoryKeys;

/** The whole store is verified by two threads: it is the same as if one did it. */
class StoreScanTest {
    private static final int RUNS = 70;
    private static final int RECORDS = 3;
    private static final int EVENTS = 600;

    @TempDir Path state;

    private final MemoryKeys keys = new MemoryKeys();
    private final Gate<Keys> gate = JournalFactory.gate(keys);
    private final List<String> runs = new ArrayList<>();
    private SqliteJournal journal;

    @BeforeEach
    void open() {
        try (TestStore store = TestStore.open(TestStore.settings(state), keys)) {
            for (int i = 0; i < RUNS; i++) {
                runs.add(store.newSealedTape(RECORDS));
            }
            for (int i = 0; i < EVENTS / 100; i++) {
                Unit.Builder unit = Unit.builder();
                for (int n = 0; n < 100; n++) {
                    unit.add(TestStore.append("journal", "event"));
                }
                store.journal().commit(unit.build());
            }
        }
        runs.sort(null);
        journal =
                new SqliteJournal(
                        TestStore.settings(state), gate, InstantSource.system(), System::nanoTime);
    }

    @AfterEach
    void close() {
        journal.close();
    }

    private void spoil(String runId) throws SQLException {
        change(
                "UPDATE tape SET hash = zeroblob(32) WHERE seq = 2 AND stream_no ="
                        + " (SELECT stream_no FROM runs WHERE run_id = ?)",
                runId);
    }

    private void change(String statement, Object... arguments) throws SQLException {
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            assertEquals(1, sql.update(statement, arguments));
        }
    }

    private VerificationReport verify() {
        return journal.verifyAll(() -> false);
    }

    @Test
    void everyStreamIsVerifiedOnce() {
        VerificationReport report = verify();
        assertTrue(report.intact(), report::toString);
        assertEquals(RUNS + 1, report.streams());
        assertEquals(RUNS * RECORDS + EVENTS, report.records());
        assertEquals(RUNS, report.seals());
    }

    @Test
    void theFirstFaultInTheOrderOfStreamsIsNamedWhoeverMeetsIt() throws Exception {
        for (int at : new int[] {69, 64, 63, 31, 0}) {
            spoil(runs.get(at));
            for (int again = 0; again < 2; again++) {
                VerificationReport report = verify();
                assertEquals(runs.get(at), report.fault().orElseThrow().streamId());
                assertEquals(Kind.HASH, report.fault().orElseThrow().kind());
                assertTrue(report.complete());
            }
        }
        change("UPDATE tape SET hash = zeroblob(32) WHERE stream_no = 1 AND seq = 600");
        assertEquals("journal/main", verify().fault().orElseThrow().streamId());
    }

    /** An illegal run is no reason to leave others unverified. */
    @Test
    void everyRunWithAnIllegalRecordIsNamedAndVerificationGoesOn() throws Exception {
        VerificationReport report = verify();
        assertTrue(report.intact(), report::toString);
        assertEquals(runs, report.judgement().illegal().stream().map(Finding::runId).toList());
        assertEquals("model_token", report.judgement().illegal().getFirst().type());
        assertEquals(1, report.judgement().illegal().getFirst().seq());
        assertEquals(RUNS * (RECORDS - 1), report.judgement().unjudged());
        spoil(runs.getLast());
        assertEquals(runs.getLast(), verify().fault().orElseThrow().streamId());
    }

    @Test
    void oneRunIsJudgedFromItsFirstRecordAlone() {
        String run = runs.getFirst();
        VerificationReport whole = journal.verifyStream(run, () -> false);
        assertEquals(1, whole.judgement().illegal().size());
        assertTrue(journal.verifyStream("journal", () -> false).judgement().legal());
        assertEquals(0, journal.verifyStream("journal", () -> false).judgement().unjudged());
        VerificationReport range = journal.verifyRange(run, 2, RECORDS, () -> false);
        assertTrue(range.judgement().legal());
        assertEquals(RECORDS - 1, range.judgement().unjudged());
    }

    @Test
    void aWrongSignatureIsFound() throws Exception {
        String runId = runs.get(60);
        change(
                "UPDATE seals SET signature = zeroblob(64) WHERE stream_no ="
                        + " (SELECT stream_no FROM runs WHERE run_id = ?)",
                runId);
        VerificationReport report = verify();
        assertEquals(Kind.SIGNATURE, report.fault().orElseThrow().kind());
        assertEquals(runId, report.fault().orElseThrow().streamId());
    }

    @Test
    void aCancelledOneSaysThatItIsNotComplete() {
        AtomicInteger asked = new AtomicInteger();
        Thread caller = Thread.currentThread();
        VerificationReport report =
                journal.verifyAll(
                        () -> {
                            assertEquals(caller, Thread.currentThread());
                            return asked.incrementAndGet() > 2;
                        });
        assertFalse(report.complete());
        assertTrue(report.fault().isEmpty());
        assertTrue(report.streams() < RUNS);
        assertTrue(verify().intact(), "the next one is not disturbed");
    }

    @Test
    void withoutKeysItIsRefusedAndGoesOnWhenTheyAreBack() {
        gate.remove(keys);
        PalyraException refused = assertThrows(PalyraException.class, this::verify);
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        gate.add(keys, Map.of());
        assertTrue(verify().intact());
    }

    @Test
    void isDoneWithOneReaderToo() {
        journal.change(TestStore.settings(state).with(new JournalSettings.Reading(1, 4_096)));
        journal.commit(Unit.of(TestStore.append("journal", "one more")));
        VerificationReport report = verify();
        assertTrue(report.intact(), report::toString);
        assertEquals(RUNS * RECORDS + EVENTS + 1, report.records());
    }
}

package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.journal.internal.database.Sql;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** The store looks after itself. */
class UpkeepTest {
    @TempDir Path state;

    @Test
    void idempotencyKeysAreForgottenWithAge() {
        ManualClock clock = new ManualClock(1_700_000_000_000L);
        try (SqliteJournal journal =
                JournalFactory.open(TestStore.settings(state), new MemoryKeys(), clock)) {
            commit(journal, "old");
            clock.advance(6L * 24 * 3_600 * 1_000);
            commit(journal, "younger");
            Await.until("a day to pass", () -> stored(journal, "old"));
            clock.advance(2L * 24 * 3_600 * 1_000);
            Await.until("the old one to go", () -> !stored(journal, "old"));
            assertTrue(stored(journal, "younger"));
        }
    }

    private static void commit(SqliteJournal journal, String key) {
        journal.commit(Unit.builder().once(new IdempotencyKey("s", key, "d"), new byte[1]).build());
    }

    private static boolean stored(SqliteJournal journal, String key) {
        return journal.stored(new IdempotencyKey("s", key, "d")).isPresent();
    }

    @Test
    void grantsEndWithTheirTime() {
        ManualClock clock = new ManualClock(1_700_000_000_000L);
        try (SqliteJournal journal =
                JournalFactory.open(TestStore.settings(state), new MemoryKeys(), clock)) {
            journal.commit(
                    Unit.of(
                            new Operation.PutGrant(grant("short", clock.millis() + 60_000)),
                            new Operation.PutGrant(grant("long", clock.millis() + 86_400_000)),
                            new Operation.PutGrant(grant("open", 0))));
            clock.advance(120_000);
            Await.until(
                    "the short one to end",
                    () -> journal.grant("short").orElseThrow().state() == GrantRow.State.EXPIRED);
            assertEquals(1_700_000_060_000L, journal.grant("short").orElseThrow().endedAtMillis());
            assertEquals(
                    List.of("long", "open"),
                    journal.grants("u", "s", "t", clock.millis(), "", 10).stream()
                            .map(GrantRow::grantId)
                            .toList());
        }
    }

    private static GrantRow grant(String id, long expiresAt) {
        return GrantRow.begin(id, "a", "s", "u", "main", "t", "", new byte[1], expiresAt, 0);
    }

    @Test
    void spaceOfWhatIsGoneIsGivenBack() throws SQLException {
        try (TestStore store = TestStore.open(state)) {
            for (int i = 0; i < 20; i++) {
                store.journal()
                        .commit(
                                Unit.of(
                                        new Operation.PutDocument(
                                                "big", "k" + i, new byte[1 << 20])));
            }
            for (int i = 0; i < 20; i++) {
                store.journal().commit(Unit.of(new Operation.DeleteDocument("big", "k" + i)));
            }
            try (Sql sql = store.direct()) {
                Await.until("few pages to be left", () -> pages(sql) < 2_500);
            }
        }
    }

    private static final JournalSettings.Medium SHORT =
            new JournalSettings.Medium(8 << 20, 64 << 20, 1L << 50, 200);

    /** Leaves a store of 5 MB of which nine tenths were erased while space was short. */
    private String erased(TestStore store) {
        String runId = store.newRun();
        for (int i = 1; i <= 250; i++) {
            store.journal().commit(Unit.of(TestStore.append(runId, (i + " ").repeat(6_000))));
        }
        store.end(runId);
        store.journal().change(TestStore.settings(state).with(SHORT));
        store.awaitState(State.DISK_FULL);
        for (int seq = 1; seq <= 225; seq++) {
            store.journal().commit(Unit.of(new Operation.ErasePayload(runId, seq)));
        }
        return runId;
    }

    private static void awaitLook(SqliteJournal journal, ManualClock clock) {
        clock.advance(120_000);
        Await.until(
                "a look after the store",
                () -> journal.grant("g").orElseThrow().state() == GrantRow.State.EXPIRED);
    }

    /** What retention removed from a small store goes back too, but not while space is short. */
    @Test
    void smallStoreShrinksOnceSpaceIsNotShort() throws Exception {
        ManualClock clock = new ManualClock(1_700_000_000_000L);
        JournalSettings settings = TestStore.settings(state);
        Path database = state.resolve("journal/journal.db");
        try (SqliteJournal journal = JournalFactory.open(settings, new MemoryKeys(), clock);
                TestStore store = new TestStore(journal, settings.folder());
                Sql sql = store.direct()) {
            journal.commit(Unit.of(new Operation.PutGrant(grant("g", clock.millis() + 60_000))));
            String runId = erased(store);
            awaitLook(journal, clock);
            assertTrue(sql.pragma("PRAGMA freelist_count") > 1_000);
            journal.change(settings);
            Await.until("the file to shrink", () -> database.toFile().length() < 2_000_000);
            assertTrue(journal.verifyStream(runId, () -> false).intact());
        }
    }

    /** Pages stay where they are, and all else goes on. */
    @Test
    void damagedMapOfPagesCostsTheSpaceAlone() throws Exception {
        ManualClock clock = new ManualClock(1_700_000_000_000L);
        JournalSettings settings = TestStore.settings(state);
        MemoryKeys keys = new MemoryKeys();
        try (SqliteJournal journal = JournalFactory.open(settings, keys, clock)) {
            journal.commit(Unit.of(new Operation.PutGrant(grant("g", clock.millis() + 60_000))));
            erased(new TestStore(journal, settings.folder()));
        }
        try (RandomAccessFile database =
                new RandomAccessFile(state.resolve("journal/journal.db").toFile(), "rw")) {
            database.seek(4_096); // the second page says to what each page belongs
            database.write(new byte[4_096]);
        }
        try (SqliteJournal journal = JournalFactory.open(settings, keys, clock);
                TestStore store = new TestStore(journal, settings.folder());
                Sql sql = store.direct()) {
            awaitLook(journal, clock);
            assertEquals(State.OPEN, journal.status().state());
            assertTrue(sql.pragma("PRAGMA freelist_count") > 1_000);
        }
    }

    private static long pages(Sql sql) {
        try {
            return sql.pragma("PRAGMA page_count");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void writeAheadLogStaysNearItsBoundUnderLoad() throws Exception {
        JournalSettings settings =
                TestStore.settings(state)
                        .with(new JournalSettings.Medium(1 << 20, 4 << 20, 0, 2_000));
        Path log = state.resolve("journal/journal.db-wal");
        try (TestStore store = TestStore.open(settings, new MemoryKeys())) {
            String runId = store.newRun();
            long most = 0;
            for (int i = 0; i < 1_500; i++) {
                store.journal().commit(Unit.of(TestStore.append(runId, "x".repeat(20_000))));
                most = Math.max(most, Files.size(log));
            }
            assertTrue(most < 16 << 20, "the log had " + most + " bytes");
            assertEquals(1_500, store.journal().headSeq(runId));
            assertTrue(store.journal().verifyStream(runId, () -> false).intact());
        }
    }

    /** A reader that holds the log stops writing at the limit, and only as long as it does. */
    @Test
    void writeAheadLogKeepsItsBoundUnderAHeldReader() throws Exception {
        long limit = 4 << 20;
        JournalSettings settings =
                TestStore.settings(state)
                        .with(new JournalSettings.Medium(1 << 20, limit, 0, 2_000));
        Path log = state.resolve("journal/journal.db-wal");
        try (TestStore store = TestStore.open(settings, new MemoryKeys())) {
            String runId = store.newTape(1);
            int written = 1;
            ErrorCode refused = null;
            try (Sql reader = store.direct()) {
                reader.execute("BEGIN");
                assertEquals(1, reader.number("SELECT count(*) FROM tape", 0));
                long most = 0;
                for (int i = 0; i < 1_000 && refused == null; i++) {
                    try {
                        store.journal()
                                .commit(Unit.of(TestStore.append(runId, "x".repeat(20_000))));
                        written++;
                    } catch (PalyraException e) {
                        refused = e.code();
                        assertTrue(e.getMessage().contains("nothing happened"), e.getMessage());
                    }
                    most = Math.max(most, Files.size(log));
                }
                assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused);
                assertEquals(State.READ_ONLY, store.journal().status().state(), "it says so");
                assertTrue(most < limit + (1 << 20), "the log had " + most + " bytes");
                assertEquals(written, store.journal().headSeq(runId), "reading goes on");
            }
            store.awaitState(State.OPEN); // by itself, without a write from anybody
            store.append(runId, 1);
            assertTrue(store.journal().verifyStream(runId, () -> false).intact());
        }
    }

    /** Lists of what the engine works on go on without a row that says what cannot be. */
    @Test
    void rowThatCannotBeReadCostsItselfAlone() throws SQLException {
        try (TestStore store = TestStore.open(state)) {
            String before = store.newRun();
            String damaged = store.newRun();
            String after = store.newRun();
            try (Sql sql = store.direct()) {
                sql.execute("PRAGMA busy_timeout = 5000");
                sql.update("UPDATE runs SET principal = '' WHERE run_id = ?", damaged);
            }
            assertEquals(
                    List.of(before, after),
                    store.journal().runsIn(Set.of(RunState.RUNNING), "", "", 10).stream()
                            .map(RunRow::runId)
                            .toList());
            assertEquals(2, store.journal().runs("", "", "", 10).size());
            assertEquals(
                    ErrorCode.CORRUPT,
                    assertThrows(PalyraException.class, () -> store.journal().run(damaged)).code());
            assertEquals(1, store.journal().damagedRows().size());
            assertTrue(store.journal().damagedRows().getFirst().contains(damaged));
        }
    }

    @Test
    void metricsCountWhatHappened() {
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newTape(5);
            store.append(runId, 3);
            assertEquals(1, metric(store, "palyra_journal_state"));
            assertTrue(metric(store, "palyra_journal_commits_total") >= 5);
            assertTrue(metric(store, "palyra_journal_units_total") >= 5);
            assertEquals(8, metric(store, "palyra_journal_records"));
            assertTrue(metric(store, "palyra_journal_commit_seconds_total") > 0);
            assertTrue(metric(store, "palyra_journal_payload_bytes_total") > 8 * 10);
            double refused = metric(store, "palyra_journal_refused_total");
            assertThrows(PalyraException.class, () -> store.append("none", 1));
            assertEquals(refused + 1, metric(store, "palyra_journal_refused_total"));
        }
    }

    private static double metric(TestStore store, String name) {
        return store.journal().metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .mapToDouble(metric -> metric.value())
                .sum();
    }
}

package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.Migrations;
import palyra.journal.internal.database.Migrations.Migration;
import palyra.journal.internal.database.Sql;
import palyra.testing.journal.MemoryKeys;

/** Databases grow in numbered steps, and one that we cannot understand is left alone. */
class MigrationsTest {
    private static final String EXPANDS =
            """
            -- min-reader: 1
            -- adds; whoever does not know it can leave it
            ALTER TABLE runs ADD COLUMN colour TEXT NOT NULL DEFAULT '';
            """;
    private static final String CONTRACTS =
            "-- min-reader: "
                    + (Migrations.bundled().latest() + 1)
                    + "\nALTER TABLE runs DROP COLUMN colour;\n";
    private static final String BREAKS =
            "-- min-reader: 1\nCREATE TABLE half (x);\nCREATE TABLE meta (x);\n";

    @TempDir Path state;
    private final MemoryKeys keys = new MemoryKeys();

    private static final int LATEST = Migrations.bundled().latest();

    private static Migrations bundledAnd(String... later) {
        List<Migration> all = firstSteps(LATEST);
        for (String one : later) {
            all.add(Migration.parse(all.size() + 1, one));
        }
        return new Migrations(all);
    }

    private static List<Migration> firstSteps(int count) {
        List<Migration> steps = new ArrayList<>();
        for (int number = 1; number <= count; number++) {
            String name = String.format("/migrations/%04d.sql", number);
            try (var text = Migrations.class.getResourceAsStream(name)) {
                String step = new String(text.readAllBytes(), StandardCharsets.UTF_8);
                steps.add(Migration.parse(number, step));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return steps;
    }

    /**
     * Makes a database of an older form: what today's writer needs of later forms is there while it
     * writes, and taken out again.
     */
    private void inForm(int number, Consumer<SqliteJournal> writes) throws SQLException {
        List<Migration> steps = firstSteps(number);
        steps.add(
                Migration.parse(
                        number + 1,
                        "-- min-reader: 1\n"
                                + "ALTER TABLE heads ADD COLUMN step TEXT NOT NULL DEFAULT '';\n"
                                + "ALTER TABLE runs ADD COLUMN attempts INTEGER DEFAULT 0;\n"
                                + "CREATE TABLE session_numbers (no INTEGER PRIMARY KEY, session_id"
                                + " TEXT);\n"
                                + "CREATE TABLE session_pending (no INTEGER PRIMARY KEY);\n"
                                + "CREATE VIRTUAL TABLE session_search USING fts5(key, label, tokenize"
                                + " = 'trigram');\n"
                                + "ALTER TABLE idempotency RENAME COLUMN created_at TO open_at;\n"
                                + "ALTER TABLE tape ADD COLUMN texts BLOB;\n"
                                + "CREATE TABLE node (row_no INTEGER PRIMARY KEY, node_id TEXT,"
                                + " stream_id TEXT);\n"));
        try (SqliteJournal journal = open(new Migrations(steps))) {
            writes.accept(journal);
        }
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            sql.execute("ALTER TABLE heads DROP COLUMN step");
            sql.execute("ALTER TABLE runs DROP COLUMN attempts");
            sql.execute("DROP TABLE session_numbers");
            sql.execute("DROP TABLE session_search");
            sql.execute("DROP TABLE session_pending");
            sql.execute("ALTER TABLE tape DROP COLUMN texts");
            sql.execute("DROP TABLE node");
            sql.execute("ALTER TABLE idempotency RENAME COLUMN open_at TO created_at");
            sql.execute("DELETE FROM meta WHERE name IN ('groups', 'open_millis', 'wall_millis')");
            sql.execute("PRAGMA user_version = " + number);
        }
    }

    private SqliteJournal open(Migrations migrations) {
        JournalSettings settings = TestStore.settings(state);
        SqliteJournal journal =
                new SqliteJournal(
                        settings,
                        JournalFactory.gate(keys),
                        TestStore.systemClock(),
                        new DatabaseFile(settings.folder()),
                        migrations);
        journal.awaitOpening();
        return journal;
    }

    private long version() throws SQLException {
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            return sql.pragma("PRAGMA user_version");
        }
    }

    @Test
    void newDatabaseHasTheFormOfThisBundle() throws SQLException {
        String runId;
        try (TestStore store = TestStore.open(state)) {
            runId = store.newTape(3);
        }
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            assertEquals(4_096, sql.pragma("PRAGMA page_size"));
            assertEquals(2, sql.pragma("PRAGMA auto_vacuum"));
            assertEquals("wal", sql.text("PRAGMA journal_mode"));
            assertEquals(Migrations.APPLICATION_ID, sql.pragma("PRAGMA application_id"));
            assertEquals("ok", sql.text("PRAGMA integrity_check"));
            assertEquals(3, sql.number("SELECT count(*) FROM tape", 0));
        }
        try (TestStore store = TestStore.open(state)) {
            assertEquals(3, store.journal().headSeq(runId));
        }
    }

    @Test
    void olderDatabaseTakesTheMissingSteps() throws SQLException {
        String runId;
        try (TestStore store = TestStore.open(state)) {
            runId = store.newTape(3);
        }
        try (SqliteJournal journal = open(bundledAnd(EXPANDS))) {
            assertEquals(State.OPEN, journal.status().state());
            assertEquals(LATEST + 1, journal.status().schemaVersion());
            assertEquals(3, journal.headSeq(runId));
        }
        assertEquals(LATEST + 1, version());
        try (SqliteJournal journal = open(bundledAnd(EXPANDS, CONTRACTS))) {
            assertEquals(3, journal.headSeq(runId));
            assertTrue(journal.verifyStream(runId, () -> false).intact());
        }
        assertEquals(LATEST + 2, version());
    }

    /** What the first bundle wrote is there after the step to chosen run ids, in its order. */
    @Test
    void databaseOfTheFirstFormKeepsItsRunsInTheirOrder() throws SQLException {
        List<String> runs = new ArrayList<>();
        inForm(
                1,
                first -> {
                    TestStore store = new TestStore(first, state.resolve("journal"));
                    for (int i = 0; i < 3; i++) {
                        runs.add(store.newTape(2));
                    }
                });
        assertEquals(1, version());
        try (SqliteJournal journal = open(Migrations.bundled())) {
            runs.add(new TestStore(journal, state.resolve("journal")).newTape(1));
            assertEquals(
                    runs.reversed(),
                    journal.runs("", "", "", 10).stream().map(RunRow::runId).toList());
            assertTrue(journal.verifyAll(() -> false).intact());
            assertEquals(
                    4, journal.sessions("", "k-01", "", 10, true).size(), "old ones are found");
        }
        assertEquals(LATEST, version());
    }

    /** A question of the second form can be answered in the third, and its run is found by it. */
    @Test
    void questionsOfTheSecondFormAreStillAnswered() throws SQLException {
        List<String> runs = new ArrayList<>();
        inForm(2, second -> runs.add(new TestStore(second, state.resolve("journal")).newTape(1)));
        String runId = runs.getFirst();
        assertEquals(2, version());
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            sql.update(
                    "INSERT INTO approvals (approval_id, run_id, call_id, state, payload,"
                            + " created_at, expires_at, decided_at, decided_by)"
                            + " VALUES ('old', ?, 'c', 'PENDING', x'01', 1, ?, 0, '')",
                    runId,
                    Long.MAX_VALUE);
        }
        try (SqliteJournal journal = open(Migrations.bundled())) {
            ApprovalRow found = journal.approval("old").orElseThrow();
            assertEquals(1, found.quorum());
            assertEquals(0, found.votes());
            assertEquals(0, found.noticeAtMillis());
            assertEquals("", found.principal());
            assertEquals(0, found.decision().length);
            assertEquals(1, journal.approvals(ApprovalFilter.ALL, "", 10).size());
            journal.commit(
                    Unit.of(
                            new Operation.DecideApproval(
                                    "old", ApprovalRow.State.GRANTED, "user:bob"),
                            new Operation.MoveRun(
                                    runId,
                                    EnumSet.of(RunState.RUNNING),
                                    RunState.AWAITING_APPROVAL,
                                    "")));
            assertEquals(
                    List.of(runId),
                    journal.answeredRuns("", 10).stream().map(RunRow::runId).toList());
            assertTrue(journal.verifyAll(() -> false).intact());
        }
        assertEquals(LATEST, version());
    }

    @Test
    void databaseThatANewerBundleOnlyExpandedIsStillOurs() throws SQLException {
        open(bundledAnd(EXPANDS)).close();
        try (TestStore store = TestStore.open(state)) {
            String runId = store.newTape(3);
            assertEquals(3, store.journal().headSeq(runId));
        }
        assertEquals(LATEST + 1, version());
    }

    @Test
    void databaseThatNeedsANewerReaderIsRefusedUntouched() throws IOException {
        open(bundledAnd(EXPANDS, CONTRACTS)).close();
        Path file = state.resolve("journal/journal.db");
        byte[] before = Files.readAllBytes(file);
        try (SqliteJournal journal = open(Migrations.bundled())) {
            assertEquals(State.STOPPED, journal.status().state());
            String detail = journal.status().detail();
            assertTrue(detail.contains("newer Palyra"), detail);
            assertTrue(
                    detail.contains("version " + (LATEST + 1))
                            && detail.contains("version " + LATEST),
                    detail);
            PalyraException refused = assertThrows(PalyraException.class, () -> journal.run("any"));
            assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refused.code());
        }
        assertArrayEquals(before, Files.readAllBytes(file));
        try (Stream<Path> beside = Files.list(state.resolve("journal"))) {
            Path lock = file.resolveSibling("journal.db.lock");
            Path begun = file.resolveSibling("journal.db.begun");
            assertEquals(List.of(file, begun, lock), beside.sorted().toList());
        }
    }

    @Test
    void foreignDatabaseIsRefusedUntouched() throws Exception {
        Path folder = Files.createDirectories(state.resolve("journal"));
        Path file = Files.createFile(folder.resolve("journal.db"));
        try (Sql sql = TestStore.direct(folder)) {
            sql.execute("CREATE TABLE photos (x)");
        }
        byte[] before = Files.readAllBytes(file);
        try (SqliteJournal journal = open(Migrations.bundled())) {
            assertEquals(State.STOPPED, journal.status().state());
            assertTrue(journal.status().detail().contains("not a journal of Palyra"));
        }
        assertArrayEquals(before, Files.readAllBytes(file));
    }

    @Test
    void stepThatFailsLeavesTheDatabaseAsItWas() throws SQLException {
        String runId;
        try (TestStore store = TestStore.open(state)) {
            runId = store.newTape(3);
        }
        try (SqliteJournal journal = open(bundledAnd(BREAKS))) {
            assertEquals(State.STOPPED, journal.status().state());
        }
        assertEquals(LATEST, version());
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            assertFalse(sql.exists("SELECT 1 FROM sqlite_schema WHERE name = 'half'"));
        }
        try (TestStore store = TestStore.open(state)) {
            assertEquals(3, store.journal().headSeq(runId));
        }
    }

    /** What an earlier bundle would misread names the first that does not, as its text says. */
    @Test
    void stepsNameTheOldestReaderThatUnderstandsThem() {
        assertEquals(
                List.of(1, 2, 3, 4, 5, 5, 7, 8, 9, 10, 10, 10, 13, 14, 15, 16),
                firstSteps(LATEST).stream().map(Migration::minReader).toList());
    }

    @Test
    void stepThatNamesNoReaderIsADefect() {
        assertThrows(IllegalStateException.class, () -> Migration.parse(2, "CREATE TABLE x (y);"));
    }
}

package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.write.DatabaseOpener;
import palyra.testing.journal.MemoryKeys;
import palyra.testing.wait.Await;

/** Damage of the index for searching sessions costs the index alone. */
class SearchDamageTest {
    private static final int SESSIONS = 450;

    @TempDir Path state;

    private final MemoryKeys keys = new MemoryKeys();

    private TestStore open() {
        return TestStore.open(TestStore.settings(state), keys);
    }

    private static void sessions(TestStore store, int from, int to) {
        for (int done = from; done < to; done += 50) {
            Unit.Builder unit = Unit.builder();
            for (int i = done; i < Math.min(to, done + 50); i++) {
                unit.add(session(i));
            }
            store.journal().commit(unit.build());
        }
    }

    private static Operation session(int number) {
        return new Operation.InsertSession(
                new SessionView(
                        TestStore.IDS.next(),
                        "key" + number + "end",
                        "weekly report",
                        "user:alice",
                        "",
                        "",
                        "",
                        0,
                        0,
                        0,
                        ""));
    }

    private static List<SessionView> search(TestStore store, String text) {
        return store.journal().sessions("", text, "", 1_000, true);
    }

    private void awaitIndexed() {
        Await.until(
                "nothing to be pending",
                () -> {
                    try (Sql disk = TestStore.direct(state.resolve("journal"))) {
                        return disk.number("SELECT count(*) FROM session_pending", -1) == 0;
                    } catch (SQLException e) {
                        return false;
                    }
                });
    }

    private List<Long> pages(String... tables) throws SQLException {
        try (Sql disk = TestStore.direct(state.resolve("journal"))) {
            return disk.list(
                    "SELECT pageno FROM dbstat WHERE name IN ('"
                            + String.join("','", tables)
                            + "')",
                    row -> row.getLong(1));
        }
    }

    private void overwrite(List<Long> pages) throws IOException {
        assertTrue(!pages.isEmpty(), "the index has pages");
        Path file = state.resolve("journal/journal.db");
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            for (long page : pages) {
                raw.seek((page - 1) * 4_096);
                byte[] nonsense = new byte[4_096];
                Arrays.fill(nonsense, (byte) 0xFF);
                raw.write(nonsense);
            }
        }
    }

    private void fill() {
        try (TestStore store = open()) {
            sessions(store, 0, SESSIONS);
            awaitIndexed();
        }
    }

    private static void awaitWhole(TestStore store) {
        Await.until("the index to be rebuilt", () -> store.journal().searchDamage().isEmpty());
    }

    private static List<String> events(TestStore store) {
        return store.journal().tape(TapeRecord.JOURNAL_STREAM, 0, 1_000).stream()
                .map(TapeRecord::type)
                .toList();
    }

    @Test
    void damagedIndexRefusesNoSessionAndIsRebuiltWhileRunsGoOn() throws Exception {
        fill();
        overwrite(pages("session_search_data", "session_search_idx", "session_search_content"));
        try (TestStore store = open()) {
            String runId = store.newTape(3);
            sessions(store, SESSIONS, SESSIONS + 10);
            Await.until(
                    "the damage to be recorded",
                    () -> {
                        store.append(runId, 1);
                        assertEquals(State.OPEN, store.journal().status().state());
                        return events(store).contains("session_index_rebuilt");
                    });
            awaitWhole(store);
            assertTrue(events(store).contains("session_index_abandoned"));
            assertEquals(1, search(store, "key77end").size());
            assertEquals(SESSIONS + 10, search(store, "weekly").size());
            assertTrue(store.journal().verifyAll(() -> false).intact());
            awaitIndexed();
        }
        try (Sql disk = TestStore.direct(state.resolve("journal"))) {
            disk.execute("INSERT INTO session_search (session_search) VALUES ('integrity-check')");
            assertEquals(
                    SESSIONS + 11, disk.number("SELECT count(*) FROM session_search_docsize", 0));
        }
    }

    @Test
    void searchThatMeetsDamageAnswersFromTheTable() throws Exception {
        fill();
        overwrite(pages("session_search_data"));
        try (TestStore store = open()) {
            assertEquals(1, search(store, "key77end").size());
            assertEquals(State.OPEN, store.journal().status().state());
            Await.until(
                    "the index to be rebuilt",
                    () -> events(store).contains("session_index_rebuilt"));
            awaitWhole(store);
            assertEquals(SESSIONS, search(store, "weekly").size());
        }
    }

    @Test
    void searchFindsWhatIsNotInTheIndexYet() {
        try (TestStore store = open()) {
            sessions(store, 0, 10);
            assertEquals(1, search(store, "key7end").size());
            assertEquals(10, search(store, "weekly").size());
            awaitIndexed();
            assertEquals(1, search(store, "key7end").size());
            assertEquals(10, search(store, "weekly").size());
        }
    }

    @Test
    void archivedKeyLeavesTheIndex() throws SQLException {
        try (TestStore store = open()) {
            sessions(store, 0, 3);
            awaitIndexed();
            String sessionId = search(store, "key1end").getFirst().sessionId();
            store.journal().commit(Unit.of(new Operation.ArchiveSession(sessionId)));
            assertEquals(0, search(store, "key1end").size());
            awaitIndexed();
            assertEquals(0, search(store, "key1end").size());
            assertEquals(3, search(store, "weekly").size());
        }
        try (Sql disk = TestStore.direct(state.resolve("journal"))) {
            assertEquals(
                    0,
                    disk.number(
                            "SELECT count(*) FROM session_search WHERE session_search MATCH ?",
                            -1,
                            "\"key1end\""));
        }
    }

    /**
     * After damage elsewhere all pages are looked at; those of an abandoned index are not in the
     * way.
     */
    @Test
    void pagesOfAnAbandonedIndexDoNotKeepTheJournalShutAndOthersDo() throws Exception {
        fill();
        overwrite(pages("session_search_data"));
        try (TestStore store = open()) {
            store.newTape(500);
            Await.until(
                    "the index to be rebuilt",
                    () -> {
                        search(store, "weekly");
                        return events(store).contains("session_index_rebuilt");
                    });
        }
        try (Sql disk = TestStore.direct(state.resolve("journal"))) {
            assertNotEquals("ok", disk.text("PRAGMA quick_check(1)"));
            DatabaseOpener.requireSound(disk);
        }
        overwrite(pages("tape").subList(1, 3));
        try (Sql disk = TestStore.direct(state.resolve("journal"))) {
            String said =
                    assertThrows(PalyraException.class, () -> DatabaseOpener.requireSound(disk))
                            .getMessage();
            assertTrue(said.contains("SQLite found: "), said); // where, not only that
        }
    }

    @Test
    void storeThatAbandonedAnIndexOpensAgain() throws Exception {
        fill();
        overwrite(pages("session_search_data"));
        try (TestStore store = open()) {
            sessions(store, SESSIONS, SESSIONS + 10);
            Await.until(
                    "the index to be rebuilt",
                    () -> events(store).contains("session_index_rebuilt"));
        }
        try (TestStore store = open()) {
            assertEquals(State.OPEN, store.journal().status().state());
            assertEquals(SESSIONS + 10, search(store, "weekly").size());
        }
    }
}

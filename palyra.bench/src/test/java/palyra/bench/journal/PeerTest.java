package palyra.bench.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import palyra.api.core.journal.VerificationReport;

class PeerTest {
    @TempDir Path folder;

    @Test
    void journalHoldsWhatWasPutIntoIt() throws Exception {
        try (BenchStore store = BenchStore.open(folder.resolve("state"))) {
            String run = store.openRun();
            store.journal().commit(BenchStore.records(run, 7));
            store.fill(250);
            store.fillEnded(3, 20);
            VerificationReport found = store.services().verifyAll(() -> false);
            assertTrue(found.intact(), found::toString);
            assertEquals(7 + 250 + 60, found.records());
            assertEquals(3, found.seals());
            assertEquals(7, store.journal().tape(run, 0, 100).size());
        }
    }

    @Test
    void peerHoldsWhatWasPutIntoIt() throws Exception {
        try (RawSqlite raw = new RawSqlite(folder.resolve("raw.db"))) {
            raw.begin();
            for (int i = 1; i <= 200; i++) {
                raw.insertRecord(2 + i % 10, i);
            }
            raw.putHead(2, 200);
            raw.putHead(2, 201);
            raw.addTotal(200);
            raw.commit();
            assertEquals(200, raw.scan());
        }
        assertEquals("201", value(folder.resolve("raw.db"), "SELECT head_seq FROM heads"));
        assertEquals("200", value(folder.resolve("raw.db"), "SELECT value FROM meta"));
        assertEquals("wal", value(folder.resolve("raw.db"), "PRAGMA journal_mode"));
    }

    /** The peer is fair only as long as both write the same tables. */
    @Test
    void peerHasTheJournalsTablesAndIndexes() throws Exception {
        try (RawSqlite raw = new RawSqlite(folder.resolve("raw.db"))) {
            assertEquals(0, raw.scan());
        }
        try (BenchStore store = BenchStore.open(folder.resolve("state"))) {
            store.openRun();
        }
        Set<String> ours = objects(folder.resolve("state/journal/journal.db"));
        assertTrue(ours.size() > 20, ours::toString);
        assertEquals(ours, objects(folder.resolve("raw.db")));
    }

    private static Set<String> objects(Path file) throws SQLException {
        Set<String> found = new TreeSet<>();
        try (var connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT sql FROM sqlite_master")) {
            while (rows.next()) {
                found.add(String.valueOf(rows.getString(1)).replaceAll("\\s+", " "));
            }
        }
        return found;
    }

    private static String value(Path file, String query) throws SQLException {
        try (var connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }
}

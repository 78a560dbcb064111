package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunSnapshot;
import palyra.api.core.journal.Unit;
import palyra.journal.internal.database.Sql;

/** What somebody or something changed in the database is no snapshot any more. */
class SnapshotTableTest {
    private static final String STREAM = "(SELECT stream_no FROM runs WHERE run_id = '%s')";

    @TempDir Path state;

    private static String withSnapshot(TestStore store) {
        String runId = store.newTape(5);
        RunSnapshot snapshot = new RunSnapshot(runId, 4, 1, TestStore.json(runId));
        store.journal().commit(Unit.of(new Operation.PutSnapshot(snapshot)));
        assertTrue(store.journal().snapshot(runId).isPresent());
        return runId;
    }

    private void change(String statement) throws SQLException {
        try (Sql sql = TestStore.direct(state.resolve("journal"))) {
            sql.execute(statement);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "content = x'7b7d'",
                "content = ''",
                "content = zeroblob(4194305)",
                "seq = 5",
                "seq = 6",
                "format = 2",
                "digest = x''",
                "digest = zeroblob(32)"
            })
    void changedSnapshotIsNotUsed(String change) throws SQLException {
        try (TestStore store = TestStore.open(state)) {
            String runId = withSnapshot(store);
            change("UPDATE run_snapshots SET " + change);
            assertEquals(Optional.empty(), store.journal().snapshot(runId));
        }
    }

    @Test
    void snapshotOfAnotherTapeIsNotUsed() throws SQLException {
        try (TestStore store = TestStore.open(state)) {
            String runId = withSnapshot(store);
            String other = store.newTape(5);
            change("UPDATE run_snapshots SET stream_no = " + STREAM.formatted(other));
            assertEquals(Optional.empty(), store.journal().snapshot(other));
            assertEquals(Optional.empty(), store.journal().snapshot(runId));
        }
    }

    @Test
    void snapshotOfATapeThatWasChangedIsNotUsed() throws SQLException {
        try (TestStore store = TestStore.open(state)) {
            String runId = withSnapshot(store);
            change(
                    "UPDATE tape SET hash = zeroblob(32) WHERE seq = 4 AND stream_no = "
                            + STREAM.formatted(runId));
            assertEquals(Optional.empty(), store.journal().snapshot(runId));
        }
    }
}

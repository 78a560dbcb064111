package palyra.journal.internal.table;

import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.RunSnapshot;
import palyra.journal.internal.database.Sql;
import palyra.shared.hash.Digests;

/**
 * Snapshots of runs that have not ended, one for each. The digest of a row covers the hash that the
 * tape has at the snapshot's record, so that one which fits another tape is not taken for this
 * one's.
 */
public final class SnapshotTable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotTable.class);

    private final Sql sql;

    SnapshotTable(Sql sql) {
        this.sql = sql;
    }

    /** Returns the snapshot of a run; empty without a reliable one. */
    public Optional<RunSnapshot> find(String runId) throws SQLException {
        Optional<Optional<RunSnapshot>> row =
                sql.one(
                        "SELECT s.seq, s.format, s.content, s.digest, t.hash FROM runs r"
                                + " JOIN run_snapshots s ON s.stream_no = r.stream_no"
                                + " LEFT JOIN tape t ON t.stream_no = s.stream_no AND t.seq = s.seq"
                                + " WHERE r.run_id = ?",
                        found -> checked(runId, found),
                        runId);
        if (row.isPresent() && row.get().isEmpty()) {
            LOG.warn("The snapshot of run {} does not fit its tape and is not used", runId);
        }
        return row.flatMap(snapshot -> snapshot);
    }

    private static Optional<RunSnapshot> checked(String runId, ResultSet row) throws SQLException {
        byte[] content = row.getBytes(3);
        byte[] hash = row.getBytes(5);
        if (content == null || content.length > RunSnapshot.MAX_BYTES || hash == null) {
            return Optional.empty();
        }
        RunSnapshot snapshot = new RunSnapshot(runId, row.getLong(1), row.getInt(2), content);
        return MessageDigest.isEqual(digest(snapshot, hash), row.getBytes(4))
                ? Optional.of(snapshot)
                : Optional.empty();
    }

    private static byte[] digest(RunSnapshot snapshot, byte[] recordHash) {
        return Digests.tagged("palyra.run.snapshot.v1")
                .lp(snapshot.runId())
                .u64(snapshot.seq())
                .lp(recordHash)
                .u32(snapshot.format())
                .lp(snapshot.content())
                .bytes();
    }

    /** Keeps a snapshot; false when the tape has no such record. */
    public boolean put(long streamNo, RunSnapshot snapshot) throws SQLException {
        Optional<byte[]> hash =
                sql.one(
                        "SELECT hash FROM tape WHERE stream_no = ? AND seq = ?",
                        row -> row.getBytes(1),
                        streamNo,
                        snapshot.seq());
        if (hash.isEmpty()) {
            return false;
        }
        sql.update(
                "INSERT OR REPLACE INTO run_snapshots (stream_no, seq, format, digest, content)"
                        + " VALUES (?,?,?,?,?)",
                streamNo,
                snapshot.seq(),
                snapshot.format(),
                digest(snapshot, hash.get()),
                snapshot.content());
        return true;
    }

    public void delete(long streamNo) throws SQLException {
        sql.update("DELETE FROM run_snapshots WHERE stream_no = ?", streamNo);
    }
}

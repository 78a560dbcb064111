package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import palyra.api.core.journal.Seal;
import palyra.journal.internal.database.Sql;

/** Seals as checkpoints cover them, the checkpoints, and the note of what was verified. */
public final class SealTable {
    /** Number of no checkpoint: the seal may be covered by the next. */
    public static final long NONE = 0;

    /** Number of no checkpoint: the seal is never covered, since its own signature is wrong. */
    public static final long NEVER = -1;

    private static final byte[] NOTHING = new byte[0];

    private final Sql sql;

    public SealTable(Sql sql) {
        this.sql = sql;
    }

    /** A seal and the number of its stream; empty when the row of its run is lost. */
    public record Numbered(long streamNo, Optional<Seal> seal) {}

    /**
     * A checkpoint as its row says.
     *
     * @param previous digest of the one before; empty for the first
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as stored
    public record Checkpoint(
            long number, byte[] previous, byte[] digest, String keyId, byte[] signature) {
        /** What the first follows. */
        public static final Checkpoint BEFORE_THE_FIRST =
                new Checkpoint(NONE, NOTHING, NOTHING, "?", NOTHING);
    }

    /**
     * What was verified: runs up to a checkpoint and the journal's own stream up to a record.
     *
     * @param through the last checkpoint; of the number 0 when there was none
     * @param digest its digest
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as stored
    public record Verified(
            long through,
            byte[] digest,
            long journalSeq,
            byte[] journalHash,
            String keyId,
            byte[] signature) {}

    /** Returns seals of one checkpoint, or of none, in the order in which a digest takes them. */
    public List<Numbered> of(long checkpoint, int limit) throws SQLException {
        return sql.list(
                "SELECT s.stream_no, r.run_id, s.seq, s.hash, s.key_id, s.signature FROM seals s"
                        + " LEFT JOIN runs r ON r.stream_no = s.stream_no"
                        + " WHERE s.checkpoint_no = ? ORDER BY s.stream_no LIMIT ?",
                row -> new Numbered(row.getLong(1), seal(row)),
                checkpoint,
                limit);
    }

    private static Optional<Seal> seal(ResultSet row) throws SQLException {
        String runId = row.getString(2);
        String keyId = row.getString(5);
        if (runId == null || runId.isBlank()) {
            return Optional.empty();
        }
        return Optional.of(
                new Seal(
                        runId,
                        row.getLong(3),
                        orNothing(row.getBytes(4)),
                        keyId(keyId),
                        orNothing(row.getBytes(6))));
    }

    /** Says which checkpoint covers a seal that none covered; returns whether the row was there. */
    public boolean cover(long streamNo, byte[] signature, long checkpoint) throws SQLException {
        return sql.update(
                        "UPDATE seals SET checkpoint_no = ? WHERE stream_no = ? AND signature = ?"
                                + " AND checkpoint_no = 0",
                        checkpoint,
                        streamNo,
                        signature)
                == 1;
    }

    /** Says that a seal which no checkpoint covers is never to be covered. */
    public void never(long streamNo) throws SQLException {
        sql.update(
                "UPDATE seals SET checkpoint_no = -1 WHERE stream_no = ? AND checkpoint_no = 0",
                streamNo);
    }

    /**
     * Returns the highest number above {@code after} that a seal names; 0 when no seal names one.
     */
    public long namedAfter(long after) throws SQLException {
        return sql.number(
                "SELECT checkpoint_no FROM seals WHERE checkpoint_no > ?"
                        + " ORDER BY checkpoint_no DESC LIMIT 1",
                NONE,
                after);
    }

    /** Returns checkpoints in the order of their numbers. */
    public List<Checkpoint> checkpoints(long after, int limit) throws SQLException {
        return sql.list(
                "SELECT checkpoint_no, previous, digest, key_id, signature FROM seal_checkpoints"
                        + " WHERE checkpoint_no > ? ORDER BY checkpoint_no LIMIT ?",
                SealTable::checkpoint,
                after,
                limit);
    }

    /** Returns the last checkpoint; in a store without checkpoints one with the number 0. */
    public Checkpoint last() throws SQLException {
        return sql.one(
                        "SELECT checkpoint_no, previous, digest, key_id, signature FROM"
                                + " seal_checkpoints WHERE checkpoint_no > 0"
                                + " ORDER BY checkpoint_no DESC LIMIT 1",
                        SealTable::checkpoint)
                .orElse(Checkpoint.BEFORE_THE_FIRST);
    }

    private static Checkpoint checkpoint(ResultSet row) throws SQLException {
        return new Checkpoint(
                row.getLong(1),
                orNothing(row.getBytes(2)),
                orNothing(row.getBytes(3)),
                keyId(row.getString(4)),
                orNothing(row.getBytes(5)));
    }

    public void insert(Checkpoint checkpoint) throws SQLException {
        sql.update(
                "INSERT INTO seal_checkpoints (checkpoint_no, previous, digest, key_id, signature)"
                        + " VALUES (?,?,?,?,?)",
                checkpoint.number(),
                checkpoint.previous(),
                checkpoint.digest(),
                checkpoint.keyId(),
                checkpoint.signature());
    }

    /** Returns what was verified, as the row says. */
    public Optional<Verified> verified() throws SQLException {
        return sql.one(
                "SELECT checkpoint_no, checkpoint_digest, journal_seq, journal_hash, key_id,"
                        + " signature FROM verified WHERE row_no = 1",
                row ->
                        new Verified(
                                row.getLong(1),
                                orNothing(row.getBytes(2)),
                                row.getLong(3),
                                orNothing(row.getBytes(4)),
                                keyId(row.getString(5)),
                                orNothing(row.getBytes(6))));
    }

    public void put(Verified verified) throws SQLException {
        sql.update(
                "INSERT OR REPLACE INTO verified (row_no, checkpoint_no, checkpoint_digest,"
                        + " journal_seq, journal_hash, key_id, signature)"
                        + " VALUES (1,?,?,?,?,?,?)",
                verified.through(),
                verified.digest(),
                verified.journalSeq(),
                verified.journalHash(),
                verified.keyId(),
                verified.signature());
    }

    private static String keyId(String stored) {
        return stored == null || stored.isBlank() ? "?" : stored;
    }

    private static byte[] orNothing(byte[] bytes) {
        return bytes == null ? NOTHING : bytes;
    }
}

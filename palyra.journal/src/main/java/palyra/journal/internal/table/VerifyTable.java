package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palyra.api.core.journal.Seal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.Sql;
import palyra.shared.tape.StreamVerifier;
import palyra.shared.tape.TapeHash;

/** The verifier's reads of streams, which damaged values do not stop. */
public final class VerifyTable {
    private static final byte[] NOTHING = new byte[0];
    private static final Set<String> OPEN =
            Stream.of(RunState.values())
                    .filter(state -> !state.terminal())
                    .map(Enum::name)
                    .collect(Collectors.toSet());
    private static final String SELECT =
            "SELECT r.run_id, r.session_id, r.principal, r.state, r.stream_no, h.head_seq,"
                    + " h.head_hash, s.seq, s.hash, s.key_id, s.signature,"
                    + " s.checkpoint_no FROM runs r"
                    + " LEFT JOIN heads h ON h.stream_no = r.stream_no"
                    + " LEFT JOIN seals s ON s.stream_no = r.stream_no WHERE ";

    private final Sql sql;

    public VerifyTable(Sql sql) {
        this.sql = sql;
    }

    /**
     * A stream as it should be.
     *
     * @param headSeq last sequence number that the store remembers, -1 when it remembers none
     * @param genesis what the first record follows that is not known to be intact
     * @param ended whether it must be sealed
     * @param checkpoint number of the one that covers its seal; not above 0 when none does
     * @param knownSeq the last record that is known to be intact; 0 when none is
     */
    @SuppressWarnings("ArrayRecordComponent") // digests, never changed in place
    public record Target(
            String streamId,
            long streamNo,
            byte[] genesis,
            long headSeq,
            byte[] headHash,
            boolean ended,
            Optional<Seal> seal,
            long checkpoint,
            long knownSeq) {
        /** Returns this stream, of which the records up to one are known to be intact. */
        public Target after(long seq, byte[] hash) {
            return new Target(
                    streamId, streamNo, hash, headSeq, headHash, ended, seal, checkpoint, seq);
        }

        /** Begins with the first record that is not known. */
        public StreamVerifier begin() {
            return knownSeq > 0
                    ? StreamVerifier.after(streamId, knownSeq, genesis)
                    : StreamVerifier.from(streamId, genesis);
        }
    }

    public Optional<Target> find(String streamId) throws SQLException {
        return TapeRecord.isJournal(streamId)
                ? Optional.of(journal()).filter(journal -> isNamed(journal, streamId))
                : sql.one(SELECT + "r.run_id = ?", VerifyTable::read, streamId);
    }

    private static boolean isNamed(Target journal, String streamId) {
        return streamId.equals(TapeRecord.JOURNAL_STREAM) || streamId.equals(journal.streamId());
    }

    /** Returns the stream of this node's events. */
    Target journal() throws SQLException {
        String name = new Tables(sql).tape().nodeStream();
        return sql.one(
                        "SELECT head_seq, head_hash FROM heads WHERE stream_no = 1",
                        row -> journal(name, row.getLong(1), orNothing(row.getBytes(2))))
                .orElseGet(() -> journal(name, -1, NOTHING));
    }

    private static Target journal(String name, long headSeq, byte[] headHash) {
        return new Target(
                name,
                StreamHeads.JOURNAL_NO,
                StreamHeads.genesis(name),
                headSeq,
                headHash,
                false,
                Optional.empty(),
                SealTable.NONE,
                0);
    }

    /** Returns runs in the order of their ids. */
    public List<Target> page(String afterId, int limit) throws SQLException {
        return sql.list(
                SELECT + "r.run_id > ? ORDER BY r.run_id LIMIT ?",
                VerifyTable::read,
                afterId,
                limit);
    }

    private static Target read(ResultSet row) throws SQLException {
        String runId = row.getString(1);
        byte[] headHash = row.getBytes(7);
        return new Target(
                runId,
                row.getLong(5),
                TapeHash.genesis(runId, orEmpty(row.getString(2)), orEmpty(row.getString(3))),
                headHash == null ? -1 : row.getLong(6),
                orNothing(headHash),
                !OPEN.contains(orEmpty(row.getString(4))),
                seal(runId, row),
                row.getLong(12),
                0);
    }

    private static Optional<Seal> seal(String runId, ResultSet row) throws SQLException {
        byte[] hash = row.getBytes(9);
        String keyId = row.getString(10);
        byte[] signature = row.getBytes(11);
        if (hash == null && keyId == null && signature == null) {
            return Optional.empty();
        }
        boolean named = keyId != null && !keyId.isBlank();
        return Optional.of(
                new Seal(
                        runId,
                        row.getLong(8),
                        orNothing(hash),
                        named ? keyId : "?",
                        orNothing(signature)));
    }

    /** Returns whether the stream has records beyond its head, seen in one instant. */
    public boolean hasMoreThanHead(long streamNo) throws SQLException {
        return sql.number(
                        "SELECT (SELECT max(t.seq) FROM tape t WHERE t.stream_no = h.stream_no)"
                                + " > h.head_seq FROM heads h WHERE h.stream_no = ?",
                        0,
                        streamNo)
                != 0;
    }

    private static byte[] orNothing(byte[] bytes) {
        return bytes == null ? NOTHING : bytes;
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}

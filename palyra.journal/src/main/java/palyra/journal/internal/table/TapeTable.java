package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.RowReader;
import palyra.journal.internal.database.Sql;

/** Records of all streams, and which payload files they refer to. */
public final class TapeTable {
    private static final String SELECT =
            "SELECT seq, type, time_millis, schema, salt, payload, commitment, prev_hash, hash,"
                    + " payload_file, texts FROM tape WHERE stream_no = ? AND ";
    private static final byte[] NOTHING = new byte[0];

    private final Sql sql;
    private final TextTable texts;
    private String nodeStream; // null until it is read

    TapeTable(Sql sql, TextTable texts) {
        this.sql = sql;
        this.texts = texts;
    }

    /**
     * A record as its row holds it.
     *
     * @param record without its payload when that is a file, without its long texts when it was cut
     * @param payloadFile name of the payload file; empty without a file
     * @param texts where long texts belong, see {@link TextTable}; null when it was not cut
     */
    @SuppressWarnings("ArrayRecordComponent") // never changed in place
    public record Row(TapeRecord record, String payloadFile, byte[] texts) {
        /** Returns how many bytes of payload are in the database. */
        long payloadBytes() {
            return record.payload() == null ? 0 : record.payload().length + TextTable.bytes(texts);
        }

        /** Returns whether the record is complete. */
        public boolean isWhole() {
            return payloadFile.isEmpty() && texts == null;
        }

        /** Returns the record with its whole payload. */
        public TapeRecord with(byte[] payload) {
            return new TapeRecord(
                    record.streamId(),
                    record.seq(),
                    record.type(),
                    record.timeMillis(),
                    record.schema(),
                    record.salt(),
                    payload,
                    record.commitment(),
                    record.prevHash(),
                    record.hash());
        }
    }

    /** Where a stream ends by its row, and its number. */
    @SuppressWarnings("ArrayRecordComponent") // a digest, never changed in place
    public record Stream(long streamNo, long headSeq, byte[] headHash) {}

    public Optional<Stream> stream(String streamId) throws SQLException {
        RowReader<Stream> reader =
                row -> new Stream(row.getLong(1), row.getLong(2), orNothing(row.getBytes(3)));
        String columns = "SELECT h.stream_no, h.head_seq, h.head_hash FROM heads h ";
        if (TapeRecord.isJournal(streamId)) {
            return isOfThisNode(streamId)
                    ? sql.one(columns + "WHERE h.stream_no = 1", reader)
                    : Optional.empty();
        }
        return sql.one(
                columns + "JOIN runs r ON r.stream_no = h.stream_no WHERE r.run_id = ?",
                reader,
                streamId);
    }

    /** Returns the full name of the stream of this node's events. */
    public String nodeStream() throws SQLException {
        if (nodeStream == null) {
            nodeStream =
                    NodeTable.find(sql)
                            .map(NodeTable.Node::streamId)
                            .orElse(TapeRecord.JOURNAL_STREAM);
        }
        return nodeStream;
    }

    private boolean isOfThisNode(String journalStream) throws SQLException {
        return journalStream.equals(TapeRecord.JOURNAL_STREAM)
                || journalStream.equals(nodeStream());
    }

    /** Returns the name that the records of a stream have. */
    public String nameOf(String streamId) throws SQLException {
        return streamId.equals(TapeRecord.JOURNAL_STREAM) ? nodeStream() : streamId;
    }

    public List<Row> page(String streamId, long streamNo, long afterSeq, int limit)
            throws SQLException {
        String name = nameOf(streamId);
        return sql.list(
                SELECT + "seq > ? ORDER BY seq LIMIT ?",
                row -> read(name, row),
                streamNo,
                afterSeq,
                limit);
    }

    /**
     * Returns records of neighbouring streams, in the order of streams and sequence numbers.
     *
     * @param streamIds of the streams from {@code firstNo} on, without a gap
     */
    public List<Numbered> neighbours(List<String> streamIds, long firstNo, int limit)
            throws SQLException {
        return sql.list(
                "SELECT seq, type, time_millis, schema, salt, payload, commitment, prev_hash, hash,"
                        + " payload_file, texts, stream_no FROM tape WHERE stream_no >= ? AND stream_no"
                        + " <= ? ORDER BY stream_no, seq LIMIT ?",
                row -> {
                    long streamNo = row.getLong(12);
                    String streamId = streamIds.get((int) (streamNo - firstNo));
                    return new Numbered(streamNo, read(streamId, row));
                },
                firstNo,
                firstNo + streamIds.size() - 1,
                limit);
    }

    /** A record and the number of its stream. */
    public record Numbered(long streamNo, Row row) {}

    /** The same, but ends when the payloads in the rows have more than {@code mostBytes}. */
    public List<Row> page(String streamId, long streamNo, long afterSeq, int limit, long mostBytes)
            throws SQLException {
        long[] bytes = {0};
        String name = nameOf(streamId);
        return sql.listUntil(
                SELECT + "seq > ? ORDER BY seq LIMIT ?",
                row -> read(name, row),
                row -> (bytes[0] += row.payloadBytes()) > mostBytes,
                streamNo,
                afterSeq,
                limit);
    }

    public Optional<Row> find(String streamId, long streamNo, long seq) throws SQLException {
        String name = nameOf(streamId);
        return sql.one(SELECT + "seq = ?", row -> read(name, row), streamNo, seq);
    }

    /** Values that cannot be, in a damaged row, become ones that no digest agrees with. */
    private static Row read(String streamId, ResultSet row) throws SQLException {
        String type = row.getString(2);
        String file = row.getString(10);
        TapeRecord record =
                new TapeRecord(
                        streamId,
                        row.getLong(1),
                        type == null || type.isBlank() ? "?" : type,
                        row.getLong(3),
                        schema(row.getLong(4)),
                        row.getBytes(5),
                        row.getBytes(6),
                        orNothing(row.getBytes(7)),
                        orNothing(row.getBytes(8)),
                        orNothing(row.getBytes(9)));
        return new Row(record, file == null ? "" : file, row.getBytes(11));
    }

    private static int schema(long stored) {
        return stored >= 1 && stored <= Integer.MAX_VALUE ? (int) stored : 0;
    }

    private static byte[] orNothing(byte[] bytes) {
        return bytes == null ? NOTHING : bytes;
    }

    /**
     * Inserts a record.
     *
     * @param payload its payload, which is not kept here when it is a file
     * @param payloadFile name of the file that holds the payload; empty without a file
     */
    public void insert(long streamNo, TapeRecord record, CutPayload payload, String payloadFile)
            throws SQLException {
        boolean inFile = !payloadFile.isEmpty();
        if (inFile) {
            sql.update(
                    "INSERT INTO payload_files (sha256, refs) VALUES (?, 1)"
                            + " ON CONFLICT (sha256) DO UPDATE SET refs = refs + 1",
                    payloadFile);
        }
        sql.update(
                "INSERT INTO tape (stream_no, seq, type, time_millis, schema, commitment,"
                        + " prev_hash, hash, salt, payload, payload_file, texts)"
                        + " VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
                streamNo,
                record.seq(),
                record.type(),
                record.timeMillis(),
                record.schema(),
                record.commitment(),
                record.prevHash(),
                record.hash(),
                record.salt(),
                inFile ? null : payload.rest(),
                inFile ? payloadFile : null,
                inFile ? null : texts.keep(payload));
    }

    /** Deletes payload and salt and returns the file that nothing refers to any more, or empty. */
    public String erase(long streamNo, Row row) throws SQLException {
        sql.update(
                "UPDATE tape SET salt = NULL, payload = NULL, payload_file = NULL, texts ="
                        + " NULL"
                        + " WHERE stream_no = ? AND seq = ?",
                streamNo,
                row.record().seq());
        texts.release(row.texts());
        if (row.payloadFile().isEmpty()) {
            return "";
        }
        sql.update(
                "UPDATE payload_files SET refs = refs - 1 WHERE sha256 = ? AND refs > 0",
                row.payloadFile());
        return sql.exists(
                        "SELECT 1 FROM payload_files WHERE sha256 = ? AND refs = 0",
                        row.payloadFile())
                ? row.payloadFile()
                : "";
    }

    /** Returns files that nothing refers to. */
    public List<String> unusedFiles(int limit) throws SQLException {
        return sql.list(
                "SELECT sha256 FROM payload_files WHERE refs = 0 LIMIT ?",
                row -> row.getString(1),
                limit);
    }

    public void forgetFile(String sha256) throws SQLException {
        sql.update("DELETE FROM payload_files WHERE sha256 = ? AND refs = 0", sha256);
    }

    public boolean fileKnown(String sha256) throws SQLException {
        return sql.exists("SELECT 1 FROM payload_files WHERE sha256 = ?", sha256);
    }
}

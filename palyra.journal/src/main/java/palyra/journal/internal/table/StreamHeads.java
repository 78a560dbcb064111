package palyra.journal.internal.table;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.database.Sql;
import palyra.shared.tape.TapeHash;

/**
 * The heads of streams, kept in memory while in use and written once per group. What is in memory
 * counts only while no other connection writes: see {@link #forget}. The writer thread's own.
 */
public final class StreamHeads {
    /** Number of the journal's own stream. */
    public static final long JOURNAL_NO = 1;

    private static final Logger LOG = LoggerFactory.getLogger(StreamHeads.class);

    private final Sql sql;
    private final int bound;
    private final Map<String, StreamHead> cache = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<String, StreamHead> stale = new HashMap<>(); // before others wrote
    private final List<Undo> undo = new ArrayList<>(); // of the unit under way
    private final Map<String, Optional<StreamHead>> moved =
            new HashMap<>(); // before the group began
    private long lastNo;

    /** What a unit found before it changed it; {@code before} is null when the stream is new. */
    private record Undo(String streamId, StreamHead before) {}

    public StreamHeads(Sql sql, int bound) throws SQLException {
        this.sql = sql;
        this.bound = bound;
        this.lastNo = lastNo(sql);
    }

    /** A number is not used again although its head, or all but one of its rows, is lost. */
    private static long lastNo(Sql sql) throws SQLException {
        long last = JOURNAL_NO;
        for (String table : List.of("heads", "runs", "seals", "tape")) {
            last = Math.max(last, sql.number("SELECT max(stream_no) FROM " + table, 0));
        }
        return last;
    }

    /** Returns what the first record of a node's stream follows. */
    public static byte[] genesis(String nodeStream) {
        return TapeHash.genesis(nodeStream, "", "");
    }

    /**
     * Another connection wrote, and may have moved heads: each is read again before its next use.
     */
    public void forget() throws SQLException {
        stale.clear();
        stale.putAll(cache);
        cache.clear();
        lastNo = lastNo(sql);
    }

    /** Begins a stream that is empty. */
    public StreamHead begin(String streamId, byte[] genesis) throws SQLException {
        StreamHead head = new StreamHead(++lastNo, 0, genesis, false, "");
        sql.update(
                "INSERT INTO heads (stream_no, head_seq, head_hash) VALUES (?, 0, ?)",
                head.streamNo(),
                genesis);
        change(streamId, null, head);
        return head;
    }

    /** Returns the head of a stream; NOT_FOUND when the stream does not exist. */
    public StreamHead of(String streamId) throws SQLException {
        return find(streamId)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND, "There is no run " + streamId + "."));
    }

    /** Returns the head of a stream; empty when the stream does not exist. */
    Optional<StreamHead> find(String streamId) throws SQLException {
        StreamHead known = cache.get(streamId);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<StreamHead> loaded = load(streamId);
        loaded.ifPresent(head -> cache.put(streamId, head));
        return loaded;
    }

    /** Returns whether a step was the last that was taken in its stream. */
    public boolean taken(Unit.Step step) throws SQLException {
        return find(step.streamId()).filter(head -> head.step().equals(step.key())).isPresent();
    }

    /** Notes a step as the last of its stream. */
    public void take(Unit.Step step) throws SQLException {
        StreamHead before = of(step.streamId());
        move(step.streamId(), before, before.stepped(step.key()));
    }

    private Optional<StreamHead> load(String streamId) throws SQLException {
        if (streamId.equals(TapeRecord.JOURNAL_STREAM)) {
            return sql.one(
                    "SELECT head_seq, head_hash, step FROM heads WHERE stream_no = 1",
                    row ->
                            new StreamHead(
                                    JOURNAL_NO,
                                    row.getLong(1),
                                    row.getBytes(2),
                                    false,
                                    row.getString(3)));
        }
        return sql.one(
                "SELECT h.stream_no, h.head_seq, h.head_hash, r.state, h.step FROM runs r"
                        + " LEFT JOIN heads h ON h.stream_no = r.stream_no WHERE r.run_id = ?",
                row -> head(streamId, row),
                streamId);
    }

    private StreamHead head(String streamId, ResultSet row) throws SQLException {
        byte[] hash = row.getBytes(3);
        if (hash == null) {
            StreamHead before = stale.get(streamId);
            if (before != null && isLast(before)) {
                return before; // its row is written again
            }
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The journal lost the row that says where the tape of run "
                            + streamId
                            + " ends (table heads), so nothing can be appended to it. It is made"
                            + " again where the tape proves it; see palyra doctor.");
        }
        return new StreamHead(
                row.getLong(1),
                row.getLong(2),
                hash,
                RunState.valueOf(row.getString(4)).terminal(),
                row.getString(5));
    }

    private boolean isLast(StreamHead head) throws SQLException {
        return sql.exists(
                "SELECT 1 FROM tape WHERE stream_no = ? AND seq = ? AND hash = ? AND NOT EXISTS"
                        + " (SELECT 1 FROM tape t WHERE t.stream_no = tape.stream_no AND"
                        + " t.seq > tape.seq)",
                head.streamNo(),
                head.seq(),
                head.hash());
    }

    /** Sets where a stream ends. */
    public void move(String streamId, StreamHead before, StreamHead after) {
        change(streamId, before, after);
    }

    private void change(String streamId, StreamHead before, StreamHead after) {
        undo.add(new Undo(streamId, before));
        moved.putIfAbsent(streamId, Optional.ofNullable(before));
        cache.put(streamId, after);
    }

    /** Forgets how to undo: the unit stays. */
    public void keep() {
        undo.clear();
    }

    /** Goes back to where the unit began. */
    public void undo() {
        for (int i = undo.size() - 1; i >= 0; i--) {
            Undo step = undo.get(i);
            restore(step.streamId(), step.before());
        }
        undo.clear();
    }

    /** Goes back to where the group began. */
    public void undoGroup() {
        undo.clear();
        moved.forEach((streamId, before) -> restore(streamId, before.orElse(null)));
        moved.clear();
    }

    private void restore(String streamId, StreamHead before) {
        if (before == null) {
            cache.remove(streamId);
        } else {
            cache.put(streamId, before);
        }
    }

    /** Writes the heads that moved. */
    public void flush() throws SQLException {
        for (String streamId : moved.keySet()) {
            StreamHead head = cache.get(streamId);
            if (head != null) { // null: the unit that began the stream was refused
                write(streamId, head);
            }
        }
    }

    /** A row that is lost while its head is known here is written again. */
    private void write(String streamId, StreamHead head) throws SQLException {
        int changed =
                sql.update(
                        "UPDATE heads SET head_seq = ?, head_hash = ?, step = ? WHERE stream_no ="
                                + " ?",
                        head.seq(),
                        head.hash(),
                        head.step(),
                        head.streamNo());
        if (changed == 0) {
            LOG.error("The head of stream {} was lost and is written again", streamId);
            sql.update(
                    "INSERT INTO heads (stream_no, head_seq, head_hash, step) VALUES (?, ?, ?, ?)",
                    head.streamNo(),
                    head.seq(),
                    head.hash(),
                    head.step());
        }
    }

    /** The written heads are durable; evicts the least recently used ones. */
    public void committed() {
        moved.clear();
        var eldest = cache.entrySet().iterator();
        while (cache.size() > bound && eldest.hasNext()) {
            eldest.next();
            eldest.remove();
        }
    }

    /** Returns the ends that are known to be durable, to be compared after a reopening. */
    public Map<String, StreamHead> known() {
        return Map.copyOf(cache);
    }
}

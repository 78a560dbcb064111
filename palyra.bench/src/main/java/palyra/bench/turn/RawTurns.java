package palyra.bench.turn;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import palyra.bench.journal.RawSqlite;
import palyra.shared.hash.Ulids;

/**
 * The peer of a turn: the rows that it leaves behind, written by plain JDBC in two transactions,
 * one caller at a time. Thread-safe.
 */
public final class RawTurns implements AutoCloseable {
    /** Records of a run's tape when the message was accepted and the model is being asked. */
    static final int ACCEPTED_RECORDS = 4;

    /** Records that the answer adds. */
    static final int ANSWERED_RECORDS = 4;

    private static final long JOURNAL = 1;
    private static final byte[] TEXT =
            "{\"text\":\"You said: How are you today, and which is the plan?\"}"
                    .getBytes(StandardCharsets.UTF_8);
    private static final Ulids IDS = new Ulids();

    private final ReentrantLock lock = new ReentrantLock();
    private final RawSqlite raw; // this and all below guarded by lock
    private final PreparedStatement idempotency;
    private final PreparedStatement inbox;
    private final PreparedStatement session;
    private final PreparedStatement sessionRan;
    private final PreparedStatement run;
    private final PreparedStatement runMoved;
    private final PreparedStatement outbox;
    private final PreparedStatement seal;
    private long journalSeq;
    private long lastStream = JOURNAL;

    /** Opens a database. */
    public RawTurns(Path file) throws SQLException {
        raw = new RawSqlite(file);
        idempotency =
                raw.prepare("INSERT INTO idempotency VALUES ('run.start', ?, 'digest', ?, 1)");
        inbox =
                raw.prepare(
                        "INSERT INTO inbox VALUES (?, 'shell', ?, 'user:bench', ?, 'ROUTED', ?, '',"
                                + " 1, NULL, '', '')");
        session =
                raw.prepare(
                        "INSERT INTO sessions VALUES"
                                + " (?, ?, '', 'user:bench', '', '', '', 1, 1, 0, '')");
        sessionRan =
                raw.prepare(
                        "UPDATE sessions SET last_run_id = ?, updated_at = 2 WHERE session_id = ?");
        run =
                raw.prepare(
                        "INSERT INTO runs VALUES (?, ?, ?, 'user:bench', 'default', 'interactive',"
                                + " ?, 'shell', 'RUNNING', '', 1, 1, 1, 0, 0, 0)");
        runMoved =
                raw.prepare("UPDATE runs SET state = 'SUCCEEDED', updated_at = 2 WHERE run_id = ?");
        outbox =
                raw.prepare(
                        "INSERT INTO outbox VALUES (?, ?, 'shell', ?, 'READABLE', 0, 1, 1,"
                                + " NULL, '', 0, 0, '', '', '', 0)");
        seal = raw.prepare("INSERT INTO seals VALUES (?, ?, ?, 'key', ?, 0)");
    }

    private static void set(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        statement.executeUpdate();
    }

    /** Makes a session and returns its id. */
    public String session() throws SQLException {
        String id = IDS.next();
        lock.lock();
        try {
            raw.begin();
            set(session, id, id);
            raw.commit();
        } finally {
            lock.unlock();
        }
        return id;
    }

    /** Writes what a turn leaves behind. */
    public void turn(String sessionId) throws SQLException {
        String runId = IDS.next();
        long stream;
        lock.lock();
        try {
            stream = accept(sessionId, runId);
        } finally {
            lock.unlock();
        }
        lock.lock();
        try {
            answer(runId, stream);
        } finally {
            lock.unlock();
        }
    }

    private long accept(String sessionId, String runId) throws SQLException {
        String messageId = IDS.next();
        String dedupeKey = IDS.next();
        long stream = ++lastStream;
        raw.begin();
        set(idempotency, dedupeKey, TEXT);
        raw.insertRecord(JOURNAL, ++journalSeq);
        set(inbox, messageId, dedupeKey, TEXT, runId);
        set(run, runId, stream, sessionId, messageId);
        set(sessionRan, runId, sessionId);
        records(stream, 0, ACCEPTED_RECORDS);
        raw.putHead(JOURNAL, journalSeq);
        raw.addTotal(ACCEPTED_RECORDS + 1);
        raw.commit();
        return stream;
    }

    private void answer(String runId, long stream) throws SQLException {
        raw.begin();
        set(runMoved, runId);
        set(outbox, IDS.next(), runId, TEXT);
        records(stream, ACCEPTED_RECORDS, ANSWERED_RECORDS);
        set(seal, stream, ACCEPTED_RECORDS + ANSWERED_RECORDS, TEXT, TEXT);
        raw.addTotal(ANSWERED_RECORDS);
        raw.commit();
    }

    private void records(long stream, int after, int count) throws SQLException {
        for (int i = 1; i <= count; i++) {
            raw.insertRecord(stream, after + i);
        }
        raw.putHead(stream, after + count);
    }

    @Override
    public void close() throws SQLException {
        raw.close();
    }
}

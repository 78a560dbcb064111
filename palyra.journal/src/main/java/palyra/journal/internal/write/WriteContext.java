package palyra.journal.internal.write;

import java.sql.SQLException;
import palyra.journal.internal.database.DatabaseLock;
import palyra.journal.internal.database.HeadSigner;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.StoreClock;
import palyra.journal.internal.table.Counters;
import palyra.journal.internal.table.StreamHeads;
import palyra.journal.internal.table.Tables;

/** The writer thread's state while the database is open. */
public final class WriteContext {
    private static final long SAVE_MILLIS = 1_000;

    private final Sql sql;
    private final DatabaseLock lock;
    private final Tables tables;
    private final StreamHeads heads;
    private final Counters counters;
    private final HeadSigner signer;
    private final StoreClock clock;
    private final String bootId;
    private CommitEffects effects = new CommitEffects();
    private StoreClock.Reading time; // of the group
    private long savedMillis; // open time
    private long dataVersion; // changes with each commit of another connection

    WriteContext(
            Sql sql,
            DatabaseLock lock,
            int headCache,
            HeadSigner signer,
            StoreClock clock,
            String bootId)
            throws SQLException {
        this.sql = sql;
        this.lock = lock;
        this.tables = new Tables(sql);
        this.heads = new StreamHeads(sql, headCache);
        this.counters = new Counters(sql);
        this.signer = signer;
        this.clock = clock;
        this.bootId = bootId;
        this.time = clock.read();
    }

    /** Begins a transaction; throws unless this is the only store on the database. */
    void beginGroup() throws SQLException {
        sql.update("BEGIN IMMEDIATE");
        lock.require(); // not before: now no other process can write in between
        long version = sql.number("PRAGMA data_version", 0);
        if (version != dataVersion) { // others wrote: what is in memory may not be so any more
            heads.forget();
            counters.read();
            dataVersion = version;
        }
        time = clock.read();
    }

    /** A unit begins. */
    void begin() {
        effects = new CommitEffects();
    }

    /** The unit stays; returns what follows from it. */
    CommitEffects keep() {
        heads.keep();
        counters.keep();
        return effects;
    }

    /** The unit goes. */
    void undo() {
        heads.undo();
        counters.undo();
    }

    /** Writes cached rows, before the group is committed. */
    void flush() throws SQLException {
        heads.flush();
        counters.flush();
        if (savesTime()) {
            clock.save(sql, time);
        }
    }

    private boolean savesTime() {
        return time.jumpMillis() != 0
                || time.closed()
                || time.openMillis() - savedMillis >= SAVE_MILLIS;
    }

    /** The group is durable. */
    void committed() {
        if (savesTime()) {
            savedMillis = time.openMillis();
        }
        clock.agreed(time);
        counters.committed();
        heads.committed();
    }

    /** The group goes. */
    void undoGroup() {
        heads.undoGroup();
        counters.undoGroup();
    }

    public Sql sql() {
        return sql;
    }

    public Tables tables() {
        return tables;
    }

    StreamHeads heads() {
        return heads;
    }

    Counters counters() {
        return counters;
    }

    CommitEffects effects() {
        return effects;
    }

    HeadSigner signer() {
        return signer;
    }

    public String bootId() {
        return bootId;
    }

    /** Returns what the clocks said when the group began: one time for all of it. */
    StoreClock.Reading time() {
        return time;
    }

    /** Returns the store's time, unix milliseconds. */
    public long now() {
        return time.wallMillis();
    }
}

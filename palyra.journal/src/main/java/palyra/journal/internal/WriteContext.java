package palyra.journal.internal;

import java.sql.SQLException;
import java.time.InstantSource;

/** What the writer thread works with while the database is open. */
final class WriteContext {
    private final Sql sql;
    private final DatabaseLock lock;
    private final Tables tables;
    private final Heads heads;
    private final Counters counters;
    private final HeadSigner signer;
    private final InstantSource clock;
    private final String bootId;
    private Effects effects = new Effects();

    WriteContext(
            Sql sql,
            DatabaseLock lock,
            int headCache,
            HeadSigner signer,
            InstantSource clock,
            String bootId)
            throws SQLException {
        this.sql = sql;
        this.lock = lock;
        this.tables = new Tables(sql);
        this.heads = new Heads(sql, headCache);
        this.counters = new Counters(sql);
        this.signer = signer;
        this.clock = clock;
        this.bootId = bootId;
    }

    /** Begins a transaction; throws unless this is the only store on the database. */
    void beginGroup() throws SQLException {
        sql.update("BEGIN IMMEDIATE");
        lock.require(); // not before: now nobody can write in between
    }

    /** A unit begins. */
    void begin() {
        effects = new Effects();
    }

    /** The unit stays; returns what follows from it. */
    Effects keep() {
        heads.keep();
        counters.keep();
        return effects;
    }

    /** The unit goes. */
    void undo() {
        heads.undo();
        counters.undo();
    }

    /** Writes what is kept in memory, before the group is committed. */
    void flush() throws SQLException {
        heads.flush();
        counters.flush();
    }

    /** The group is durable. */
    void committed() {
        counters.committed();
        heads.committed();
    }

    /** The group goes. */
    void undoGroup() {
        heads.undoGroup();
        counters.undoGroup();
    }

    Sql sql() {
        return sql;
    }

    Tables tables() {
        return tables;
    }

    Heads heads() {
        return heads;
    }

    Counters counters() {
        return counters;
    }

    Effects effects() {
        return effects;
    }

    HeadSigner signer() {
        return signer;
    }

    String bootId() {
        return bootId;
    }

    /** Returns the store's time, unix milliseconds. */
    long now() {
        return clock.millis();
    }
}

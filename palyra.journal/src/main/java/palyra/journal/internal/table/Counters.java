package palyra.journal.internal.table;

import java.sql.SQLException;
import palyra.journal.internal.database.Sql;

/**
 * Sums that are kept, so that nothing is ever counted by looking at every row. The writer thread's
 * own; {@link #records} may be read by any thread.
 */
public final class Counters {
    private final Sql sql;
    private final Sum waiting;
    private final Sum records;
    private final Sum groups;

    /** One sum in three stages: with the unit under way, with the group under way, durable. */
    private static final class Sum {
        private final String name;
        private long unit;
        private long group;
        private volatile long durable;

        Sum(Sql sql, String name) throws SQLException {
            this.name = name;
            read(sql);
        }

        void read(Sql sql) throws SQLException {
            durable = sql.number("SELECT value FROM meta WHERE name = ?", 0, name);
            undoGroup();
        }

        public void undoGroup() {
            group = durable;
            unit = durable;
        }

        void write(Sql sql) throws SQLException {
            if (group != durable) {
                sql.update("UPDATE meta SET value = ? WHERE name = ?", group, name);
            }
        }
    }

    public Counters(Sql sql) throws SQLException {
        this.sql = sql;
        waiting = new Sum(sql, "waiting");
        records = new Sum(sql, "records");
        groups = new Sum(sql, "groups");
    }

    /** Reads the sums again: another connection may have changed them. */
    public void read() throws SQLException {
        waiting.read(sql);
        records.read(sql);
        groups.read(sql);
    }

    /** Returns the number of the last group of units that is known to be durable. */
    public long groups() {
        return groups.durable;
    }

    /** Numbers the group under way, so that it can be found out later whether it happened. */
    public long numberGroup() {
        groups.unit = groups.durable + 1;
        groups.group = groups.unit;
        return groups.group;
    }

    /** Returns accepted messages and runs that wait, with what the unit under way changed. */
    public long waiting() {
        return waiting.unit;
    }

    /** Returns the records appended over the store's life, as far as they are durable. */
    public long records() {
        return records.durable;
    }

    /** Counts a message or run that waits ({@code 1}) or waits no more ({@code -1}). */
    public void addWaiting(int delta) {
        waiting.unit += delta;
    }

    /** Counts a record. */
    public void addRecord() {
        records.unit++;
    }

    /** The unit stays. */
    public void keep() {
        waiting.group = waiting.unit;
        records.group = records.unit;
    }

    /** The unit goes. */
    public void undo() {
        waiting.unit = waiting.group;
        records.unit = records.group;
    }

    /** The group goes. */
    public void undoGroup() {
        waiting.undoGroup();
        records.undoGroup();
        groups.undoGroup();
    }

    /** Writes what changed. */
    public void flush() throws SQLException {
        waiting.write(sql);
        records.write(sql);
        groups.write(sql);
    }

    /** What was written is durable. */
    public void committed() {
        waiting.durable = waiting.group;
        records.durable = records.group;
        groups.durable = groups.group;
    }
}

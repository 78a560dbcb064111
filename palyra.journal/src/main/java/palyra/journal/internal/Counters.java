package palyra.journal.internal;

import java.sql.SQLException;

/**
 * Sums that are kept, so that nothing is ever counted by looking at every row. The writer thread's
 * own; {@link #records} may be read by any thread.
 */
final class Counters {
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
            durable = sql.number("SELECT value FROM meta WHERE name = ?", 0, name);
            undoGroup();
        }

        void undoGroup() {
            group = durable;
            unit = durable;
        }

        void write(Sql sql) throws SQLException {
            if (group != durable) {
                sql.update("UPDATE meta SET value = ? WHERE name = ?", group, name);
            }
        }
    }

    Counters(Sql sql) throws SQLException {
        this.sql = sql;
        waiting = new Sum(sql, "waiting");
        records = new Sum(sql, "records");
        groups = new Sum(sql, "groups");
    }

    /** Returns the number of the last group of units that is known to be durable. */
    long groups() {
        return groups.durable;
    }

    /** Numbers the group under way, so that it can be found out later whether it happened. */
    long numberGroup() {
        groups.unit = groups.durable + 1;
        groups.group = groups.unit;
        return groups.group;
    }

    /** Returns accepted messages and runs that wait, with what the unit under way changed. */
    long waiting() {
        return waiting.unit;
    }

    /** Returns the records appended over the store's life, as far as they are durable. */
    long records() {
        return records.durable;
    }

    /** Counts a message or run that waits ({@code 1}) or waits no more ({@code -1}). */
    void addWaiting(int delta) {
        waiting.unit += delta;
    }

    /** Counts a record. */
    void addRecord() {
        records.unit++;
    }

    /** The unit stays. */
    void keep() {
        waiting.group = waiting.unit;
        records.group = records.unit;
    }

    /** The unit goes. */
    void undo() {
        waiting.unit = waiting.group;
        records.unit = records.group;
    }

    /** The group goes. */
    void undoGroup() {
        waiting.undoGroup();
        records.undoGroup();
        groups.undoGroup();
    }

    /** Writes what changed. */
    void flush() throws SQLException {
        waiting.write(sql);
        records.write(sql);
        groups.write(sql);
    }

    /** What was written is durable. */
    void committed() {
        waiting.durable = waiting.group;
        records.durable = records.group;
        groups.durable = groups.group;
    }
}

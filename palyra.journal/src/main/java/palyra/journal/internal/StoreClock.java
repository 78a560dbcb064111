package palyra.journal.internal;

import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The store's time. What happened is written down by the wall clock; how long something lasts is
 * told by a monotonic clock, as open time: milliseconds that go on while the store is open and
 * never jump. It begins at the wall clock's time of the first opening.
 *
 * <p>The wall clock is taken to be as far ahead of open time as it was at the last {@link #agreed}.
 * When it is not, give or take {@link #BOUND_MILLIS}, it jumped: somebody set it, or the machine
 * slept. That difference is durable, so that a clock that changed while the store was closed is
 * noticed too. Thread-safe; {@link #load} and {@link #agreed} are the writer's.
 */
final class StoreClock {
    /** How far the wall clock may be off in all before that is a jump. */
    static final long BOUND_MILLIS = 5_000;

    private static final long TOLD_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final InstantSource wall;
    private final LongSupplier nanos;
    private volatile State state; // null until the store was opened

    StoreClock(InstantSource wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
    }

    /**
     * What is known, replaced as a whole.
     *
     * @param openMillis open time at {@code nanos}
     * @param aheadMillis wall clock less open time, as agreed
     * @param closed whether nothing was agreed since the store was opened in this process
     * @param jump what was noticed last; null for nothing
     */
    private record State(
            long openMillis, long nanos, long aheadMillis, boolean closed, Reading jump) {
        State ahead(long millis) {
            return new State(openMillis, nanos, millis, closed, jump);
        }
    }

    /**
     * Both clocks at one moment.
     *
     * @param wallMillis unix time
     * @param openMillis open time
     * @param jumpMillis by how much the wall clock went further than the other; 0 when it agrees
     * @param closed whether the store was closed before: then the jump holds how long that was
     */
    record Reading(long wallMillis, long openMillis, long jumpMillis, boolean closed) {
        /** Returns whether the clock jumped, rather than that the store was closed for a while. */
        boolean isJump() {
            return jumpMillis < 0 || jumpMillis > 0 && !closed;
        }

        String sentence() {
            return "The system's clock went "
                    + Math.abs(jumpMillis) / 1_000
                    + " s "
                    + (jumpMillis < 0 ? "back" : "forward, or the machine slept")
                    + (closed ? " while the journal was closed" : "")
                    + "; noticed at "
                    + Instant.ofEpochMilli(wallMillis)
                    + ".";
        }
    }

    /** Takes over what is stored; once begun, open time goes on by itself. */
    void load(Sql sql) throws SQLException {
        long now = wall.millis();
        long open = sql.number("SELECT value FROM meta WHERE name = 'open_millis'", now);
        long ahead = sql.number("SELECT value FROM meta WHERE name = 'wall_millis'", now) - open;
        State before = state;
        state =
                before == null
                        ? new State(open, nanos.getAsLong(), ahead, true, null)
                        : before.ahead(ahead);
    }

    /** Stores where both clocks stand; the wall clock as what it is taken for after {@code at}. */
    void save(Sql sql, Reading at) throws SQLException {
        put(sql, "open_millis", at.openMillis());
        put(sql, "wall_millis", at.openMillis() + ahead(at));
    }

    private static void put(Sql sql, String name, long value) throws SQLException {
        sql.update(
                "INSERT INTO meta (name, value) VALUES (?, ?)"
                        + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                name,
                value);
    }

    /** Reads both clocks; the store has been opened. */
    Reading read() {
        State now = state;
        long open =
                now.openMillis() + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - now.nanos());
        long millis = wall.millis();
        long off = millis - open - now.aheadMillis();
        return new Reading(millis, open, Math.abs(off) > BOUND_MILLIS ? off : 0, now.closed());
    }

    private long ahead(Reading at) {
        boolean moves = at.jumpMillis() != 0 || at.closed();
        return moves ? at.wallMillis() - at.openMillis() : state.aheadMillis();
    }

    /** What follows from a reading is durable. */
    void agreed(Reading at) {
        if (at.jumpMillis() == 0 && !at.closed()) {
            return;
        }
        State now = state;
        Reading jump = at.isJump() ? at : now.jump();
        state = new State(now.openMillis(), now.nanos(), ahead(at), false, jump);
    }

    /** Returns whether the wall clock jumped, which the writer has not dealt with yet. */
    boolean jumped() {
        return state != null && read().jumpMillis() != 0;
    }

    /** Returns one sentence about the last jump, for a day of open time. */
    Optional<String> lastJump() {
        State now = state;
        return now == null || now.jump() == null
                ? Optional.empty()
                : Optional.of(now.jump())
                        .filter(jump -> read().openMillis() - jump.openMillis() < TOLD_MILLIS)
                        .map(Reading::sentence);
    }
}

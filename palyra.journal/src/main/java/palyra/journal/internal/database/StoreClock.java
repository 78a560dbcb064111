package palyra.journal.internal.database;

import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The store's time. What happened is written down by the wall clock; how long something lasts is
 * measured by a monotonic clock, as open time: milliseconds that go on while the store is open and
 * never jump. It begins at the wall clock's time of the first opening.
 *
 * <p>The wall clock is taken to be as far ahead of open time as it was at the last {@link #agreed}.
 * When it is further off than {@link #BOUND_MILLIS}, it jumped: it was set, or the machine slept.
 * Less than that is followed slowly, as clocks are put right while they go. How far it is ahead is
 * durable, so that a clock that changed while the store was closed is noticed too. Thread-safe;
 * {@link #load}, {@link #save} and {@link #agreed} are the writer's.
 */
public final class StoreClock {
    /** How far the wall clock may be off before that is a jump. */
    static final long BOUND_MILLIS = 5_000;

    private static final long SLEW = 2_000; // one millisecond in so many: 500 ppm, as NTP does
    private static final long TOLD_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final InstantSource wall;
    private final LongSupplier nanos;
    private volatile State state; // null until the store was opened

    public StoreClock(InstantSource wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
    }

    /**
     * What is known, replaced as a whole.
     *
     * @param openMillis open time at {@code nanos}
     * @param aheadMillis wall clock less open time, as agreed
     * @param agreedMillis open time when that was agreed
     * @param closed whether nothing was agreed since the store was opened in this process
     * @param jump the last jump noticed; null for none
     */
    private record State(
            long openMillis,
            long nanos,
            long aheadMillis,
            long agreedMillis,
            boolean closed,
            Reading jump) {}

    /**
     * Both clocks at one moment.
     *
     * @param wallMillis unix time
     * @param openMillis open time
     * @param offMillis how much further the wall clock is than it is taken to be
     * @param closed whether the store was closed before: then that holds how long it was
     */
    public record Reading(long wallMillis, long openMillis, long offMillis, boolean closed) {
        /** Returns by how much deadlines move; 0 when the clocks agree. */
        public long jumpMillis() {
            return Math.abs(offMillis) > BOUND_MILLIS ? offMillis : 0;
        }

        /** Returns whether the clock jumped, rather than that the store was closed for a while. */
        public boolean isJump() {
            return jumpMillis() < 0 || jumpMillis() > 0 && !closed;
        }

        /** Returns what there is to say about a jump. */
        public String sentence() {
            String way = offMillis < 0 ? "back" : "forward, or the machine slept";
            return "The system's clock went "
                    + Math.abs(offMillis) / 1_000
                    + " s "
                    + way
                    + (closed ? " while the journal was closed" : "")
                    + "; noticed at "
                    + Instant.ofEpochMilli(wallMillis)
                    + ". Deadlines moved along"
                    + (closed ? "; grants for a time have ended." : ".");
        }
    }

    /** Takes over the stored state; once started, open time advances by itself. */
    public void load(Sql sql) throws SQLException {
        long now = wall.millis();
        long open = sql.number("SELECT value FROM meta WHERE name = 'open_millis'", now);
        long ahead = sql.number("SELECT value FROM meta WHERE name = 'wall_millis'", now) - open;
        State was = state;
        state =
                was == null
                        ? new State(open, nanos.getAsLong(), ahead, open, true, null)
                        : new State(
                                was.openMillis(),
                                was.nanos(),
                                ahead,
                                was.agreedMillis(),
                                was.closed(),
                                was.jump());
    }

    /** Stores where both clocks stand; the wall clock as what it is taken for after {@code at}. */
    public void save(Sql sql, Reading at) throws SQLException {
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
    public Reading read() {
        State now = state;
        long open =
                now.openMillis() + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - now.nanos());
        long millis = wall.millis();
        return new Reading(millis, open, millis - open - now.aheadMillis(), now.closed());
    }

    private long ahead(Reading at) {
        if (at.closed() || at.jumpMillis() != 0) {
            return at.wallMillis() - at.openMillis();
        }
        State now = state;
        long most = (at.openMillis() - now.agreedMillis()) / SLEW;
        return now.aheadMillis() + Math.clamp(at.offMillis(), -most, most);
    }

    /** What follows from a reading is durable. */
    public void agreed(Reading at) {
        State now = state;
        long ahead = ahead(at);
        if (at.closed() || ahead != now.aheadMillis()) {
            Reading jump = at.isJump() ? at : now.jump();
            state = new State(now.openMillis(), now.nanos(), ahead, at.openMillis(), false, jump);
        }
    }

    /** Returns whether the wall clock jumped, which the writer has not dealt with yet. */
    public boolean jumped() {
        return state != null && read().jumpMillis() != 0;
    }

    /** Returns the last jump, for a day of open time. */
    public Optional<Reading> lastJump() {
        State now = state;
        return Optional.ofNullable(now == null ? null : now.jump())
                .filter(jump -> read().openMillis() - jump.openMillis() < TOLD_MILLIS);
    }
}

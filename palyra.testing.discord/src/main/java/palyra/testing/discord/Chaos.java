package palyra.testing.discord;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import palyra.testing.http.FaultyApi.Fault;

/**
 * How often what goes wrong, by chance: the same of the same seed and the same order of calls and
 * events. Each rate is of 0 (never) to 1 (always). Thread-safe.
 */
public final class Chaos {
    private static final int LATE_MILLIS = 300;

    /** The rates of calls, events, connections, silences and losses. */
    private record Rates(
            double calls, double events, double connections, double silences, double losses) {}

    private final Random random;
    private final Rates rates;

    private Chaos(Random random, Rates rates) {
        this.random = random;
        this.rates = rates;
    }

    /** Returns what does nothing. */
    public static Chaos none() {
        return of(0);
    }

    /** Returns what does nothing yet, of a seed. */
    public static Chaos of(long seed) {
        return new Chaos(new Random(seed), new Rates(0, 0, 0, 0, 0));
    }

    private Chaos with(
            double calls, double events, double connections, double silences, double losses) {
        return new Chaos(random, new Rates(calls, events, connections, silences, losses));
    }

    /**
     * Has calls go wrong: refused by a limit, failed or cut before or after they are done, answered
     * late.
     */
    public Chaos calls(double rate) {
        return with(rate, rates.events, rates.connections, rates.silences, rates.losses);
    }

    /** Has events come twice or in another order. */
    public Chaos events(double rate) {
        return with(rates.calls, rate, rates.connections, rates.silences, rates.losses);
    }

    /**
     * Has connections end or become zombies, after an event or at any {@link Moment}, and READY
     * come late; the sessions can be resumed.
     */
    public Chaos connections(double rate) {
        return with(rates.calls, rates.events, rate, rates.silences, rates.losses);
    }

    /** Has connections tell of no more events, after an event, while heartbeats are answered. */
    public Chaos silences(double rate) {
        return with(rates.calls, rates.events, rates.connections, rate, rates.losses);
    }

    /** Has sessions become invalid after an event or at any {@link Moment}: no resume helps. */
    public Chaos losses(double rate) {
        return with(rates.calls, rates.events, rates.connections, rates.silences, rate);
    }

    private boolean is(double rate) {
        return rate > 0 && random.nextDouble() < rate;
    }

    boolean duplicates() {
        return is(rates.events / 2);
    }

    boolean reorders() {
        return is(rates.events / 2);
    }

    /** Returns what happens to a connection after an event. */
    Optional<Trouble> afterEvent() {
        return is(rates.silences) ? Optional.of(Trouble.NO_EVENTS) : atMoment();
    }

    /** Returns how late READY is, in milliseconds. */
    int lateMillis() {
        return is(rates.connections) ? 1 + random.nextInt(LATE_MILLIS) : 0;
    }

    /** Returns what happens to a connection at a moment of its life. */
    Optional<Trouble> atMoment() {
        if (is(rates.losses)) {
            return Optional.of(Trouble.INVALID);
        }
        if (!is(rates.connections)) {
            return Optional.empty();
        }
        List<Trouble> all =
                List.of(
                        Trouble.DROP,
                        Trouble.LEAVE,
                        Trouble.RECONNECT,
                        Trouble.INVALID_RESUMABLE,
                        Trouble.ZOMBIE);
        return Optional.of(all.get(random.nextInt(all.size())));
    }

    /** Returns how a call goes wrong; empty if it does not. */
    Optional<Fault> call() {
        if (!is(rates.calls)) {
            return Optional.empty();
        }
        long millis = random.nextInt(200);
        return Optional.of(
                switch (random.nextInt(7)) {
                    case 0 -> Faults.rateLimited(millis);
                    case 1 -> Faults.globallyRateLimited(millis);
                    case 2 -> Faults.unavailable();
                    case 3 -> Faults.unavailableAfter();
                    case 4 -> Fault.droppedBefore();
                    case 5 -> Fault.droppedAfter();
                    default -> Faults.slow(millis);
                });
    }
}

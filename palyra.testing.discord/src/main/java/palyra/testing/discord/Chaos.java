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
    private final Random random;
    private final double calls;
    private final double events;
    private final double connections;
    private final double losses;

    private Chaos(Random random, double calls, double events, double connections, double losses) {
        this.random = random;
        this.calls = calls;
        this.events = events;
        this.connections = connections;
        this.losses = losses;
    }

    /** Returns what does nothing. */
    public static Chaos none() {
        return new Chaos(new Random(0), 0, 0, 0, 0);
    }

    /** Returns what does nothing yet, of a seed. */
    public static Chaos of(long seed) {
        return new Chaos(new Random(seed), 0, 0, 0, 0);
    }

    /**
     * Has calls go wrong: refused by a limit, failed or cut before or after they are done, answered
     * late.
     */
    public Chaos calls(double rate) {
        return new Chaos(random, rate, events, connections, losses);
    }

    /** Has events come twice or in another order. */
    public Chaos events(double rate) {
        return new Chaos(random, calls, rate, connections, losses);
    }

    /** Has connections end, or become zombies, after an event; their sessions can be resumed. */
    public Chaos connections(double rate) {
        return new Chaos(random, calls, events, rate, losses);
    }

    /** Has sessions become invalid after an event, which no resume brings back. */
    public Chaos losses(double rate) {
        return new Chaos(random, calls, events, connections, rate);
    }

    private boolean is(double rate) {
        return rate > 0 && random.nextDouble() < rate;
    }

    boolean duplicates() {
        return is(events / 2);
    }

    boolean reorders() {
        return is(events / 2);
    }

    Optional<Trouble> trouble() {
        if (is(losses)) {
            return Optional.of(Trouble.INVALID);
        }
        if (!is(connections)) {
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
        if (!is(calls)) {
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

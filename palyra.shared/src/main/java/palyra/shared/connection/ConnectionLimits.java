package palyra.shared.connection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Bounds the connections of one server. A connection without a credential (a stranger's) never
 * keeps one with a credential out: it takes one of a few places beside theirs, and gives way to the
 * next one, the least recently used first. Among those with a credential an idle one gives way. A
 * displaced connection is removed here; the caller closes it. Thread-safe.
 *
 * @param <C> a connection; equal to itself alone
 */
public final class ConnectionLimits<C extends BoundConnection> {
    /** One in so many places is kept for connections on which no credential was accepted yet. */
    public static final int STRANGERS_SHARE = 8;

    private final Set<C> open = new LinkedHashSet<>(); // guarded by this
    private final LongSupplier millis;
    private Limits limits; // guarded by this

    /**
     * Limits.
     *
     * @param most connections with a credential at one time
     * @param perAddress connections without a credential that one address may have
     * @param perCredential connections that one credential may have
     * @param unauthenticatedSeconds that a connection without a credential may be without a call
     */
    public record Limits(int most, int perAddress, int perCredential, int unauthenticatedSeconds) {}

    /**
     * Creates bounds.
     *
     * @param millis monotonic time
     */
    public ConnectionLimits(Limits limits, LongSupplier millis) {
        this.limits = limits;
        this.millis = millis;
    }

    /** Bounds connections from now on; those that are open stay. */
    public synchronized void limits(Limits changed) {
        limits = changed;
    }

    /** Takes a connection in, as a stranger's, and returns those that give way to it. */
    public synchronized List<C> admit(C arriving) {
        arriving.usedMillis = millis.getAsLong();
        List<C> leaving = new ArrayList<>();
        Predicate<C> neighbour = other -> other.network().equals(arriving.network());
        if (strangers(neighbour).count() >= limits.perAddress()) {
            leave(neighbour, leaving);
        }
        if (open.size() >= limits.most() && strangers(any -> true).count() >= reserve()) {
            leave(any -> true, leaving);
        }
        open.add(arriving);
        return leaving;
    }

    private int reserve() {
        return Math.max(1, limits.most() / STRANGERS_SHARE);
    }

    private Stream<C> strangers(Predicate<C> among) {
        return open.stream().filter(C::isStranger).filter(among);
    }

    /** An idle stranger gives way before others. */
    private void leave(Predicate<C> among, List<C> leaving) {
        strangers(among)
                .min(
                        Comparator.comparing((C other) -> !other.isIdle())
                                .thenComparing(leastRecentlyUsed()))
                .ifPresent(
                        other -> {
                            open.remove(other);
                            leaving.add(other);
                        });
    }

    private Comparator<C> leastRecentlyUsed() {
        return Comparator.comparingLong(connection -> connection.usedMillis);
    }

    /** Takes note of a call that begins or ends. */
    public synchronized void used(C connection, int callsMore) {
        connection.calls += callsMore;
        connection.usedMillis = millis.getAsLong();
    }

    /**
     * Takes note of a credential that was accepted on a connection. One that is closing, or has a
     * credential already, stays as it is.
     *
     * @param credential its id
     * @return the idle connection that gives way, which the caller closes
     * @throws PalyraException RESOURCE_EXHAUSTED when the credential has too many connections, or
     *     all connections are busy
     */
    public synchronized Optional<C> accepted(C connection, String credential) {
        if (!connection.isStranger() || !open.contains(connection)) {
            return Optional.empty();
        }
        Optional<C> leaving = leavingFor(credential);
        leaving.ifPresent(open::remove);
        connection.credential = credential;
        return leaving;
    }

    private Optional<C> leavingFor(String credential) {
        Map<String, List<C>> all =
                open.stream()
                        .filter(other -> !other.isStranger())
                        .collect(Collectors.groupingBy(other -> other.credential));
        List<C> own = all.getOrDefault(credential, List.of());
        if (own.size() >= limits.perCredential()) {
            return Optional.of(idle(own).orElseThrow(() -> tooMany(own.size())));
        }
        if (all.values().stream().mapToInt(List::size).sum() < limits.most()) {
            return Optional.empty();
        }
        return Optional.of(
                all.values().stream()
                        .sorted(Comparator.comparingInt((List<C> its) -> -its.size()))
                        .flatMap(its -> idle(its).stream())
                        .findFirst()
                        .orElseThrow(this::allBusy));
    }

    private Optional<C> idle(List<C> among) {
        return among.stream().filter(C::isIdle).min(leastRecentlyUsed());
    }

    private static PalyraException tooMany(int connections) {
        return new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "This credential has "
                        + connections
                        + " connections with calls on them, which is the most; use one of them.");
    }

    private PalyraException allBusy() {
        return new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "All "
                        + limits.most()
                        + " connections of the gateway are busy; try again in a moment.");
    }

    /** Makes a connection a stranger's again, because its credential counts no longer. */
    public synchronized void distrust(C connection) {
        connection.credential = "";
    }

    /** Returns strangers' connections that were without a call for too long. */
    public synchronized List<C> overdue() {
        long since = millis.getAsLong() - 1_000L * limits.unauthenticatedSeconds();
        List<C> overdue = strangers(one -> one.isIdle() && one.usedMillis < since).toList();
        overdue.forEach(open::remove);
        return overdue;
    }

    /** Takes note that a connection is closed. */
    public synchronized void forget(C closed) {
        open.remove(closed);
    }

    /** Returns the connections that are open now. */
    public synchronized List<C> all() {
        return List.copyOf(open);
    }

    /** Returns how many connections are open. */
    public synchronized int open() {
        return open.size();
    }
}

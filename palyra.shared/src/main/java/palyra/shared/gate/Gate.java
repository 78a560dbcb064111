package palyra.shared.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A seam to a service that may be replaced at any moment. Callers take short leases; a service that
 * leaves is first taken out of choice, then its leases are waited for, then it goes: no call is cut
 * off and none is made twice.
 *
 * <p>Bind and unbind methods of a dynamic, greedy, multiple reference call {@link #add} and {@link
 * #remove}. The highest {@code service.ranking} wins, then the lowest {@code service.id}. Leases
 * are for calls of up to two seconds and never nest on one thread. Thread-safe.
 */
public final class Gate<T> {
    private static final long DRAIN_MILLIS = 15_000;
    private static final ThreadLocal<Gate<?>> HELD = new ThreadLocal<>();

    private final String name;
    private final ErrorCode whenAbsent;
    private final long waitMillis;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Entry<T>> entries = new ArrayList<>(); // guarded by lock; best first
    private final List<Consumer<T>> arrivals = new ArrayList<>(); // guarded by lock

    /**
     * Creates a gate.
     *
     * @param name what the service is called in refusals, such as {@code the journal}
     * @param whenAbsent code of the refusal
     * @param waitMillis how long a caller waits for a service to come back
     */
    public Gate(String name, ErrorCode whenAbsent, long waitMillis) {
        this.name = name;
        this.whenAbsent = whenAbsent;
        this.waitMillis = waitMillis;
    }

    private static final class Entry<T> {
        private final T service;
        private final int ranking;
        private final long id;
        private int leases; // guarded by lock
        private boolean leaving; // guarded by lock

        Entry(T service, Map<String, ?> properties) {
            this.service = service;
            this.ranking = properties.get("service.ranking") instanceof Integer i ? i : 0;
            this.id = properties.get("service.id") instanceof Long l ? l : 0;
        }

        boolean beats(Entry<T> other) {
            return ranking != other.ranking ? ranking > other.ranking : id < other.id;
        }
    }

    /** A service in use. Close it on the thread that took it. */
    public static final class Lease<T> implements AutoCloseable {
        private final Gate<T> gate;
        private final Entry<T> entry;
        private boolean open = true;

        private Lease(Gate<T> gate, Entry<T> entry) {
            this.gate = gate;
            this.entry = entry;
        }

        /** Returns the service. */
        public T service() {
            return entry.service;
        }

        @Override
        public void close() {
            if (open) {
                open = false;
                HELD.remove();
                gate.release(entry);
            }
        }
    }

    /**
     * Takes a service into choice; {@code properties} are its service properties. Arrival listeners
     * run before it returns.
     */
    public void add(T service, Map<String, ?> properties) {
        Entry<T> entry = new Entry<>(service, properties);
        List<Consumer<T>> listeners;
        lock.lock();
        try {
            int at = 0;
            while (at < entries.size() && !entry.beats(entries.get(at))) {
                at++;
            }
            entries.add(at, entry);
            changed.signalAll();
            listeners = List.copyOf(arrivals);
        } finally {
            lock.unlock();
        }
        listeners.forEach(listener -> listener.accept(service));
    }

    /** Removes a service and waits, for at most 15 seconds, until its leases are closed. */
    public void remove(T service) {
        lock.lock();
        try {
            Entry<T> entry = find(service);
            if (entry == null) {
                return;
            }
            entry.leaving = true;
            long left = TimeUnit.MILLISECONDS.toNanos(DRAIN_MILLIS);
            while (entry.leases > 0 && left > 0) {
                left = awaitChange(left);
            }
            entries.remove(entry);
        } finally {
            lock.unlock();
        }
    }

    private Entry<T> find(T service) {
        for (Entry<T> entry : entries) {
            if (entry.service == service) {
                return entry;
            }
        }
        return null;
    }

    @SuppressWarnings("WaitNotInLoop") // both callers loop on their condition
    private long awaitChange(long nanos) {
        try {
            return changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /**
     * Calls {@code listener} for each service that arrives from now on, and at once for the best
     * one present. Keep it short.
     */
    public void onArrival(Consumer<T> listener) {
        lock.lock();
        try {
            arrivals.add(listener);
        } finally {
            lock.unlock();
        }
        peek().ifPresent(listener);
    }

    /** Returns whether a service is there. */
    public boolean isPresent() {
        return peek().isPresent();
    }

    private Optional<T> peek() {
        lock.lock();
        try {
            Entry<T> best = best();
            return best == null ? Optional.empty() : Optional.of(best.service);
        } finally {
            lock.unlock();
        }
    }

    private Entry<T> best() {
        for (Entry<T> entry : entries) {
            if (!entry.leaving) {
                return entry;
            }
        }
        return null;
    }

    /** Takes a lease, waiting for a service as long as the gate allows. */
    public Lease<T> lease() {
        return lease(waitMillis);
    }

    /**
     * Takes a lease, waiting at most {@code millis}; throws the gate's code when no service came.
     */
    public Lease<T> lease(long millis) {
        if (HELD.get() != null) {
            throw new IllegalStateException(
                    "a lease on "
                            + name
                            + " inside a lease on "
                            + HELD.get().name
                            + ": leases never nest");
        }
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            Entry<T> best = best();
            while (best == null && left > 0 && !Thread.currentThread().isInterrupted()) {
                left = awaitChange(left);
                best = best();
            }
            if (best == null) {
                throw new PalyraException(
                        whenAbsent,
                        name
                                + " is not available now (waited "
                                + millis
                                + " ms); try again when it is back.");
            }
            best.leases++;
            HELD.set(this);
            return new Lease<>(this, best);
        } finally {
            lock.unlock();
        }
    }

    private void release(Entry<T> entry) {
        lock.lock();
        try {
            entry.leases--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Makes one call under a lease. */
    public <R> R call(Function<T, R> call) {
        try (Lease<T> lease = lease()) {
            return call.apply(lease.service());
        }
    }

    /** Makes one call without a result under a lease. */
    public void run(Consumer<T> call) {
        try (Lease<T> lease = lease()) {
            call.accept(lease.service());
        }
    }
}

package palyra.sandbox.internal.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SandboxBackend;

/**
 * The sandboxes that are there now: the seam to {@link SandboxBackend} services. For one tier the
 * highest {@code service.ranking} wins, then the lowest {@code service.id}. A tier without a
 * backend refuses; another tier never takes its place. Thread-safe.
 *
 * <p>This is no {@code Gate}: commands run for long. A backend that leaves takes no new ones, its
 * running ones may end by themselves for the grace time, then they are ended whole, then it goes.
 */
public final class Backends {
    private static final long END_MILLIS = 10_000;
    private static final Comparator<Held> BEST_FIRST =
            Comparator.comparingInt((Held held) -> held.ranking)
                    .reversed()
                    .thenComparingLong(held -> held.id);

    private final IntSupplier graceMillis;
    private final long expectedNanos;
    private final long startedNanos = System.nanoTime();
    private final Map<Tier, Long> leftNanos = new EnumMap<>(Tier.class); // guarded by lock
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Held> entries = new ArrayList<>(); // guarded by lock; best first
    private volatile Runnable onChange = () -> {};

    /**
     * @param graceMillis how long commands may go on when their backend leaves
     */
    public Backends(IntSupplier graceMillis) {
        this(graceMillis, 0);
    }

    /**
     * @param graceMillis how long commands may go on when their backend leaves
     * @param expectedMillis how long a tier is expected that had a backend before, and any tier
     *     after this was made
     */
    public Backends(IntSupplier graceMillis, long expectedMillis) {
        this.graceMillis = graceMillis;
        this.expectedNanos = TimeUnit.MILLISECONDS.toNanos(expectedMillis);
    }

    /** A backend and what runs in it. */
    static final class Held {
        final SandboxBackend backend;
        private final int ranking;
        private final long id;
        private final Set<LiveRun> runs = new LinkedHashSet<>(); // guarded by lock
        private boolean leaving; // guarded by lock

        private Held(SandboxBackend backend, Map<String, ?> properties) {
            this.backend = backend;
            this.ranking = properties.get("service.ranking") instanceof Integer r ? r : 0;
            this.id = properties.get("service.id") instanceof Long l ? l : 0;
        }
    }

    /** Calls {@code listener} after each arrival and departure; keep it short. */
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    /** Takes a backend into choice. */
    public void add(SandboxBackend backend, Map<String, ?> properties) {
        lock.lock();
        try {
            entries.add(new Held(backend, properties));
            entries.sort(BEST_FIRST);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        onChange.run();
    }

    /** Takes a backend out of choice and returns when nothing of it runs any more, or in time. */
    public void remove(SandboxBackend backend) {
        Held held = leave(backend);
        if (held == null) {
            return;
        }
        untilNone(held, run -> !run.order().holds(), graceMillis.getAsInt());
        stop(held, Stop.WITHDRAWN);
        untilNone(held, run -> true, END_MILLIS);
        lock.lock();
        try {
            entries.remove(held);
            leftNanos.put(backend.tier(), System.nanoTime());
        } finally {
            lock.unlock();
        }
        onChange.run();
    }

    private Held leave(SandboxBackend backend) {
        lock.lock();
        try {
            for (Held held : entries) {
                if (held.backend == backend) {
                    held.leaving = true;
                    return held;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until none of some runs is left, or the time is over. */
    private void untilNone(Held held, Predicate<LiveRun> which, long millis) {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (held.runs.stream().anyMatch(which) && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void stop(Held held, Stop why) {
        List<LiveRun> runs;
        lock.lock();
        try {
            runs = List.copyOf(held.runs);
        } finally {
            lock.unlock();
        }
        runs.forEach(run -> run.stop(why));
    }

    /** Ends at once what runs in a backend, its own tests excepted. */
    public void stopAll(SandboxBackend backend, Stop why) {
        List<LiveRun> runs = new ArrayList<>();
        lock.lock();
        try {
            for (Held held : entries) {
                if (held.backend == backend) {
                    held.runs.stream().filter(run -> !run.trial()).forEach(runs::add);
                }
            }
        } finally {
            lock.unlock();
        }
        runs.forEach(run -> run.stop(why));
    }

    /** Returns every backend that is in choice, best first. */
    public List<SandboxBackend> all() {
        lock.lock();
        try {
            return entries.stream()
                    .filter(held -> !held.leaving)
                    .map(held -> held.backend)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the backend that a tier has now.
     *
     * @throws PalyraException DENIED for tier A, TOOL_UNAVAILABLE when the tier has none
     */
    public SandboxBackend backend(Tier tier) {
        if (tier == Tier.A) {
            throw new PalyraException(
                    ErrorCode.DENIED, "Tier A runs skills only; a program needs tier B or tier C.");
        }
        lock.lock();
        try {
            return find(tier).backend;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the backend that a tier has now; waits for one while it is being replaced, and soon
     * after the start.
     *
     * @throws PalyraException as {@link #backend}
     */
    public SandboxBackend awaited(Tier tier) {
        lock.lock();
        try {
            while (tier != Tier.A && present(tier).isEmpty() && isExpected(tier)) {
                changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the call was cancelled: as it is now
        } finally {
            lock.unlock();
        }
        return backend(tier);
    }

    private boolean isExpected(Tier tier) {
        long since = leftNanos.getOrDefault(tier, startedNanos);
        boolean leaves = entries.stream().anyMatch(held -> held.backend.tier() == tier);
        return (leaves && expectedNanos > 0) || System.nanoTime() - since < expectedNanos;
    }

    /** Returns whether a backend is in choice. */
    public boolean isPresent(SandboxBackend backend) {
        return all().contains(backend);
    }

    /** Returns whether a run is in the backend that its tier has now. */
    boolean isInPresent(LiveRun run) {
        lock.lock();
        try {
            return present(run.order().tier()).filter(held -> held.runs.contains(run)).isPresent();
        } finally {
            lock.unlock();
        }
    }

    private Optional<Held> present(Tier tier) {
        return entries.stream()
                .filter(held -> !held.leaving && held.backend.tier() == tier)
                .findFirst();
    }

    private Held find(Tier tier) {
        Optional<Held> present = present(tier);
        if (present.isPresent()) {
            return present.get();
        }
        throw new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "There is no sandbox of tier "
                        + tier
                        + " on this host now, and no other takes its place; see palyra sandbox"
                        + " list.");
    }

    /**
     * Enters a run; from here on its backend waits for it. TOOL_UNAVAILABLE when this backend has
     * left meanwhile.
     */
    Held enter(LiveRun run, SandboxBackend backend) {
        lock.lock();
        try {
            for (Held held : entries) {
                if (held.backend == backend && !held.leaving) {
                    held.runs.add(run);
                    return held;
                }
            }
        } finally {
            lock.unlock();
        }
        throw new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "The sandbox "
                        + backend.executor()
                        + " is being replaced or removed; try again when it is back.");
    }

    /** Takes a run out that has ended. */
    void exit(LiveRun run, Held held) {
        lock.lock();
        try {
            held.runs.remove(run);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

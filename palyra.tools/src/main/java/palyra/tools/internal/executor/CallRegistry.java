package palyra.tools.internal.executor;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import palyra.api.core.tools.ToolExecutor;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tool.Tool;

/**
 * The calls that run and the outcomes that are kept, by call id, within bounds. Thread-safe.
 *
 * <p>When there is no room it refuses new calls rather than lose an outcome that is younger than
 * ten minutes.
 */
final class CallRegistry {
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final class Entry {
        private final Call call;
        private boolean occupied = true; // guarded by lock: its thread has not ended
        private boolean forgotten; // guarded by lock: only its thread keeps it here
        private int bytes; // guarded by lock; 0 while it runs

        Entry(Call call) {
            this.call = call;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Entry> entries = new LinkedHashMap<>(); // guarded by lock
    private int threads; // guarded by lock
    private long keptBytes; // guarded by lock
    private boolean closed; // guarded by lock
    private final long keptNanos;

    CallRegistry() {
        this(KEPT_NANOS);
    }

    /** Creates a ledger that may give outcomes up after so long, when it needs room. */
    CallRegistry(long keptNanos) {
        this.keptNanos = keptNanos;
    }

    /** A call that was asked for: either new, or one that is known already. */
    record Admission(Call call, boolean isNew) {}

    /**
     * Finds a call, or makes room for it and enters what {@code maker} makes. The maker runs under
     * the ledger's lock, so that a tool cannot leave between being chosen and being entered.
     */
    Admission admit(String callId, int attempt, ToolsSettings settings, Supplier<Call> maker) {
        lock.lock();
        try {
            Entry known = entries.get(callId);
            if (known != null && !known.forgotten && known.call.attempt() == attempt) {
                return new Admission(known.call, false);
            }
            if (closed) {
                throw Refusals.leaving(callId);
            }
            if (known != null) {
                Refusals.unlessSuccessor(known.call, attempt);
            }
            requireRoom(callId, settings);
            Call call = maker.get();
            if (known != null) {
                drop(known);
            }
            entries.put(callId, new Entry(call));
            threads++;
            return new Admission(call, true);
        } finally {
            lock.unlock();
        }
    }

    private void requireRoom(String callId, ToolsSettings settings) {
        if (threads >= settings.maxRunning()) {
            throw Refusals.full(callId, threads + " calls run, the limit");
        }
        if (isFull(settings)) {
            evictOld(settings);
        }
        if (isFull(settings)) {
            throw Refusals.full(callId, "too many outcomes wait to be fetched");
        }
    }

    private boolean isFull(ToolsSettings settings) {
        return entries.size() >= ToolExecutor.MAX_KEPT || keptBytes > settings.maxKeptBytes();
    }

    private void evictOld(ToolsSettings settings) {
        Iterator<Entry> oldest = entries.values().iterator();
        while (isFull(settings) && oldest.hasNext()) {
            Entry entry = oldest.next();
            if (!entry.occupied && entry.call.endedBefore(keptNanos)) {
                keptBytes -= entry.bytes;
                oldest.remove();
            }
        }
    }

    private void drop(Entry entry) {
        keptBytes -= entry.bytes;
        entries.remove(entry.call.callId(), entry);
    }

    /** Takes back the admission of a call whose thread could not be started. */
    void revoke(Call call) {
        lock.lock();
        try {
            Entry entry = entries.get(call.callId());
            if (entry != null && entry.call == call) {
                drop(entry);
                threads--;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Notes how large the outcome of a call is that has just ended. */
    void ended(Call call) {
        lock.lock();
        try {
            Entry entry = entries.get(call.callId());
            if (entry != null && entry.call == call && !entry.forgotten && entry.bytes == 0) {
                entry.bytes = call.outcome().map(CallRegistry::size).orElse(0);
                keptBytes += entry.bytes;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The worst that an outcome takes in memory. */
    private static int size(ToolOutcome outcome) {
        int images = outcome.images().stream().mapToInt(image -> image.data().length()).sum();
        return 512 + 2 * (outcome.outputJson().length() + outcome.error().length()) + images;
    }

    /** Notes that the thread of a call has ended. */
    void released(Call call) {
        lock.lock();
        try {
            Entry entry = entries.get(call.callId());
            threads--;
            if (entry != null && entry.call == call) {
                entry.occupied = false;
                if (entry.forgotten) {
                    drop(entry);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns a call that runs or is kept. */
    Optional<Call> find(String callId) {
        lock.lock();
        try {
            Entry entry = entries.get(callId);
            return entry == null || entry.forgotten ? Optional.empty() : Optional.of(entry.call);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets an outcome; a call that runs stays. */
    void forget(String callId) {
        lock.lock();
        try {
            Entry entry = entries.get(callId);
            if (entry == null || entry.call.outcome().isEmpty()) {
                return;
            }
            entry.forgotten = true;
            keptBytes -= entry.bytes;
            entry.bytes = 0;
            if (!entry.occupied) {
                drop(entry);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the calls whose threads have not ended and that use this tool. */
    List<Call> callsOf(Tool tool) {
        return occupied().stream().filter(call -> call.offer().tool() == tool).toList();
    }

    /** Returns the calls whose threads have not ended. */
    List<Call> occupied() {
        lock.lock();
        try {
            return entries.values().stream()
                    .filter(entry -> entry.occupied)
                    .map(entry -> entry.call)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses new calls from now on, and returns those whose threads have not ended. */
    List<Call> close() {
        lock.lock();
        try {
            closed = true;
            return occupied();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many outcomes are kept. */
    int kept() {
        lock.lock();
        try {
            return (int)
                    entries.values().stream()
                            .filter(entry -> !entry.forgotten && entry.call.outcome().isPresent())
                            .count();
        } finally {
            lock.unlock();
        }
    }
}

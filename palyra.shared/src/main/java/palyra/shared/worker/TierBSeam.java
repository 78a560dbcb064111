package palyra.shared.worker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;

/**
 * The sandbox of Tier B, which may come, go and be replaced at any moment. The code that started a
 * process under one that goes has to end it: {@link #onLeave} says so, when no start is under way
 * any more. Takes no lease, because a backend takes one itself and leases never nest. Thread-safe.
 */
public final class TierBSeam {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(); // read while in use
    private final List<Entry> entries = new ArrayList<>(); // guarded by lock; best first
    private volatile Runnable onLeave = () -> {};

    private record Entry(SandboxBackend backend, int ranking) {}

    /** Takes a backend into choice if it is of Tier B. */
    public void add(SandboxBackend backend, Map<String, ?> properties) {
        if (backend.tier() != Tier.B) {
            return;
        }
        int ranking = properties.get("service.ranking") instanceof Integer number ? number : 0;
        lock.writeLock().lock();
        try {
            entries.add(new Entry(backend, ranking));
            entries.sort(Comparator.comparingInt(Entry::ranking).reversed());
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Takes it out of choice, and has what was started under it ended. */
    public void remove(SandboxBackend backend) {
        boolean known;
        lock.writeLock().lock();
        try {
            known = entries.removeIf(entry -> entry.backend().equals(backend));
        } finally {
            lock.writeLock().unlock();
        }
        if (known) {
            onLeave.run();
        }
    }

    /** Sets the action for the removal of a backend. */
    public void onLeave(Runnable action) {
        onLeave = action;
    }

    /** Returns how it is doing; empty when none is there. */
    public Optional<BackendStatus> status() {
        lock.readLock().lock();
        try {
            return entries.stream().findFirst().map(entry -> entry.backend().status());
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Starts a process under the best one. */
    public SandboxProcess start(SandboxSpec spec) {
        lock.readLock().lock();
        try {
            if (entries.isEmpty()) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The sandbox of Tier B is gone.");
            }
            return entries.get(0).backend().start(spec);
        } finally {
            lock.readLock().unlock();
        }
    }
}

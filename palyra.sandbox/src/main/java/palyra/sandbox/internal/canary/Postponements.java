package palyra.sandbox.internal.canary;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.sandbox.SandboxBackend;

/** Sandboxes that could not be tested, why, and when they are tried again. Thread-safe. */
final class Postponements {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<SandboxBackend, Postponed> entries = // guarded by lock
            new IdentityHashMap<>();

    private record Postponed(String cause, long sinceNanos) {}

    /** Puts a test off; returns whether the cause is a new one. */
    boolean add(SandboxBackend backend, String cause) {
        lock.lock();
        try {
            Postponed before = entries.put(backend, new Postponed(cause, System.nanoTime()));
            return before == null || !before.cause().equals(cause);
        } finally {
            lock.unlock();
        }
    }

    /** Returns why the last test was put off; empty when it was not. */
    Optional<String> cause(SandboxBackend backend) {
        lock.lock();
        try {
            return Optional.ofNullable(entries.get(backend)).map(Postponed::cause);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether it is too early for the next try. */
    boolean waits(SandboxBackend backend) {
        lock.lock();
        try {
            Postponed entry = entries.get(backend);
            return entry != null && System.nanoTime() - entry.sinceNanos() < PAUSE_NANOS;
        } finally {
            lock.unlock();
        }
    }

    void remove(SandboxBackend backend) {
        lock.lock();
        try {
            entries.remove(backend);
        } finally {
            lock.unlock();
        }
    }

    void forgetAllBut(List<SandboxBackend> present) {
        lock.lock();
        try {
            entries.keySet().removeIf(known -> present.stream().noneMatch(one -> one == known));
        } finally {
            lock.unlock();
        }
    }
}

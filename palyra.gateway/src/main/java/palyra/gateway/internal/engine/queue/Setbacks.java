package palyra.gateway.internal.engine.queue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.gateway.Setback;

/**
 * Failed work of the engine, one entry for each row or duty: how often in a row it failed, why, and
 * when it is retried. The delay before a retry doubles with each failure, so that it costs little
 * and holds up nothing else. Thread-safe.
 */
public final class Setbacks {
    private static final long FIRST_MILLIS = 500;
    private static final long LONGEST_MILLIS = 60_000;
    private static final int MOST = 1_000;
    private static final int TOLD_AFTER = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Subject, Entry> entries = new HashMap<>(); // guarded by lock

    private record Subject(Setback.Kind kind, String id) {}

    private record Entry(
            int attempts, String reason, long sinceMillis, long nextTryMillis, long dueNanos) {}

    /** Returns whether it may be tried now. */
    public boolean isDue(Setback.Kind kind, String id) {
        lock.lock();
        try {
            Entry entry = entries.get(new Subject(kind, id));
            return entry == null || System.nanoTime() - entry.dueNanos() >= 0;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how often in a row it failed, 0 for what did not. */
    public int attempts(Setback.Kind kind, String id) {
        lock.lock();
        try {
            Entry entry = entries.get(new Subject(kind, id));
            return entry == null ? 0 : entry.attempts();
        } finally {
            lock.unlock();
        }
    }

    /** Notes a failure and returns how many there were in a row. */
    public int failed(Setback.Kind kind, String id, String reason) {
        lock.lock();
        try {
            Subject subject = new Subject(kind, id);
            Entry before = entries.get(subject);
            if (before == null && entries.size() >= MOST) {
                return 1; // an entry that is not kept is retried with each look, as if it had not
                // failed
            }
            int attempts = before == null ? 1 : before.attempts() + 1;
            long now = System.currentTimeMillis();
            long since = before == null ? now : before.sinceMillis();
            long wait = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(attempts - 1, 16));
            long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait);
            entries.put(subject, new Entry(attempts, reason, since, now + wait, due));
            return attempts;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets failures: it went well, or is no longer there. */
    public void succeeded(Setback.Kind kind, String id) {
        lock.lock();
        try {
            entries.remove(new Subject(kind, id));
        } finally {
            lock.unlock();
        }
    }

    /** Returns what failed more than once, oldest first: a first failure may pass by itself. */
    public List<Setback> all() {
        lock.lock();
        try {
            return entries.entrySet().stream()
                    .filter(each -> each.getValue().attempts() >= TOLD_AFTER)
                    .map(each -> setback(each.getKey(), each.getValue()))
                    .sorted(Comparator.comparingLong(Setback::sinceMillis))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private static Setback setback(Subject subject, Entry entry) {
        return new Setback(
                subject.kind(),
                subject.id(),
                entry.attempts(),
                entry.reason(),
                entry.sinceMillis(),
                entry.nextTryMillis());
    }
}

package palyra.sandbox.internal.canary;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxBackend;

/** The last report about each sandbox. Thread-safe. */
final class ReportRegistry {
    private final CanaryJournal journal;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<SandboxBackend, RecordedReport> entries = // guarded by lock
            new IdentityHashMap<>();

    ReportRegistry(CanaryJournal journal) {
        this.journal = journal;
    }

    Optional<RecordedReport> find(SandboxBackend backend) {
        lock.lock();
        try {
            return Optional.ofNullable(entries.get(backend));
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next report about any sandbox, or until the time is over. */
    void awaitChange(long millis) throws InterruptedException {
        lock.lock();
        try {
            changed.awaitNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            entries.clear();
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

    /** Keeps a report: a failure counts at once, a pass when it is recorded. */
    void keep(SandboxBackend backend, CanaryReport report) {
        if (!report.passed()) {
            put(backend, new RecordedReport(report, false, ""));
        }
        try {
            journal.record(report);
            put(backend, new RecordedReport(report, true, ""));
        } catch (PalyraException e) {
            put(backend, new RecordedReport(report, false, e.getMessage()));
        }
    }

    private void put(SandboxBackend backend, RecordedReport entry) {
        lock.lock();
        try {
            entries.put(backend, entry);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

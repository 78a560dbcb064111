package palyra.sandbox.internal.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** How the last runs ended, without their output. Bounded. Thread-safe. */
final class RecentResults {
    /** Most results kept. */
    static final int MOST = 1_024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, RunResult> results = // guarded by lock
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, RunResult> eldest) {
                    return size() > MOST;
                }
            };

    void keep(RunResult result) {
        lock.lock();
        try {
            results.put(result.callId(), result.withoutOutput());
        } finally {
            lock.unlock();
        }
    }

    Optional<RunResult> find(String callId) {
        lock.lock();
        try {
            return Optional.ofNullable(results.get(callId));
        } finally {
            lock.unlock();
        }
    }
}

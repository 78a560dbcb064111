package palyra.sandbox.internal.egress;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** What a proxy refused, each host and port once, for the model that asked. Thread-safe. */
final class RefusedHosts {
    private static final int MOST = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, String> sentences = new LinkedHashMap<>(); // guarded by lock

    /** Adds a refusal; the first one for a host and port stays, and so do the first 16. */
    void add(String hostAndPort, String sentence) {
        lock.lock();
        try {
            if (sentences.size() < MOST) {
                sentences.putIfAbsent(hostAndPort, sentence);
            }
        } finally {
            lock.unlock();
        }
    }

    List<String> sentences() {
        lock.lock();
        try {
            return List.copyOf(sentences.values());
        } finally {
            lock.unlock();
        }
    }
}

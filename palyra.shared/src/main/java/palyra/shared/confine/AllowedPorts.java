package palyra.shared.confine;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All TCP ports but some. Always the same set for the same ports, so that code that builds
 * something expensive from it can cache that. Thread-safe.
 */
public final class AllowedPorts {
    private static final int LAST_PORT = 65_535;
    private static final int MOST_KEPT = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Set<Integer>, Set<Integer>> kept = // guarded by lock
            new LinkedHashMap<>(8, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Set<Integer>, Set<Integer>> eldest) {
                    return size() > MOST_KEPT;
                }
            };

    /** Returns 0 to 65535 without {@code forbidden}. */
    public Set<Integer> allBut(Set<Integer> forbidden) {
        lock.lock();
        try {
            return kept.computeIfAbsent(Set.copyOf(forbidden), AllowedPorts::make);
        } finally {
            lock.unlock();
        }
    }

    private static Set<Integer> make(Set<Integer> forbidden) {
        Set<Integer> ports = new HashSet<>();
        for (int port = 0; port <= LAST_PORT; port++) {
            if (!forbidden.contains(port)) {
                ports.add(port);
            }
        }
        return Set.copyOf(ports);
    }
}

package palyra.access.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Records of break-glass uses that could not be written yet, oldest first, in memory alone. Bounded
 * in number and in bytes. Thread-safe.
 */
final class PendingRecords {
    /** Most pending records. */
    static final int MOST = 64;

    /** Most bytes of all pending records together. */
    static final int MOST_BYTES = 256 << 10;

    private final Map<String, Use> byPermit = new LinkedHashMap<>(); // guarded by this
    private long bytes; // guarded by this

    /**
     * One record.
     *
     * @param line what goes into the file, with the time of the use
     * @param why one clause: why it could not be written
     */
    record Use(DecisionRecord record, byte[] line, String why) {
        String permitId() {
            return record.permitId();
        }
    }

    /** Takes a record in; false, having changed nothing, when there is no room for it. */
    synchronized boolean add(Use use) {
        if (byPermit.size() >= MOST || bytes + use.line().length > MOST_BYTES) {
            return false;
        }
        byPermit.put(use.permitId(), use);
        bytes += use.line().length;
        return true;
    }

    /** Returns the use under a permit while its record waits. */
    synchronized Optional<Use> find(String permitId) {
        return Optional.ofNullable(byPermit.get(permitId));
    }

    /** Returns the oldest that waits. */
    synchronized Optional<Use> oldest() {
        return byPermit.values().stream().findFirst();
    }

    /** Returns how many wait. */
    synchronized int size() {
        return byPermit.size();
    }

    private synchronized void remove(Use use) {
        if (byPermit.remove(use.permitId()) != null) {
            bytes -= use.line().length;
        }
    }

    private synchronized List<Use> all() {
        return List.copyOf(byPermit.values());
    }

    /**
     * Writes what waits, oldest first, until one cannot be written. Called by one thread.
     *
     * @param writer makes one durable; false when nothing takes it now
     */
    void write(Predicate<Use> writer) {
        for (Use use : all()) {
            if (!writer.test(use)) {
                return;
            }
            remove(use);
        }
    }
}

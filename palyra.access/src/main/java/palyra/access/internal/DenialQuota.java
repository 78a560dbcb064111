package palyra.access.internal;

import java.util.HashMap;
import java.util.Map;

/**
 * How many denials of one principal get a record of their own within an hour: so many alike, and so
 * many bytes in all. More principals than a number have none; a caller cannot make the map grow.
 * One thread uses it at a time.
 */
final class DenialQuota {
    /** Denials of one principal with the same action and rule. */
    static final int MOST_ALIKE = 20;

    /** Payload bytes of all records of denials of one principal. */
    static final int MOST_BYTES = 256 * 1_024;

    static final long WINDOW_MILLIS = 3_600_000;
    private static final int MOST_ENTRIES = 4_096;

    private long windowStart;
    private final Map<String, Long> bytes = new HashMap<>(); // by principal
    private final Map<Alike, Integer> alike = new HashMap<>();

    private record Alike(String principal, String action, String ruleId) {}

    /** Returns whether the denial gets a record, of that many bytes. */
    boolean take(String principal, String action, String ruleId, int size, long nowMillis) {
        if (nowMillis - windowStart >= WINDOW_MILLIS || nowMillis < windowStart) {
            windowStart = nowMillis;
            bytes.clear();
            alike.clear();
        }
        Alike key = new Alike(principal, action, ruleId);
        int before = alike.getOrDefault(key, 0);
        long used = bytes.getOrDefault(principal, 0L) + size;
        boolean known = before > 0 || alike.size() < MOST_ENTRIES;
        if (!known || before >= MOST_ALIKE || used > MOST_BYTES) {
            return false;
        }
        alike.put(key, before + 1);
        bytes.put(principal, used);
        return true;
    }
}

package palyra.connectors.discord.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What Discord said about how many requests it takes: buckets, each counted for itself in every
 * channel, and a limit of the whole account. Times are those of one monotonic clock in
 * milliseconds. Thread-safe.
 */
final class RateLimits {
    private static final int MOST = 10_000;
    private static final int A_SECOND = 45; // of the 50 that Discord takes

    private final Map<String, String> buckets = new HashMap<>(); // by route
    private final Map<String, Slot> slots = new HashMap<>(); // by bucket and major parameter
    private long globalUntil;
    private long second;
    private int inSecond;

    private record Slot(int remaining, long resetAt) {}

    /**
     * Returns how long to wait before a request; 0 takes the place of one.
     *
     * @param route the request without its ids
     * @param major id of the channel or the like by which Discord counts for itself
     * @param global whether the account's limit counts
     */
    synchronized long reserve(String route, String major, boolean global, long now) {
        long wait = global ? Math.max(globalUntil - now, ofSecond(now)) : 0;
        String key = key(route, major);
        Slot slot = slots.get(key);
        if (slot != null && slot.resetAt() > now && slot.remaining() <= 0) {
            wait = Math.max(wait, slot.resetAt() - now);
        }
        if (wait > 0) {
            return wait;
        }
        if (slot != null && slot.resetAt() > now) {
            slots.put(key, new Slot(slot.remaining() - 1, slot.resetAt()));
        }
        if (global) {
            inSecond++;
        }
        return 0;
    }

    /** Returns whether the account as a whole has to wait so long. */
    synchronized boolean isGlobal(long wait, long now) {
        return globalUntil > now && globalUntil - now + 1_000 >= wait; // it took a moment to ask
    }

    /** Returns whether half of what the account may ask for in this second is used. */
    synchronized boolean isBusy(long now) {
        return ofSecond(now) > 0 || inSecond > A_SECOND / 2;
    }

    private long ofSecond(long now) {
        if (now - second >= 1_000 || now < second) {
            second = now;
            inSecond = 0;
        }
        return inSecond < A_SECOND ? 0 : second + 1_000 - now;
    }

    private String key(String route, String major) {
        return buckets.getOrDefault(route, route) + " " + major;
    }

    /** Takes note of the headers of an answer. */
    synchronized void learn(
            String route, String major, Map<String, List<String>> headers, long now) {
        String bucket = header(headers, "x-ratelimit-bucket");
        long resetMillis = millis(header(headers, "x-ratelimit-reset-after"));
        String remaining = header(headers, "x-ratelimit-remaining");
        if (bucket.isEmpty() || resetMillis < 0 || !remaining.matches("[0-9]{1,9}")) {
            return;
        }
        prune(now);
        buckets.put(route, bucket);
        String key = key(route, major);
        Slot before = slots.get(key);
        int left = Integer.parseInt(remaining);
        // Requests that are under way are not counted in the answer of an earlier one.
        boolean same = before != null && before.resetAt() > now;
        slots.put(
                key,
                new Slot(
                        same ? Math.min(left, before.remaining()) : left,
                        Math.max(now + resetMillis, same ? before.resetAt() : 0)));
    }

    /** Takes note that Discord refused a request for now. */
    synchronized void limited(
            String route, String major, boolean global, long retryMillis, long now) {
        if (global) {
            globalUntil = Math.max(globalUntil, now + retryMillis);
        } else {
            prune(now);
            slots.put(key(route, major), new Slot(0, now + retryMillis));
        }
    }

    private void prune(long now) {
        if (slots.size() >= MOST) {
            slots.values().removeIf(slot -> slot.resetAt() <= now);
        }
        if (slots.size() >= MOST) {
            slots.clear();
        }
    }

    /** Returns seconds with a fraction as milliseconds; -1 for another text. */
    static long millis(String seconds) {
        if (!seconds.matches("[0-9]{1,6}(\\.[0-9]{1,9})?")) {
            return -1;
        }
        return (long) Math.ceil(Double.parseDouble(seconds) * 1_000);
    }

    static String header(Map<String, List<String>> headers, String name) {
        return headers.getOrDefault(name, List.of("")).get(0).strip();
    }
}

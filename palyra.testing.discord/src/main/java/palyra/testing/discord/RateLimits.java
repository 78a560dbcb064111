package palyra.testing.discord;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import palyra.testing.http.FaultyApi;

/** How many calls are taken in which time. For callers that hold the fake's lock. */
final class RateLimits {
    /** So many calls in such a time, for each channel, guild or webhook. */
    private record Limit(int calls, long nanos) {}

    private static final class Bucket {
        private int used;
        private long endNanos;
    }

    private static final Limit GENEROUS = new Limit(10_000, Duration.ofSeconds(1).toNanos());
    private static final String GLOBAL = "global";

    private final Map<String, Limit> limits = new HashMap<>();
    private final Map<String, Bucket> buckets = new HashMap<>();

    void limit(String name, int calls, Duration in) {
        limits.put(name, new Limit(calls, in.toNanos()));
        buckets.clear();
    }

    void globalLimit(int calls, Duration in) {
        limit(GLOBAL, calls, in);
    }

    /**
     * Counts a call.
     *
     * @param name which call
     * @param major id that has its own count
     * @param headers where its headers are put
     * @return the answer if it is one too many
     */
    Optional<FaultyApi.Reply> take(String name, String major, List<String> headers) {
        boolean limitedGlobally =
                limits.containsKey(GLOBAL)
                        && !name.contains("/interactions/")
                        && !name.contains("/webhooks/");
        long now = System.nanoTime();
        if (limitedGlobally) {
            Bucket all = bucket(GLOBAL, limits.get(GLOBAL), now);
            if (all.used >= limits.get(GLOBAL).calls()) {
                return Optional.of(refused(seconds(all.endNanos - now), true, List.of()));
            }
            all.used++;
        }
        Limit limit = limits.getOrDefault(name, GENEROUS);
        Bucket bucket = bucket(name + " " + major, limit, now);
        boolean over = bucket.used >= limit.calls();
        bucket.used += over ? 0 : 1;
        double after = seconds(bucket.endNanos - now);
        headers.add("X-RateLimit-Limit: " + limit.calls());
        headers.add("X-RateLimit-Remaining: " + (limit.calls() - bucket.used));
        headers.add(
                "X-RateLimit-Reset: "
                        + String.format(
                                Locale.ROOT, "%.3f", System.currentTimeMillis() / 1e3 + after));
        headers.add("X-RateLimit-Reset-After: " + String.format(Locale.ROOT, "%.3f", after));
        headers.add("X-RateLimit-Bucket: " + String.format("%032x", name.hashCode() & 0xffffffffL));
        return over ? Optional.of(refused(after, false, headers)) : Optional.empty();
    }

    private Bucket bucket(String name, Limit limit, long now) {
        Bucket bucket = buckets.computeIfAbsent(name, one -> new Bucket());
        if (bucket.used == 0 || bucket.endNanos - now <= 0) {
            bucket.used = 0;
            bucket.endNanos = now + limit.nanos();
        }
        return bucket;
    }

    private static double seconds(long nanos) {
        return Math.max(1, (nanos + 999_999) / 1_000_000) / 1e3;
    }

    /** Returns the answer to a call that is one too many. */
    static FaultyApi.Reply refused(double seconds, boolean global, List<String> headers) {
        ObjectNode body =
                Json.object(
                        "message",
                        "You are being rate limited.",
                        "retry_after",
                        seconds,
                        "global",
                        global,
                        "code",
                        0);
        List<String> all = new ArrayList<>(headers);
        all.add("Retry-After: " + (long) Math.ceil(seconds));
        all.add("Via: 1.1 google");
        all.add("X-RateLimit-Scope: " + (global ? "global" : "user"));
        if (global) {
            all.add("X-RateLimit-Global: true");
        }
        return new FaultyApi.Reply(429, Json.write(body), all);
    }
}

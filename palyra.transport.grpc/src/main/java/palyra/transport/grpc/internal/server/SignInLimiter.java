package palyra.transport.grpc.internal.server;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.connection.Networks;

/**
 * Limits failed authentications per address. Each credential is checked first, so failures of other
 * clients never reject a valid one; only failures are throttled. Thread-safe; memory is bounded.
 */
final class SignInLimiter {
    private static final Logger LOG = LoggerFactory.getLogger(SignInLimiter.class);
    private static final int MAX_ADDRESSES = 4_096;
    private static final double MILLIS_OF_MINUTE = 60_000;

    private final LongSupplier millis;
    private final LongAdder refused = new LongAdder();
    private final Map<String, Bucket> buckets = bounded(); // guarded by this
    private int perMinute; // guarded by this

    private static final class Bucket {
        private double left;
        private long at;
        private boolean told;
    }

    SignInLimiter(int perMinute, LongSupplier millis) {
        this.perMinute = perMinute;
        this.millis = millis;
    }

    private static <V> Map<String, V> bounded() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > MAX_ADDRESSES;
            }
        };
    }

    synchronized void perMinute(int failures) {
        perMinute = failures;
    }

    /**
     * Looks at a credential.
     *
     * @param from null where there are no addresses: all of those count as one
     * @param look returns whose the credential is, in a time that does not tell why it failed
     * @throws PalyraException as {@code look} does; RESOURCE_EXHAUSTED for a credential that failed
     *     after too many others from this address
     */
    <T> T attempt(InetAddress from, Supplier<T> look) {
        try {
            return look.get();
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.UNAUTHENTICATED) {
                failed(Networks.of(from));
            }
            throw e;
        }
    }

    private void failed(String network) {
        boolean tell;
        synchronized (this) {
            Bucket bucket = refilled(network);
            if (bucket.left >= 1) {
                bucket.left--;
                return;
            }
            tell = !bucket.told;
            bucket.told = true;
        }
        refused.increment();
        if (tell) {
            LOG.warn("Too many credentials failed from {}; further bad ones are refused.", network);
        }
        throw new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "This credential is not valid, and too many failed from this address; correct it"
                        + " before you try again in a minute.");
    }

    private Bucket refilled(String network) {
        long now = millis.getAsLong();
        Bucket bucket = buckets.get(network);
        if (bucket == null) {
            bucket = new Bucket();
            bucket.left = perMinute;
            buckets.put(network, bucket);
        } else {
            double more = Math.max(0, now - bucket.at) * perMinute / MILLIS_OF_MINUTE;
            bucket.left = Math.min(perMinute, bucket.left + more);
            bucket.told &= bucket.left < perMinute;
        }
        bucket.at = now;
        return bucket;
    }

    /** Returns how many calls were refused because too many credentials failed before. */
    long refused() {
        return refused.sum();
    }
}

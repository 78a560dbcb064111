package palyra.transport.grpc.internal.server;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Credential;
import palyra.shared.hash.Digests;

/**
 * Bounds how often credentials may fail from one address. Beyond it only a credential that worked
 * from there before is looked at, so that nobody is locked out by a neighbour. Thread-safe; memory
 * is bounded.
 */
final class SignIns {
    private static final Logger LOG = LoggerFactory.getLogger(SignIns.class);
    private static final int MAX_ADDRESSES = 4_096;
    private static final int MAX_PROVEN = 4_096;
    private static final int IPV6_NETWORK_BYTES = 8;
    private static final double MILLIS_OF_MINUTE = 60_000;

    private final LongSupplier millis;
    private final LongAdder refused = new LongAdder();
    private final Map<String, Bucket> buckets = bounded(MAX_ADDRESSES); // guarded by this
    private final Map<String, Boolean> proven = bounded(MAX_PROVEN); // guarded by this
    private int perMinute; // guarded by this

    private static final class Bucket {
        private double left;
        private long at;
        private boolean told;
    }

    SignIns(int perMinute, LongSupplier millis) {
        this.perMinute = perMinute;
        this.millis = millis;
    }

    private static <V> Map<String, V> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > most;
            }
        };
    }

    synchronized void perMinute(int failures) {
        perMinute = failures;
    }

    /**
     * Returns when the credential may be looked at.
     *
     * @param from null where there are no addresses: all of those count as one
     * @throws PalyraException RESOURCE_EXHAUSTED otherwise
     */
    void requireLooking(InetAddress from, Credential credential) {
        String network = network(from);
        boolean tell;
        synchronized (this) {
            Bucket bucket = refilled(network);
            if (bucket.left >= 1 || proven.containsKey(proof(network, credential))) {
                return;
            }
            tell = !bucket.told;
            bucket.told = true;
        }
        refused.increment();
        if (tell) {
            LOG.warn("Too many credentials failed from {}; new ones are not looked at.", network);
        }
        throw new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "Too many credentials failed from this address; try again in a minute.");
    }

    synchronized void succeeded(InetAddress from, Credential credential) {
        proven.put(proof(network(from), credential), true);
    }

    synchronized void failed(InetAddress from, Credential credential) {
        String network = network(from);
        proven.remove(proof(network, credential));
        Bucket bucket = refilled(network);
        bucket.left = Math.max(0, bucket.left - 1);
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

    /** Somebody with one IPv6 address has a whole network of them. */
    private static String network(InetAddress from) {
        byte[] address = from == null ? new byte[0] : from.getAddress();
        return address.length > IPV6_NETWORK_BYTES
                ? HexFormat.ofDelimiter(":").formatHex(Arrays.copyOf(address, IPV6_NETWORK_BYTES))
                : from == null ? "nowhere" : from.getHostAddress();
    }

    /** No credential stays in memory. */
    private static String proof(String network, Credential credential) {
        String shown =
                switch (credential) {
                    case Credential.ApiToken token -> "token " + token.secret();
                    case Credential.ClientCertificate own -> "certificate " + own.sha256();
                    case Credential.LocalPeer peer -> "peer " + peer.uid();
                };
        return network + " " + Digests.sha256Hex(shown);
    }

    /** Returns how many calls were refused without a look at their credential. */
    long refused() {
        return refused.sum();
    }
}

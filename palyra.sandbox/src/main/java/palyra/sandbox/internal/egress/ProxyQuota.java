package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** What all connections of one proxy may carry together, and how many there may be. Thread-safe. */
final class ProxyQuota {
    private final AtomicLong bytes;
    private final AtomicLong connections;

    ProxyQuota(long bytes, long connections) {
        this.bytes = new AtomicLong(bytes);
        this.connections = new AtomicLong(connections);
    }

    /** Takes so many bytes; throws when there are not as many left, and then none are. */
    void take(int count) throws IOException {
        if (bytes.addAndGet(-count) < 0) {
            bytes.set(0);
            throw new IOException("the byte quota is used up");
        }
    }

    /** Takes a connection; returns whether there was one left. */
    boolean takeConnection() {
        return connections.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    boolean bytesUsedUp() {
        return bytesLeft() == 0;
    }

    /** Returns how many bytes may still pass. */
    long bytesLeft() {
        return Math.max(0, bytes.get());
    }
}

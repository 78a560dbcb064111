package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import palyra.transport.grpc.internal.call.Caller;

/** One connection of a client. Its changing parts are guarded by the {@link Connections}. */
final class Connection {
    private final Channel channel;
    private final String network;

    int calls; // open now
    long usedMillis; // when it was opened, or a call began or ended on it; monotonic
    volatile String credential =
            ""; // id of the first one that was accepted on it; empty for a stranger's
    volatile Caller.Proof proof; // of that one; null for a stranger's
    volatile List<X509Certificate> chain =
            List.of(); // that its client showed; its own certificate first
    boolean told; // whether it was asked to close; only on the thread that sweeps

    Connection(Channel channel, String network, long nowMillis) {
        this.channel = channel;
        this.network = network;
        usedMillis = nowMillis;
    }

    /** Returns the address it comes from, as limits count addresses. */
    String network() {
        return network;
    }

    boolean isStranger() {
        return credential.isEmpty();
    }

    boolean isIdle() {
        return calls == 0;
    }

    /** Returns until when the certificates of its client are valid; the end of time without any. */
    Instant validUntil() {
        return chain.stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    /** Closes it so that a client which is about to call makes the call elsewhere. */
    void close() {
        channel.close();
    }

    /** Closes it at once, whatever is going on on it. */
    void cut() {
        channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
    }
}

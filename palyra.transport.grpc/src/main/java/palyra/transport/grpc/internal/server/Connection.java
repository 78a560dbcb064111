package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import palyra.shared.connection.BoundConnection;
import palyra.transport.grpc.internal.call.Caller;

/** One connection of a client. */
final class Connection extends BoundConnection {
    private final Channel channel;
    volatile Caller.Proof proof; // of that one; null for a stranger's
    volatile List<X509Certificate> chain =
            List.of(); // that its client showed; its own certificate first
    boolean told; // whether it was asked to close; only on the thread that sweeps

    Connection(Channel channel, String network) {
        super(network);
        this.channel = channel;
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

    /** Closes it at once, including its open calls. */
    void cut() {
        channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
    }
}

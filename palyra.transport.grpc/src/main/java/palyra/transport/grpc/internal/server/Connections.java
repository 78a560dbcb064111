package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler.Sharable;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts connections as they are accepted and turns away those beyond the bound. Sits on the
 * listening channel, before anything is spent on a connection.
 */
@Sharable
final class Connections extends ChannelInboundHandlerAdapter {
    private final AtomicInteger open = new AtomicInteger();
    private final CallCounts counts;
    private volatile int most;

    Connections(int most, CallCounts counts) {
        this.most = most;
        this.counts = counts;
    }

    /** Bounds connections from now on; those that are open stay. */
    void most(int connections) {
        most = connections;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        Channel connection = (Channel) accepted;
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            counts.connectionRefused();
            connection.unsafe().closeForcibly();
            return;
        }
        connection.closeFuture().addListener(closed -> open.decrementAndGet());
        context.fireChannelRead(accepted);
    }

    /** Returns how many connections are open. */
    int open() {
        return open.get();
    }
}

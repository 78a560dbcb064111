package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandler.Sharable;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts connections as they are accepted and turns away those beyond the bound. Sits on the
 * listening channel, before anything is spent on a connection.
 */
@Sharable
final class Connections extends ChannelInboundHandlerAdapter {
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder refused = new LongAdder();
    private volatile int most;

    Connections(int most) {
        this.most = most;
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
            refused.increment();
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

    /** Returns how many were turned away. */
    long refused() {
        return refused.sum();
    }
}

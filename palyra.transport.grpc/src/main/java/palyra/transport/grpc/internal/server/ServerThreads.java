package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one server: one that accepts, two that read and write, and a virtual one for each
 * step of a call.
 */
final class ServerThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerThreads.class);
    private static final int IO_THREADS = 2;
    private static final long END_SECONDS = 5;

    private final EventLoopGroup accepting =
            new NioEventLoopGroup(1, new DefaultThreadFactory("palyra-grpc-accept", true));
    private final EventLoopGroup io =
            new NioEventLoopGroup(IO_THREADS, new DefaultThreadFactory("palyra-grpc-io", true));
    private final CallThreads calls = new CallThreads();

    EventLoopGroup accepting() {
        return accepting;
    }

    EventLoopGroup io() {
        return io;
    }

    CallThreads calls() {
        return calls;
    }

    /**
     * Interrupts calls that are still going and waits, for some seconds, until all threads are
     * gone: calls first, since they speak through the others.
     */
    @Override
    public void close() {
        try {
            boolean all = calls.end(END_SECONDS);
            Future<?> first = accepting.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS);
            Future<?> second = io.shutdownGracefully(0, END_SECONDS, TimeUnit.SECONDS);
            all &= first.await(END_SECONDS, TimeUnit.SECONDS);
            all &= second.await(END_SECONDS, TimeUnit.SECONDS);
            if (!all) {
                LOG.warn("Threads of the gRPC port did not end in time.");
            }
        } catch (InterruptedException e) {
            accepting.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            io.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            Thread.currentThread().interrupt();
        }
    }
}

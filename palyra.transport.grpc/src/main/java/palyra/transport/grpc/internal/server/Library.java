package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.util.concurrent.PromiseCombiner;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;

/** What must happen once before the library is used. */
final class Library {
    private Library() {}

    /**
     * Lets Netty find out what is not there: native libraries, Bouncy Castle. It keeps the
     * exceptions that told it for good, and an exception keeps the classes on its stack: with a
     * frame of this bundle among them, the bundle would stay in memory after its update. So it is
     * called by nothing but method references, on threads of the JDK.
     *
     * @param tls whether its TLS will be used
     */
    static void warmUp(boolean tls) {
        plain();
        if (tls) {
            tls();
        }
    }

    @SuppressWarnings("deprecation") // the one constructor that names the immediate executor
    private static void plain() {
        CompletableFuture.completedFuture(0).thenApplyAsync(NettyServerBuilder::forPort).join();
        CompletableFuture.completedFuture(1)
                .thenApplyAsync(NioEventLoopGroup::new)
                .thenApplyAsync(NioEventLoopGroup::shutdownGracefully)
                .join();
        CompletableFuture.supplyAsync(PromiseCombiner::new).join();
    }

    private static void tls() {
        CompletableFuture.supplyAsync(GrpcSslContexts::forClient).join();
        SslContext context = called(GrpcSslContexts.forClient()::build);
        CompletableFuture.completedFuture(ByteBufAllocator.DEFAULT)
                .thenApplyAsync(context::newEngine)
                .join();
    }

    private static <T> T called(Callable<T> reference) {
        try {
            return ForkJoinPool.commonPool().submit(reference).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the gRPC library was prepared", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the gRPC library cannot be prepared", e.getCause());
        }
    }
}

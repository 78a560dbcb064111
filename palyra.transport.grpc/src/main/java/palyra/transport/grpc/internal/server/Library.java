package palyra.transport.grpc.internal.server;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.netty.shaded.io.netty.util.concurrent.PromiseCombiner;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

/** Initializes the gRPC library once before its use. */
final class Library {
    /**
     * A new thread for each step. The JDK's common pool would not do: a caller that waits for a
     * task that no worker has begun runs it himself, with all that is on his stack.
     */
    private static final Executor ALONE =
            step -> Thread.ofPlatform().name("palyra-grpc-library").daemon(true).start(step);

    private Library() {}

    /**
     * Lets Netty look for its optional parts: native libraries, Bouncy Castle. It keeps the
     * exceptions that told it for good, and an exception keeps the classes on its stack: with a
     * frame of this bundle among them, the bundle would stay in memory after its update. So it is
     * called by nothing but method references, on threads that have nothing else on their stacks.
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
        CompletableFuture.completedFuture(0)
                .thenApplyAsync(NettyServerBuilder::forPort, ALONE)
                .join();
        CompletableFuture.completedFuture(1)
                .thenApplyAsync(NioEventLoopGroup::new, ALONE)
                .thenApplyAsync(NioEventLoopGroup::shutdownGracefully, ALONE)
                .join();
        CompletableFuture.supplyAsync(PromiseCombiner::new, ALONE).join();
    }

    private static void tls() {
        CompletableFuture.supplyAsync(GrpcSslContexts::forClient, ALONE).join();
        SslContext context = called(GrpcSslContexts.forClient()::build);
        CompletableFuture.completedFuture(ByteBufAllocator.DEFAULT)
                .thenApplyAsync(context::newEngine, ALONE)
                .join();
    }

    /**
     * Returns the builder with what HTTP/2 needs. Each time, the library keeps the exception by
     * which it learns that there is no Jetty, not only the first time.
     */
    static SslContextBuilder forHttp2(SslContextBuilder builder) {
        return CompletableFuture.completedFuture(builder)
                .thenCombineAsync(
                        CompletableFuture.completedFuture(SslProvider.JDK),
                        GrpcSslContexts::configure,
                        ALONE)
                .join();
    }

    private static <T> T called(Callable<T> reference) {
        FutureTask<T> step = new FutureTask<>(reference);
        ALONE.execute(step);
        try {
            return step.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the gRPC library was prepared", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the gRPC library cannot be prepared", e.getCause());
        }
    }
}

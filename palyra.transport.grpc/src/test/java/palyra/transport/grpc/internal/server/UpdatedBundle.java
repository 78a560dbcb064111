package palyra.transport.grpc.internal.server;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import palyra.testing.wait.Await;
import palyra.transport.grpc.internal.wire.gateway.GatewayServiceGrpc;

/**
 * A program: uses the transport in a class loader of its own, closes it and waits until the class
 * loader is gone. As an update of the bundle does: the library stays, everything of ours goes.
 */
public final class UpdatedBundle {
    private static final String OURS = "palyra.transport.grpc.";

    private UpdatedBundle() {}

    /** Ends with exit code 1 when the class loader stays. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        occupyCommonPool();
        gone("plaintext", usedAndClosed(folder, false));
        gone("TLS", usedAndClosed(folder, true));
        System.exit(0);
    }

    /** Who waits for a task of a busy pool runs it himself, below all that is on his stack. */
    private static void occupyCommonPool() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(ForkJoinPool.getCommonPoolParallelism());
        for (long i = begun.getCount(); i > 0; i--) {
            ForkJoinPool.commonPool()
                    .execute(
                            () -> {
                                begun.countDown();
                                LockSupport.parkUntil(Long.MAX_VALUE);
                            });
        }
        begun.await();
    }

    private static void gone(String what, WeakReference<ClassLoader> bundle) {
        Await.until(
                "the class loader to go after " + what,
                Port.PATIENCE,
                () -> {
                    System.gc();
                    return bundle.get() == null;
                });
    }

    private static WeakReference<ClassLoader> usedAndClosed(Path folder, boolean tls)
            throws Exception {
        // Made first: what the library remembers of its last use shall be of the transport.
        SslContext clientTls = Port.clientTls("client");
        ClassLoader loader = new OwnCopies(UpdatedBundle.class.getClassLoader());
        Class<?> driver = loader.loadClass(Driver.class.getName());
        if (driver == Driver.class) {
            throw new AssertionError("the transport was not loaded anew");
        }
        AutoCloseable running =
                (AutoCloseable)
                        driver.getConstructor(Path.class, boolean.class).newInstance(folder, tls);
        int port = (Integer) driver.getMethod("port").invoke(running);
        ManagedChannel channel = channel(port, tls ? clientTls : null);
        try {
            exercise(channel, running);
        } finally {
            channel.shutdownNow();
        }
        return new WeakReference<>(loader);
    }

    private static ManagedChannel channel(int port, SslContext tls) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress("127.0.0.1", port);
        return (tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build();
    }

    private static void exercise(ManagedChannel channel, AutoCloseable running) throws Exception {
        Metadata alice = Port.metadata("authorization", "Bearer palyra_alice");
        if (!Port.whoAmI(Port.as(channel, "alice")).equals("user:alice")) {
            throw new AssertionError("the call went elsewhere");
        }
        RawCalls.end(channel, GatewayServiceGrpc.getGetRunMethod(), alice, new byte[] {1});
        RawCalls.end(channel, GatewayServiceGrpc.getGetRunMethod(), alice, new byte[100_000]);
        RawCalls.end(channel, GatewayServiceGrpc.getVerifyRunMethod(), alice, new byte[0]);
        try {
            Port.whoAmI(Port.as(channel, "nobody"));
            throw new AssertionError("nobody is somebody");
        } catch (StatusRuntimeException e) {
            // As it should be.
        }
        OpenedStream stream = OpenedStream.as(channel, "alice").echo("one");
        running.close();
        stream.end();
    }

    /** Runs a port, in the class loader that it was loaded by. */
    public static final class Driver implements AutoCloseable {
        private final Port port;

        /** Opens the port. */
        public Driver(Path folder, boolean tls) {
            TestSettings settings = new TestSettings(folder).set("maxMessageBytes", 70_000);
            port = Port.open(tls ? settings.tls("server").clientCa("ca", "wanted") : settings);
        }

        /** Returns where it listens. */
        public int port() {
            return port.address().getPort();
        }

        @Override
        public void close() {
            port.close();
        }
    }

    /** Loads the transport anew and shares everything else. */
    private static final class OwnCopies extends ClassLoader {
        OwnCopies(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? copy(name) : loaded;
            }
        }

        private Class<?> copy(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/') + ".class";
            try (InputStream in = getParent().getResourceAsStream(file)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}

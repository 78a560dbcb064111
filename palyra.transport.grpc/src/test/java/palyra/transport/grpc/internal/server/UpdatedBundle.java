package palyra.transport.grpc.internal.server;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
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
        WeakReference<ClassLoader> bundle = usedAndClosed(folder, false);
        Await.until(
                "the class loader to go",
                Port.PATIENCE,
                () -> {
                    System.gc();
                    return bundle.get() == null;
                });
        System.exit(0);
    }

    private static WeakReference<ClassLoader> usedAndClosed(Path folder, boolean tls)
            throws Exception {
        ClassLoader loader = new OwnCopies(UpdatedBundle.class.getClassLoader());
        Class<?> driver = loader.loadClass(Driver.class.getName());
        if (driver == Driver.class) {
            throw new AssertionError("the transport was not loaded anew");
        }
        AutoCloseable running =
                (AutoCloseable)
                        driver.getConstructor(Path.class, boolean.class).newInstance(folder, tls);
        ManagedChannel channel = channel((Integer) driver.getMethod("port").invoke(running), tls);
        try {
            exercise(channel, running);
        } finally {
            channel.shutdownNow();
        }
        return new WeakReference<>(loader);
    }

    private static ManagedChannel channel(int port, boolean tls) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress("127.0.0.1", port);
        return (tls ? builder.sslContext(Port.clientTls("client")) : builder.usePlaintext())
                .build();
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

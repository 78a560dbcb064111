package palyra.bench.deploy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.launch.Framework;

/** The peer of a drop: the same framework, empty, which is simply told to take a jar. */
final class BareFramework implements AutoCloseable {
    private static final long STOP_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final Framework framework;

    BareFramework(Path cache) throws IOException {
        framework =
                new FrameworkFactory()
                        .newFramework(
                                Map.of(
                                        "org.osgi.framework.storage",
                                        cache.toString(),
                                        "org.osgi.framework.storage.clean",
                                        "onFirstInit",
                                        "org.osgi.framework.system.packages.extra",
                                        "palyra.api.core.ops,palyra.api",
                                        "felix.log.level",
                                        "1"));
        try {
            framework.start();
        } catch (BundleException e) {
            throw new IOException("the framework does not start", e);
        }
    }

    /** Returns how long it takes until the service of the jar is there, in nanoseconds. */
    long take(DroppedJar jar) throws IOException {
        long begin = System.nanoTime();
        try {
            Bundle bundle =
                    framework
                            .getBundleContext()
                            .installBundle(jar.name(), new ByteArrayInputStream(jar.bytes()));
            bundle.start();
            if (bundle.getRegisteredServices() == null) {
                throw new IOException(jar.name() + " offers nothing");
            }
        } catch (BundleException e) {
            throw new IOException(jar.name() + " does not start", e);
        }
        return System.nanoTime() - begin;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try {
            framework.stop();
            framework.waitForStop(STOP_MILLIS);
        } catch (BundleException e) {
            throw new IOException("the framework does not stop", e);
        }
    }
}

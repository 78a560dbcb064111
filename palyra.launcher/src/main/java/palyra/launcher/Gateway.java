package palyra.launcher;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.launch.Framework;

/** The framework and the bundles in it. */
final class Gateway {
    static final long STOP_TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(15);

    private final Framework framework;
    private final AtomicBoolean stopping = new AtomicBoolean();

    Gateway(Map<String, String> properties) {
        this.framework = new FrameworkFactory().newFramework(Map.copyOf(properties));
    }

    /**
     * Result of a start.
     *
     * @param resolution bundles that do not resolve
     * @param failures one sentence for each resolved bundle that did not start
     */
    record Started(Resolution resolution, List<String> failures) {
        Started {
            failures = List.copyOf(failures);
        }
    }

    /**
     * Installs, resolves and starts everything; infrastructure that fails ends the start.
     *
     * @param order in which to start what was installed in the order of {@code items}
     */
    Started start(List<BundleSet.Item> items, UnaryOperator<List<BundleSet.Installed>> order)
            throws LaunchException {
        try {
            Thread logging = Logging.begin();
            framework.init();
            List<BundleSet.Installed> installed =
                    BundleSet.install(framework.getBundleContext(), items);
            Resolution resolution = Resolution.of(framework, installed);
            refuseBrokenInfrastructure(resolution);
            Logging.await(logging);
            framework.start();
            listen();
            return new Started(resolution, BundleStarter.all(order.apply(installed)));
        } catch (BundleException e) {
            throw new LaunchException(
                    ExitCode.BROKEN, "the framework does not start: " + Problems.oneLine(e), e);
        }
    }

    /** A framework drops its listeners when it stops. */
    private void listen() {
        BundleContext context = framework.getBundleContext();
        context.addBundleListener(new StopOrder(context));
        context.addBundleListener(new ClassLocks(context));
        LogRedaction.follow(context);
        FrameworkLog.follow(context);
    }

    private static void refuseBrokenInfrastructure(Resolution resolution) throws LaunchException {
        for (Resolution.Broken broken : resolution.broken()) {
            if (broken.installed().infrastructure()) {
                throw new LaunchException(
                        ExitCode.BROKEN, "the installation is broken: " + broken.sentence());
            }
        }
    }

    BundleContext context() {
        return framework.getBundleContext();
    }

    /** Throws the failure of a look at the framework, unless it is being stopped. */
    void requireStopping(IllegalStateException failure) {
        if (framework.getState() == Bundle.ACTIVE) {
            throw failure;
        }
    }

    /**
     * Waits until the framework stopped for good. An update of the framework or of the api restarts
     * it in this process; its bundles are still installed and start again by themselves.
     */
    void awaitStop() throws LaunchException, InterruptedException {
        try {
            while (framework.waitForStop(0).getType() == FrameworkEvent.STOPPED_UPDATE
                    && !stopping.get()) {
                framework.start();
                listen();
            }
        } catch (BundleException e) {
            throw new LaunchException(
                    ExitCode.BROKEN,
                    "the framework does not start again: " + Problems.oneLine(e),
                    e);
        }
    }

    /** Stops everything and waits; returns false on timeout. */
    boolean stop(long timeoutMillis) throws InterruptedException {
        stopping.set(true);
        try {
            framework.stop();
        } catch (BundleException e) {
            return false;
        }
        return framework.waitForStop(timeoutMillis).getType() != FrameworkEvent.WAIT_TIMEDOUT;
    }
}

package palyra.deploy.internal;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.api.core.ops.Ops;
import palyra.shared.bundles.Health;

/**
 * Checks whether the framework is stable enough for a change: while other components start and
 * stop, a failure could not be attributed to the change. Not thread-safe.
 */
final class FrameworkStability {
    private static final String READY = "(" + Ops.READY + "=true)";
    private static final long UNREST_MILLIS = 10_000;

    private final BundleContext system;
    private final ServiceComponentRuntime runtime;
    private final long readyMillis;
    private final long beganNanos = System.nanoTime();
    private Set<String> before = new TreeSet<>();
    private boolean started;
    private long unrestSinceNanos = System.nanoTime();

    /**
     * @param readyMillis how long to wait for the gateway after a start
     */
    FrameworkStability(BundleContext system, ServiceComponentRuntime runtime, long readyMillis) {
        this.system = system;
        this.runtime = runtime;
        this.readyMillis = readyMillis;
    }

    /** Returns what to wait for, for a message; empty when stable. Call it in every round. */
    Optional<String> waitsFor() {
        Set<String> now = Health.working(runtime);
        boolean still = now.equals(before);
        before = now;
        if (!started && !isReady() && millisSince(beganNanos) < readyMillis) {
            return Optional.of("the start of the gateway to end");
        }
        started = true;
        if (still) {
            unrestSinceNanos = System.nanoTime();
            return Optional.empty();
        }
        return millisSince(unrestSinceNanos) < UNREST_MILLIS
                ? Optional.of("other components to settle")
                : Optional.empty();
    }

    private boolean isReady() {
        try {
            return system.getAllServiceReferences(null, READY) != null;
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}

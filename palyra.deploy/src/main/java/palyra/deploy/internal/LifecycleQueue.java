package palyra.deploy.internal;

import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.shared.bundles.LifecycleLock;

/**
 * Runs steps that need the exclusive right to change bundles, and keeps what the last postponed
 * step waits for. Not thread-safe.
 */
final class LifecycleQueue {
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleQueue.class);

    private final BundleContext system;
    private final Reporter reporter;
    private String waitsFor = "";

    LifecycleQueue(BundleContext system, Reporter reporter) {
        this.system = system;
        this.reporter = reporter;
    }

    /** A step. */
    interface Step {
        /**
         * Runs the step; an exception means that the journal did not accept a record and nothing
         * was changed.
         */
        void run() throws InterruptedException;
    }

    /**
     * Runs a step if that is possible now.
     *
     * @param what description of the step, for users
     * @return whether it ran
     */
    boolean take(String what, Step step) throws InterruptedException {
        Optional<LifecycleLock> turn = LifecycleLock.take(system, "the drop-in folder");
        if (turn.isEmpty()) {
            String owner = LifecycleLock.owner(system).orElse("another change of bundles");
            waitsFor = owner + " to end";
            return false;
        }
        reporter.activityStarted(what);
        try {
            step.run();
            return true;
        } catch (PalyraException e) {
            LOG.debug("{} is postponed until the journal is available.", what, e);
            waitsFor = "the journal, which must hold a record first";
            return false;
        } finally {
            reporter.activityEnded();
            turn.get().close();
        }
    }

    void waitFor(String what) {
        waitsFor = what;
    }

    /** Returns what the last step waits for, for a message; empty when it ran. */
    String waitsFor() {
        return waitsFor;
    }
}

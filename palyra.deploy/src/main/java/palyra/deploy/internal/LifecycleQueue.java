package palyra.deploy.internal;

import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.shared.bundles.LifecycleTurn;

/**
 * Does things that may only be done while nobody else changes bundles, and knows what the last one
 * that could not be done waits for. Used by one thread.
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

    /** Something to do. */
    interface Step {
        /**
         * Does it; an exception means that the journal did not take a record and nothing was done.
         */
        void run() throws InterruptedException;
    }

    /**
     * Does something if it can be done now.
     *
     * @param what what is done, for people
     * @return whether it was
     */
    boolean take(String what, Step step) throws InterruptedException {
        Optional<LifecycleTurn> turn = LifecycleTurn.take(system, "the drop-in folder");
        if (turn.isEmpty()) {
            String owner = LifecycleTurn.owner(system).orElse("another change of bundles");
            waitsFor = owner + " to end";
            return false;
        }
        reporter.begins(what);
        try {
            step.run();
            return true;
        } catch (PalyraException e) {
            LOG.debug("Before {} the journal has to be back.", what, e);
            waitsFor = "the journal, which must hold a record first";
            return false;
        } finally {
            reporter.ends();
            turn.get().close();
        }
    }

    void waitFor(String what) {
        waitsFor = what;
    }

    /** Returns what is waited for, for a sentence; empty when nothing is. */
    String waitsFor() {
        return waitsFor;
    }
}

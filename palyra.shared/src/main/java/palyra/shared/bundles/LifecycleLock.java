package palyra.shared.bundles;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

/**
 * The right to change bundles. Changes run one at a time, whichever bundle makes them: two at once
 * could not tell whose fault a loss is. The right is a service of the framework itself, which
 * outlives every bundle; of several takers the one who registered first has it.
 */
public final class LifecycleLock implements AutoCloseable {
    private static final String OWNER = "palyra.lifecycle.turn";
    private static final long LOOK_MILLIS = 50;

    private final ServiceRegistration<Object> registration;

    private LifecycleLock(ServiceRegistration<Object> registration) {
        this.registration = registration;
    }

    /**
     * Takes the turn if it is free.
     *
     * @param system context of the framework
     * @param owner who takes it and what for, for people
     */
    public static Optional<LifecycleLock> take(BundleContext system, String owner) {
        if (references(system).length > 0) {
            return Optional.empty();
        }
        LifecycleLock turn =
                new LifecycleLock(
                        system.registerService(
                                Object.class,
                                new Object(),
                                FrameworkUtil.asDictionary(Map.of(OWNER, owner))));
        if (turn.isFirst(system)) {
            return Optional.of(turn);
        }
        turn.close();
        return Optional.empty();
    }

    /** Takes the turn, waiting at most {@code millis} for it. */
    public static Optional<LifecycleLock> await(BundleContext system, String owner, long millis)
            throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        Optional<LifecycleLock> turn = take(system, owner);
        while (turn.isEmpty() && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            turn = take(system, owner);
        }
        return turn;
    }

    /** Returns the holder of the turn; empty when it is free. */
    public static Optional<String> owner(BundleContext system) {
        ServiceReference<?>[] references = references(system);
        return references.length == 0
                ? Optional.empty()
                : Optional.of(String.valueOf(references[0].getProperty(OWNER)));
    }

    private boolean isFirst(BundleContext system) {
        long own = id(registration.getReference());
        for (ServiceReference<?> other : references(system)) {
            if (id(other) < own) {
                return false;
            }
        }
        return true;
    }

    private static long id(ServiceReference<?> reference) {
        return (Long) reference.getProperty("service.id");
    }

    private static ServiceReference<?>[] references(BundleContext system) {
        try {
            ServiceReference<?>[] found = system.getAllServiceReferences(null, "(" + OWNER + "=*)");
            return found == null ? new ServiceReference<?>[0] : found;
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            registration.unregister();
        } catch (IllegalStateException e) {
            // The framework has stopped, and the turn with it.
        }
    }
}

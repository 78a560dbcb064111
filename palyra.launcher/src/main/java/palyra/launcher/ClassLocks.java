package palyra.launcher;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleListener;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Works around a memory leak of Felix 7.0.5: the class loader of a bundle records in a map which
 * thread defines a class, and a thread that loses the race for a class leaves its entry there. The
 * entry keeps the thread and the replaced bundle whose code it ran. Removes the entries of ended
 * threads some time after a bundle was replaced.
 */
final class ClassLocks implements BundleListener {
    private static final String FIELD = "m_classLocks";
    private static final long DELAY_SECONDS = 5;

    private final BundleContext context;
    private final ScheduledExecutorService worker =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("palyra-class-locks").factory());

    /** Starts the work for the framework of a context. */
    ClassLocks(BundleContext context) {
        this.context = context;
    }

    /**
     * Removes entries after a delay, and once more later: a thread of the old bundle may end late.
     */
    @Override
    public void bundleChanged(BundleEvent event) {
        switch (event.getType()) {
            case BundleEvent.UPDATED, BundleEvent.UNRESOLVED -> {
                worker.schedule(this::forget, DELAY_SECONDS, TimeUnit.SECONDS);
                worker.schedule(this::forget, 4 * DELAY_SECONDS, TimeUnit.SECONDS);
            }
            default -> {
                // no bundle was replaced
            }
        }
    }

    private void forget() {
        try {
            for (Bundle bundle : context.getBundles()) {
                BundleWiring wiring = bundle.adapt(BundleWiring.class);
                ClassLoader loader = wiring == null ? null : wiring.getClassLoader();
                if (loader != null) {
                    notes(loader).values().removeIf(ClassLocks::isOver);
                }
            }
        } catch (IllegalStateException | ReflectiveOperationException e) {
            // The framework is stopping, or is another version that has no such map.
        }
    }

    private static boolean isOver(Object note) {
        return note instanceof Thread thread && !thread.isAlive();
    }

    private static Map<?, ?> notes(ClassLoader loader) throws ReflectiveOperationException {
        for (Class<?> type = loader.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(FIELD)) {
                    field.setAccessible(true);
                    return (Map<?, ?>) field.get(loader);
                }
            }
        }
        return new HashMap<>();
    }
}

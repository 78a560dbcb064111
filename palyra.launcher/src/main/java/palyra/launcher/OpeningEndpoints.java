package palyra.launcher;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.osgi.framework.AllServiceListener;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceReference;

/**
 * Endpoints that are still being opened. Its listener filter selects these only, so {@link
 * ServiceEvent#MODIFIED_ENDMATCH} removes one.
 */
final class OpeningEndpoints implements AllServiceListener {
    private final Set<ServiceReference<?>> services = new HashSet<>(); // guarded by this

    /** Adds the endpoints that exist before the first event. */
    synchronized void begin(Supplier<ServiceReference<?>[]> present) {
        Collections.addAll(services, present.get());
        notifyAll();
    }

    @Override
    public synchronized void serviceChanged(ServiceEvent event) {
        switch (event.getType()) {
            case ServiceEvent.REGISTERED, ServiceEvent.MODIFIED ->
                    services.add(event.getServiceReference());
            default -> services.remove(event.getServiceReference());
        }
        notifyAll();
    }

    /** Waits until no endpoint is being opened; returns false on timeout. */
    synchronized boolean awaitNone(long timeoutMillis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (!services.isEmpty()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }
}

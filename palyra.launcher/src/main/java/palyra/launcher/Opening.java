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
 * The endpoints that are being opened. Hears events for them alone: of one that is not any more,
 * {@link ServiceEvent#MODIFIED_ENDMATCH}.
 */
final class Opening implements AllServiceListener {
    private final Set<ServiceReference<?>> services = new HashSet<>(); // guarded by this

    /** Takes in those that were there before the first event. */
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

    /** False when the time ran out first. */
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

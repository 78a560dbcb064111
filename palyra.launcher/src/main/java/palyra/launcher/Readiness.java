package palyra.launcher;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;

/**
 * Waits for the service that says the product is ready, and reads the endpoints that services carry
 * as properties. Driven by service events, never by polling.
 */
final class Readiness implements ServiceListener {
    private static final String READY = "(palyra.ready=true)";
    private static final String ENDPOINTS = "(palyra.endpoint.uri=*)";

    private final BundleContext context;
    private final CountDownLatch ready = new CountDownLatch(1);

    private Readiness(BundleContext context) {
        this.context = context;
    }

    static Readiness watch(BundleContext context) {
        Readiness readiness = new Readiness(context);
        try {
            context.addServiceListener(readiness, READY);
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(READY, e);
        }
        if (readiness.references(READY).length > 0) {
            readiness.ready.countDown();
        }
        return readiness;
    }

    @Override
    public void serviceChanged(ServiceEvent event) {
        if (event.getType() == ServiceEvent.REGISTERED
                || event.getType() == ServiceEvent.MODIFIED) {
            ready.countDown();
        }
    }

    /** False when the time ran out first. */
    boolean await(long timeoutMillis) throws InterruptedException {
        return ready.await(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    /** Endpoints by name, sorted; a service without a name goes by its interface's last word. */
    Map<String, String> endpoints() {
        Map<String, String> endpoints = new TreeMap<>();
        for (ServiceReference<?> reference : references(ENDPOINTS)) {
            Object name = reference.getProperty("palyra.endpoint.name");
            Object uri = reference.getProperty("palyra.endpoint.uri");
            endpoints.put(
                    name == null
                            ? "service " + reference.getProperty("service.id")
                            : name.toString(),
                    uri.toString());
        }
        return endpoints;
    }

    void stop() {
        context.removeServiceListener(this);
    }

    private ServiceReference<?>[] references(String filter) {
        try {
            ServiceReference<?>[] found = context.getAllServiceReferences(null, filter);
            return found == null ? new ServiceReference<?>[0] : found;
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(filter, e);
        }
    }
}

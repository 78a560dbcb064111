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
 * Waits for the service that says the product is ready and for endpoints that are being opened, and
 * reads the endpoints that services carry as properties. Driven by service events, never by
 * polling.
 */
final class Readiness implements ServiceListener {
    private static final String READY = "(palyra.ready=true)";
    private static final String ENDPOINTS = "(palyra.endpoint.uri=*)";
    private static final String OPENING = "(palyra.endpoint.state=opening)";
    private static final String FAILED = "(palyra.endpoint.state=failed)";

    private final BundleContext context;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Opening opening = new Opening();

    private Readiness(BundleContext context) {
        this.context = context;
    }

    static Readiness watch(BundleContext context) {
        Readiness readiness = new Readiness(context);
        try {
            context.addServiceListener(readiness, READY);
            context.addServiceListener(readiness.opening, OPENING);
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(READY + OPENING, e);
        }
        if (readiness.references(READY).length > 0) {
            readiness.ready.countDown();
        }
        readiness.opening.begin(() -> readiness.references(OPENING));
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

    /** Waits until every endpoint that is being opened is open or failed; false when one is not. */
    boolean awaitEndpoints(long timeoutMillis) throws InterruptedException {
        return opening.awaitNone(timeoutMillis);
    }

    /** Endpoints by name, sorted. */
    Map<String, String> endpoints() {
        return byName(ENDPOINTS, "palyra.endpoint.uri");
    }

    /** What does not listen, by name, sorted: why it does not. */
    Map<String, String> silent() {
        Map<String, String> silent = byName(FAILED, "palyra.endpoint.problem");
        byName(OPENING, "palyra.endpoint.state")
                .forEach((name, state) -> silent.put(name, "it is still being opened"));
        return silent;
    }

    private Map<String, String> byName(String filter, String property) {
        Map<String, String> values = new TreeMap<>();
        for (ServiceReference<?> reference : references(filter)) {
            Object name = reference.getProperty("palyra.endpoint.name");
            values.put(
                    name == null
                            ? "service " + reference.getProperty("service.id")
                            : name.toString(),
                    String.valueOf(reference.getProperty(property)));
        }
        return values;
    }

    void stop() {
        context.removeServiceListener(this);
        context.removeServiceListener(opening);
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

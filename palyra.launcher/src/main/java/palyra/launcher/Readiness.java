package palyra.launcher;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceEvent;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceReference;

/**
 * Waits until the gateway is ready and its endpoints are open, and reads the endpoints from service
 * properties. Waits for the engine's marker service by events, then polls the readiness checks
 * behind {@code /readyz}, which decide; what they check, such as free space, sends no events.
 */
final class Readiness implements ServiceListener {
    private static final String READY = "(palyra.ready=true)";
    private static final String JUDGE = "(palyra.readiness=judge)";
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;
    private static final String ENDPOINTS = "(palyra.endpoint.uri=*)";
    private static final String OPENING = "(palyra.endpoint.state=opening)";
    private static final String FAILED = "(palyra.endpoint.state=failed)";

    private final BundleContext context;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final OpeningEndpoints opening = new OpeningEndpoints();

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

    /**
     * Waits until the gateway is ready. Returns an empty map then, else the failing checks with
     * their reasons when the time is over.
     */
    Map<String, String> await(long timeoutMillis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        ready.await(timeoutMillis, TimeUnit.MILLISECONDS);
        Map<String, String> failing = notReady();
        long pause = FIRST_PAUSE_MILLIS;
        while (!failing.isEmpty() && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
            failing = notReady();
        }
        return failing;
    }

    /** Without the readiness service the gateway is not ready. */
    private Map<String, String> notReady() {
        for (ServiceReference<?> reference : references(JUDGE)) {
            if (context.getService(reference) instanceof Supplier<?> judge) {
                try {
                    return judged(judge);
                } finally {
                    context.ungetService(reference);
                }
            }
        }
        return Map.of("health", "the bundle palyra.health does not answer");
    }

    /** Its bundle may be on its way out. */
    private static Map<String, String> judged(Supplier<?> judge) {
        try {
            Map<String, String> failing = new LinkedHashMap<>();
            if (judge.get() instanceof Map<?, ?> said) {
                said.forEach((name, why) -> failing.put(name.toString(), why.toString()));
            }
            return failing;
        } catch (RuntimeException | LinkageError e) {
            return Map.of("health", "the bundle palyra.health failed: " + Problems.oneLine(e));
        }
    }

    /** Waits until every endpoint that is being opened is open or failed; false when one is not. */
    boolean awaitEndpoints(long timeoutMillis) throws InterruptedException {
        return opening.awaitNone(timeoutMillis);
    }

    /** Endpoints by name, sorted. */
    Map<String, String> endpoints() {
        return byName(ENDPOINTS, "palyra.endpoint.uri");
    }

    /** Reasons of endpoints that do not listen, by name, sorted. */
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

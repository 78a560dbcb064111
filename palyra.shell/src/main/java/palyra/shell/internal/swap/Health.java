package palyra.shell.internal.swap;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.api.core.ops.Ops;

/**
 * Whether everything that worked before a swap works again: the components, the sorts of services
 * that the bundle offered, the gateway's readiness and what listens.
 */
final class Health {
    private static final String READY = "(" + Ops.READY + "=true)";
    private static final String ENDPOINTS = "(" + Ops.ENDPOINT_URI + "=*)";
    private static final String COMPONENT_NAME = "component.name";
    private static final long LOOK_MILLIS = 50;

    /** What cannot be made may get better, but is not waited for to the end. */
    private static final long FAILURE_MILLIS = 5_000;

    private final Bundle target;
    private final BundleContext system;
    private final ServiceComponentRuntime runtime;
    private final boolean wasActive;
    private final Set<ComponentStates.Key> before;
    private final Set<String> marksBefore;

    /**
     * Takes the measure before the swap.
     *
     * @param system context of the framework, which outlives every bundle
     */
    Health(Bundle target, BundleContext system, ServiceComponentRuntime runtime) {
        this.target = target;
        this.system = system;
        this.runtime = runtime;
        this.wasActive = target.getState() == Bundle.ACTIVE;
        this.before = ComponentStates.read(runtime).good();
        this.marksBefore = marks();
    }

    boolean wasActive() {
        return wasActive;
    }

    /** Waits until nothing is worse than before; returns what still is, empty when all is well. */
    List<String> await(long millis) throws InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            List<String> losses = losses();
            long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            boolean hopeless =
                    waited >= FAILURE_MILLIS
                            && losses.stream().anyMatch(each -> each.endsWith("not be made"));
            if (losses.isEmpty() || waited >= millis || hopeless) {
                return losses;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private List<String> losses() {
        if (wasActive && target.getState() != Bundle.ACTIVE) {
            return List.of(target.getSymbolicName() + " is not active");
        }
        List<String> losses = ComponentStates.read(runtime).worseThan(before, target.getBundleId());
        if (losses.isEmpty()) {
            losses = notMade();
        }
        if (losses.isEmpty()) {
            losses = ComponentStates.read(runtime).worseThan(before, target.getBundleId());
        }
        return losses.isEmpty() ? missingMarks() : losses;
    }

    /** Asks for each service once: a component made on request shows only then that it works. */
    private List<String> notMade() {
        List<String> failed = new ArrayList<>();
        for (ServiceReference<?> reference : registered()) {
            if (system.getService(reference) != null) {
                system.ungetService(reference);
            } else if (reference.getProperty(COMPONENT_NAME) != null) {
                failed.add(reference.getProperty(COMPONENT_NAME) + " could not be made");
            }
        }
        return failed;
    }

    private ServiceReference<?>[] registered() {
        ServiceReference<?>[] references = target.getRegisteredServices();
        return references == null ? new ServiceReference<?>[0] : references;
    }

    private List<String> missingMarks() {
        Set<String> missing = new TreeSet<>(marksBefore);
        missing.removeAll(marks());
        return List.copyOf(missing);
    }

    /** Returns what shows from outside, each as what is said when it is missing. */
    private Set<String> marks() {
        Set<String> marks = new TreeSet<>();
        for (ServiceReference<?> service : registered()) {
            for (String type : (String[]) service.getProperty(Constants.OBJECTCLASS)) {
                // What it offers to itself is its own business.
                if (!type.startsWith(target.getSymbolicName() + ".")) {
                    marks.add(target.getSymbolicName() + " no longer offers " + type);
                }
            }
        }
        if (references(READY).length > 0) {
            marks.add("the gateway is not ready");
        }
        for (ServiceReference<?> endpoint : references(ENDPOINTS)) {
            marks.add("nothing listens as " + endpoint.getProperty(Ops.ENDPOINT_NAME));
        }
        return marks;
    }

    private ServiceReference<?>[] references(String filter) {
        try {
            ServiceReference<?>[] found = system.getAllServiceReferences(null, filter);
            return found == null ? new ServiceReference<?>[0] : found;
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}

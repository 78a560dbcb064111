package palyra.shared.bundles;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.api.core.ops.Ops;

/**
 * Whether everything that worked before a bundle was changed works again: the components, the sorts
 * of services that the bundle offered, the gateway's readiness and what listens. Immutable, for any
 * thread.
 */
public final class Health {
    private static final String READY = "(" + Ops.READY + "=true)";
    private static final String ENDPOINTS = "(" + Ops.ENDPOINT_URI + "=*)";
    private static final String CONFIGURATION = "org.osgi.service.cm.";
    private static final String COMPONENT_NAME = "component.name";
    private static final long LOOK_MILLIS = 50;

    /** A component that failed to activate may recover, but is not waited for to the end. */
    private static final long FAILURE_MILLIS = 5_000;

    /** The same of a bundle that arrives, whose components wait for what is not there yet. */
    private static final long NEW_FAILURE_MILLIS = 500;

    private final Bundle target; // null until it is installed
    private final BundleContext system;
    private final ServiceComponentRuntime runtime;
    private final boolean active;
    private final boolean newMayWait;
    private final ComponentStates states;
    private final Set<ComponentStates.Key> before;
    private final Map<String, Long> marksBefore; // whose bundles gave them
    private final OfferedTypes offered;

    /**
     * Takes the measure before a bundle is swapped for another that is to do all it did.
     *
     * @param system context of the framework, which outlives every bundle
     */
    public Health(Bundle target, BundleContext system, ServiceComponentRuntime runtime) {
        this(target, system, runtime, target.getState() == Bundle.ACTIVE, false);
    }

    private Health(
            Bundle target,
            BundleContext system,
            ServiceComponentRuntime runtime,
            boolean active,
            boolean newMayWait) {
        this.target = target;
        this.system = system;
        this.runtime = runtime;
        this.active = active;
        this.newMayWait = newMayWait;
        this.states = ComponentStates.read(runtime);
        this.before = states.good();
        this.marksBefore = newMayWait ? marksOfOthers() : marks();
        this.offered = OfferedTypes.read(system);
    }

    private Health(Health measure, Bundle target) {
        this.target = target;
        this.system = measure.system;
        this.runtime = measure.runtime;
        this.active = measure.active;
        this.newMayWait = measure.newMayWait;
        this.states = measure.states;
        this.before = measure.before;
        this.marksBefore = measure.marksBefore;
        this.offered = measure.offered;
    }

    /**
     * Takes the measure before a bundle arrives or changes that may offer what it likes: others
     * must go on as before as far as it has to do with them, and it must be active with no
     * component that fails. Its new components may wait for services, since those may come later.
     */
    public static Health ofOthers(BundleContext system, ServiceComponentRuntime runtime) {
        return new Health(null, system, runtime, true, true);
    }

    /**
     * Returns the components that work now, each as a text that is the same as long as it works.
     */
    public static Set<String> working(ServiceComponentRuntime runtime) {
        Set<String> working = new TreeSet<>();
        ComponentStates.read(runtime).good().forEach(key -> working.add(key.text()));
        return working;
    }

    /** Returns the same measure for the bundle that arrived or changed. */
    public Health after(Bundle arrived) {
        return new Health(this, arrived);
    }

    /** Returns whether the bundle has to be active. */
    public boolean wasActive() {
        return active;
    }

    /** Waits until nothing is worse than before; returns what still is, empty when all is well. */
    public List<String> await(long millis) throws InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            List<String> losses = losses();
            long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            boolean hopeless =
                    waited >= (newMayWait ? NEW_FAILURE_MILLIS : FAILURE_MILLIS)
                            && losses.stream()
                                    .anyMatch(each -> each.contains(" could not be made"));
            if (losses.isEmpty() || waited >= millis || hopeless) {
                return losses;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private List<String> losses() {
        if (active && target.getState() != Bundle.ACTIVE) {
            return List.of(target.getSymbolicName() + " is not active");
        }
        List<String> losses = worse(ComponentStates.read(runtime));
        if (losses.isEmpty()) {
            losses = notMade();
        }
        ComponentStates now = ComponentStates.read(runtime);
        if (losses.isEmpty()) {
            losses = worse(now);
        }
        return losses.isEmpty() ? missingMarks(now) : losses;
    }

    private List<String> worse(ComponentStates now) {
        Predicate<ComponentStates.Key> counts = newMayWait ? blame(now)::includes : key -> true;
        return now.worseThan(before, target.getBundleId(), newMayWait, counts);
    }

    /** Returns what the bundle that arrived or changed answers for. */
    private FailureAttribution blame(ComponentStates now) {
        long id = target.getBundleId();
        Set<String> types = new HashSet<>(offered.by(id));
        types.addAll(OfferedTypes.read(system).by(id));
        return new FailureAttribution(before, states, now, id, types);
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

    private List<String> missingMarks(ComponentStates now) {
        Map<String, Long> missing = new TreeMap<>(marksBefore);
        missing.keySet().removeAll((newMayWait ? marksOfOthers() : marks()).keySet());
        if (newMayWait && !missing.isEmpty()) {
            FailureAttribution blame = blame(now);
            missing.values().removeIf(bundle -> !blame.concerns(bundle));
        }
        return List.copyOf(missing.keySet());
    }

    /** Returns the externally visible signs of health, each as the message for its absence. */
    private Map<String, Long> marks() {
        Map<String, Long> marks = marksOfOthers();
        for (ServiceReference<?> service : registered()) {
            for (String type : (String[]) service.getProperty(Constants.OBJECTCLASS)) {
                // What it offers to itself is its own business; and the component runtime takes
                // configurations in its name only as long as there are some.
                if (!type.startsWith(target.getSymbolicName() + ".")
                        && !type.startsWith(CONFIGURATION)) {
                    marks.put(
                            target.getSymbolicName() + " no longer offers " + type,
                            target.getBundleId());
                }
            }
        }
        return marks;
    }

    private Map<String, Long> marksOfOthers() {
        Map<String, Long> marks = new TreeMap<>();
        for (ServiceReference<?> ready : references(READY)) {
            marks.put("the gateway is not ready", OfferedTypes.bundleId(ready));
        }
        for (ServiceReference<?> endpoint : references(ENDPOINTS)) {
            marks.put(
                    "nothing listens as " + endpoint.getProperty(Ops.ENDPOINT_NAME),
                    OfferedTypes.bundleId(endpoint));
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

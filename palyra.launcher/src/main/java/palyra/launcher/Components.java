package palyra.launcher;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;

/**
 * The state of the declarative services, read by reflection: the launcher shares no class with the
 * bundle that implements them.
 *
 * @param active components that are active, or would be on request
 * @param total components that should be active
 * @param problems one sentence for each that is not active
 * @param optional components that wait for a configuration
 */
record Components(int active, int total, List<String> problems, List<String> optional) {
    private static final String RUNTIME =
            "org.osgi.service.component.runtime.ServiceComponentRuntime";
    private static final int UNSATISFIED_CONFIGURATION = 1;
    private static final int UNSATISFIED_REFERENCE = 2;
    private static final int SATISFIED = 4;
    private static final int ACTIVE = 8;
    private static final String CAUSE = "Caused by: ";

    Components {
        problems = List.copyOf(problems);
        optional = List.copyOf(optional);
    }

    static Components read(BundleContext context) {
        ServiceReference<?> reference = runtime(context);
        if (reference == null) {
            return none("no declarative services: the component runtime is not running");
        }
        try {
            Object runtime = context.getService(reference);
            return runtime == null
                    ? none("the component runtime went away")
                    : read(runtime, reference.getBundle().loadClass(RUNTIME));
        } catch (ReflectiveOperationException e) {
            return none("the state of the components cannot be read: " + Problems.oneLine(e));
        } finally {
            context.ungetService(reference);
        }
    }

    /** Any version of the service: it is used by reflection only. */
    private static ServiceReference<?> runtime(BundleContext context) {
        try {
            ServiceReference<?>[] found = context.getAllServiceReferences(RUNTIME, null);
            return found == null ? null : found[0];
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException("no filter at all", e);
        }
    }

    private static Components none(String problem) {
        return new Components(0, 0, List.of(problem), List.of());
    }

    private static Components read(Object runtime, Class<?> api)
            throws ReflectiveOperationException {
        Method descriptions = method(api, "getComponentDescriptionDTOs");
        Method configurations = method(api, "getComponentConfigurationDTOs");
        Tally tally = new Tally();
        Object noBundles =
                Array.newInstance(descriptions.getParameterTypes()[0].getComponentType(), 0);
        for (Object description : (Collection<?>) descriptions.invoke(runtime, noBundles)) {
            tally.add(description, (Collection<?>) configurations.invoke(runtime, description));
        }
        return tally.result();
    }

    private static Method method(Class<?> api, String name) throws NoSuchMethodException {
        for (Method method : api.getMethods()) {
            if (method.getName().equals(name)) {
                return method;
            }
        }
        throw new NoSuchMethodException(name);
    }

    private static Object field(Object dto, String name) throws ReflectiveOperationException {
        return dto.getClass().getField(name).get(dto);
    }

    /** Counts while the descriptions are walked. */
    private static final class Tally {
        private int active;
        private int total;
        private final List<String> problems = new ArrayList<>();
        private final List<String> optional = new ArrayList<>();

        void add(Object description, Collection<?> configurations)
                throws ReflectiveOperationException {
            String name = (String) field(description, "name");
            if (configurations.isEmpty()) {
                boolean enabled = (Boolean) field(description, "defaultEnabled");
                optional.add(enabled ? name : name + " (disabled)");
            }
            for (Object configuration : configurations) {
                count(name, description, configuration);
            }
        }

        private void count(String name, Object description, Object configuration)
                throws ReflectiveOperationException {
            int state = (Integer) field(configuration, "state");
            if (state == UNSATISFIED_CONFIGURATION) {
                optional.add(name);
                return;
            }
            total++;
            if (state == ACTIVE || state == SATISFIED) {
                active++;
            } else if (state == UNSATISFIED_REFERENCE) {
                problems.add(name + " waits for " + missing(description, configuration));
            } else {
                problems.add(name + " failed to activate: " + failure(configuration));
            }
        }

        private static String missing(Object description, Object configuration)
                throws ReflectiveOperationException {
            List<String> wanted = new ArrayList<>();
            Object[] unsatisfied = (Object[]) field(configuration, "unsatisfiedReferences");
            Object[] references = (Object[]) field(description, "references");
            for (Object reference : unsatisfied) {
                wanted.add(service((String) field(reference, "name"), references, reference));
            }
            return String.join(" and ", wanted);
        }

        private static String service(String name, Object[] references, Object unsatisfied)
                throws ReflectiveOperationException {
            Object target = field(unsatisfied, "target");
            String suffix = target == null ? "" : " with " + target;
            for (Object reference : references) {
                if (field(reference, "name").equals(name)) {
                    return "a service " + field(reference, "interfaceName") + suffix;
                }
            }
            return "its reference " + name + suffix;
        }

        private static String failure(Object configuration) throws ReflectiveOperationException {
            String text = (String) field(configuration, "failure");
            return text == null || text.isBlank() ? "no reason was given" : reason(text);
        }

        /** The innermost cause: outside of it is only how the runtime called the constructor. */
        private static String reason(String trace) {
            return trace.lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith(CAUSE))
                    .reduce((first, second) -> second)
                    .map(line -> line.substring(CAUSE.length()))
                    .orElseGet(() -> trace.strip().lines().findFirst().orElse(""));
        }

        Components result() {
            problems.sort(null);
            optional.sort(null);
            return new Components(active, total, problems, optional);
        }
    }
}

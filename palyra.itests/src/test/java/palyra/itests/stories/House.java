package palyra.itests.stories;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import palyra.itests.Wait;
import palyra.itests.process.CommandClient;

/** The framework that a story runs in. */
final class House {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final BundleContext context;

    private House(BundleContext context) {
        this.context = context;
    }

    /** Returns the house around the caller, once it is ready for messages. */
    static House ready() throws Exception {
        House house = here();
        house.awaitReady();
        return house;
    }

    /** Returns the house around the caller as it is. */
    static House here() {
        return new House(FrameworkUtil.getBundle(House.class).getBundleContext());
    }

    BundleContext context() {
        return context;
    }

    void awaitReady() throws Exception {
        Wait.until(
                "palyra.ready",
                PATIENCE,
                () -> isReady() && isListening() && isConfigured(),
                () -> String.join("\n", notActive()));
    }

    boolean isReady() {
        return references("(palyra.ready=true)").length > 0;
    }

    private boolean isListening() {
        return references("(palyra.endpoint.name=commands)").length > 0
                && references("(palyra.endpoint.name=http)").length > 0
                && references("(palyra.endpoint.state=opening)").length == 0;
    }

    /**
     * Here bundles are resolved one by one: the watcher of configurations learns of a PID at its
     * next look, twice a second.
     */
    private boolean isConfigured() throws Exception {
        return !client().run("doctor")
                .out()
                .contains("palyra.transport.grpc: no bundle declares PID");
    }

    ServiceReference<?>[] references(String filter) {
        try {
            ServiceReference<?>[] found = context.getAllServiceReferences(null, filter);
            return found == null ? new ServiceReference<?>[0] : found;
        } catch (InvalidSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    Path state() {
        return Path.of(context.getProperty("palyra.state"));
    }

    CommandClient client() {
        return new CommandClient(state().resolve("run/command.sock"));
    }

    String http() {
        return references("(palyra.endpoint.name=http)")[0]
                .getProperty("palyra.endpoint.uri")
                .toString();
    }

    /** Calls a service that is there, or comes within a minute, and lets it go again. */
    <S, R> R with(Class<S> type, Function<S, R> what) throws Exception {
        Wait.until(
                "a service " + type.getName(),
                PATIENCE,
                () -> context.getServiceReference(type) != null,
                () -> "");
        ServiceReference<S> reference = context.getServiceReference(type);
        try {
            return what.apply(context.getService(reference));
        } finally {
            context.ungetService(reference);
        }
    }

    Bundle bundle(String name) {
        return Arrays.stream(context.getBundles())
                .filter(bundle -> name.equals(bundle.getSymbolicName()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("not installed: " + name));
    }

    /** Returns our bundles that are installed here. */
    List<String> ours() {
        return Arrays.stream(context.getBundles())
                .map(Bundle::getSymbolicName)
                .filter(name -> name != null && name.startsWith("palyra."))
                .sorted()
                .toList();
    }

    /**
     * A component as it is now.
     *
     * @param id changes when the component comes again with its bundle
     * @param service id of its service, which changes whenever it was not satisfied for a while; 0
     *     when it offers none
     */
    record Component(String bundle, String name, int state, long id, long service, String trouble) {
        boolean isUp() {
            return state == ComponentConfigurationDTO.ACTIVE
                    || state == ComponentConfigurationDTO.SATISFIED;
        }

        private Component used() {
            return new Component(
                    bundle, name, ComponentConfigurationDTO.ACTIVE, id, service, trouble);
        }
    }

    /** As {@link #components}, whether or not somebody uses one that is made when it is used. */
    Map<String, Component> standing() throws Exception {
        Map<String, Component> all = components();
        all.replaceAll((name, one) -> one.isUp() ? one.used() : one);
        return all;
    }

    /** Returns our components by name; one without a configuration yet has state 0. */
    Map<String, Component> components() throws Exception {
        return with(ServiceComponentRuntime.class, House::components);
    }

    private static Map<String, Component> components(ServiceComponentRuntime runtime) {
        Map<String, Component> found = new TreeMap<>();
        for (ComponentDescriptionDTO description : runtime.getComponentDescriptionDTOs()) {
            String bundle = description.bundle.symbolicName;
            if (bundle.startsWith("palyra.") || bundle.startsWith("story.")) {
                Collection<ComponentConfigurationDTO> all =
                        runtime.getComponentConfigurationDTOs(description);
                // one that needs a configuration is off until somebody writes it
                if (all.isEmpty() && !description.configurationPolicy.equals("require")) {
                    found.put(
                            description.name, new Component(bundle, description.name, 0, 0, 0, ""));
                }
                for (ComponentConfigurationDTO one : all) {
                    found.put(
                            description.name,
                            new Component(
                                    bundle,
                                    description.name,
                                    one.state,
                                    one.id,
                                    one.service == null ? 0 : one.service.id,
                                    one.failure == null ? "" : one.failure));
                }
            }
        }
        return found;
    }

    /** Returns the components that are up. */
    Set<String> up() throws Exception {
        Set<String> names = new TreeSet<>();
        components().values().stream()
                .filter(Component::isUp)
                .forEach(component -> names.add(component.name()));
        return names;
    }

    /** Returns what is not as it should be, one line each. */
    List<String> notActive() {
        try {
            return components().values().stream()
                    .filter(component -> !component.isUp())
                    .map(Component::toString)
                    .toList();
        } catch (Exception e) {
            return List.of(e.toString());
        }
    }

    /** Felix gives way, after the content is in, when somebody else resolves at the same moment. */
    static void update(Bundle bundle, InputStream jar) throws BundleException {
        long before = bundle.getLastModified();
        try {
            bundle.update(jar);
        } catch (BundleException e) {
            if (bundle.getLastModified() == before) {
                throw e;
            }
            bundle.start();
        }
    }
}

package palyra.shell.internal.felix;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.felix.service.command.CommandProcessor;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.api.command.Command;
import palyra.shared.bundles.ComponentFailures;

/** Offers Felix's commands while Gogo's runtime, which knows how to call them, is there. */
@Component(
        service = {},
        immediate = true)
public final class FelixCommands {
    private final List<ServiceRegistration<Command>> offered = new ArrayList<>();

    /** Offers them. */
    @Activate
    public FelixCommands(
            @Reference CommandProcessor processor,
            @Reference ServiceComponentRuntime runtime,
            BundleContext context) {
        BundleConverter bundles = new BundleConverter(context);
        Function<Bundle, List<String>> failures = bundle -> failures(runtime, context, bundle);
        for (FelixVerb verb : FelixVerb.ALL) {
            offered.add(
                    context.registerService(
                            Command.class,
                            new FelixCommand(verb, processor, bundles, failures),
                            null));
        }
    }

    /** Asks for each service once: a component made on request shows only then that it fails. */
    static List<String> failures(
            ServiceComponentRuntime runtime, BundleContext context, Bundle bundle) {
        ServiceReference<?>[] services = bundle.getRegisteredServices();
        if (services != null) {
            for (ServiceReference<?> service : services) {
                context.getService(service);
                context.ungetService(service);
            }
        }
        return ComponentFailures.of(runtime, bundle);
    }

    @Deactivate
    void withdraw() {
        offered.forEach(ServiceRegistration::unregister);
    }
}

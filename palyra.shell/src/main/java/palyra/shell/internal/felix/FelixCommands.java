package palyra.shell.internal.felix;

import java.util.ArrayList;
import java.util.List;
import org.apache.felix.service.command.CommandProcessor;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;

/** Offers Felix's commands while Gogo's runtime, which knows how to call them, is there. */
@Component(
        service = {},
        immediate = true)
public final class FelixCommands {
    private final List<ServiceRegistration<Command>> offered = new ArrayList<>();

    /** Offers them. */
    @Activate
    public FelixCommands(@Reference CommandProcessor processor, BundleContext context) {
        BundleConverter bundles = new BundleConverter(context);
        for (FelixVerb verb : FelixVerb.ALL) {
            offered.add(
                    context.registerService(
                            Command.class, new FelixCommand(verb, processor, bundles), null));
        }
    }

    @Deactivate
    void withdraw() {
        offered.forEach(ServiceRegistration::unregister);
    }
}

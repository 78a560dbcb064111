package palyra.gateway.internal.command;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.ErrorCode;
import palyra.api.command.Command;
import palyra.api.core.journal.Journal;
import palyra.api.model.ModelProvider;
import palyra.gateway.internal.settings.EngineConfiguration;
import palyra.gateway.internal.settings.ModelTarget;
import palyra.gateway.internal.settings.SettingsSeam;
import palyra.shared.gate.Gate;
import palyra.shared.model.ProviderState;

/** Offers the commands about models and budgets. */
@Component(
        name = "palyra.gateway.commands",
        configurationPid = "palyra.gateway",
        service = {},
        immediate = true)
public final class ModelCommandsComponent {
    /** How long a command waits for the journal while it is away: longer than a swap takes. */
    private static final long WAIT_MILLIS = 10_000;

    private final Gate<Journal> journal =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, WAIT_MILLIS);
    private final List<? extends ServiceRegistration<?>> registrations;

    /** Called by the component runtime. */
    @Activate
    public ModelCommandsComponent(
            BundleContext context,
            EngineConfiguration configuration,
            @Reference SettingsSeam seam) {
        CommandServices services =
                new CommandServices(
                        seam,
                        journal,
                        target -> isPresent(context, target),
                        target -> state(context, target),
                        () -> providers(context),
                        configuration.currency());
        registrations =
                List.of(
                                new ModelsListCommand(services),
                                new BudgetsListCommand(services),
                                new BudgetsShowCommand(services))
                        .stream()
                        .map(
                                command ->
                                        context.registerService(
                                                Command.class,
                                                command,
                                                FrameworkUtil.asDictionary(Map.of())))
                        .toList();
    }

    private static boolean isPresent(BundleContext context, ModelTarget target) {
        try {
            return !context.getServiceReferences(
                            ModelProvider.class,
                            "(" + ModelProvider.ID_PROPERTY + "=" + target.provider() + ")")
                    .isEmpty();
        } catch (InvalidSyntaxException e) {
            return false; // names of providers have no character that a filter minds
        }
    }

    private static List<String> providers(BundleContext context) {
        try {
            return context.getServiceReferences(ModelProvider.class, null).stream()
                    .map(one -> one.getProperty(ModelProvider.ID_PROPERTY))
                    .filter(String.class::isInstance)
                    .map(String.class::cast)
                    .distinct()
                    .sorted()
                    .toList();
        } catch (InvalidSyntaxException e) {
            return List.of(); // there is no filter
        }
    }

    /** Providers over HTTP offer it as a service of the JDK's type: no class need be shared. */
    private static Map<String, String> state(BundleContext context, ModelTarget target) {
        try {
            for (ServiceReference<?> one :
                    context.getServiceReferences(
                            Supplier.class,
                            "(" + ProviderState.SERVICE_PROPERTY + "=" + target.provider() + ")")) {
                if (context.getService(one) instanceof Supplier<?> supplier
                        && supplier.get() instanceof Map<?, ?> words) {
                    Map<String, String> state = new TreeMap<>();
                    words.forEach((k, v) -> state.put(String.valueOf(k), String.valueOf(v)));
                    context.ungetService(one);
                    return state;
                }
            }
        } catch (InvalidSyntaxException e) {
            return Map.of(); // as above
        }
        return Map.of();
    }

    @Deactivate
    void stop() {
        registrations.forEach(ServiceRegistration::unregister);
    }

    @Reference(
            service = Journal.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindJournal")
    void bindJournal(Journal service, Map<String, Object> properties) {
        journal.add(service, properties);
    }

    void unbindJournal(Journal service) {
        journal.remove(service);
    }
}

package palyra.config.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleListener;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceListener;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.log.LogReaderService;
import org.osgi.service.metatype.MetaTypeService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.command.Command;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.shared.files.DropInFolder;
import palyra.shared.gate.Gate;

/**
 * Connects the watcher to the framework. Registers its services only after the first poll, so that
 * no component requests one while Configuration Admin, called from the activation, restarts
 * components.
 */
@Component(
        service = {},
        immediate = true,
        configurationPolicy = ConfigurationPolicy.IGNORE)
public final class ConfigurationComponent {
    private static final String SHIPPED = "palyra.conf.shipped";
    private static final String OPERATOR = "palyra.conf";
    private static final String OVERRIDES = "palyra.conf.overrides";

    /**
     * Service property of the finding source, a {@code String[]} in order: the PIDs ({@code pid} or
     * {@code pid~name}) in force. The service appears only after the first poll was applied, so a
     * component that needs its configuration can wait for it.
     */
    private static final String IN_FORCE = "palyra.configuration.inForce";

    /** Property of its finding source: targets of which something is refused. */
    private static final String REFUSED = "palyra.config.refused";

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationComponent.class);
    private static final long POLL_MILLIS = 500;
    private static final String PROVIDERS = "(|(metatype.pid=*)(metatype.factory.pid=*))";

    private final BundleContext context;
    private final Gate<Journal> journal =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final MetatypeCatalogue catalogue;
    private final ChangeRecorder recorder;
    private final ConfigurationWatcher watcher;
    private final BundleListener onBundle;
    private final ServiceListener onProvider;
    private final List<ServiceRegistration<?>> registrations = new ArrayList<>();

    /** Called by the component runtime. */
    @Activate
    public ConfigurationComponent(
            BundleContext context,
            @Reference ConfigurationAdmin admin,
            @Reference MetaTypeService metatype) {
        this.context = context;
        catalogue = new MetatypeCatalogue(metatype, () -> Arrays.asList(context.getBundles()));
        recorder = new ChangeRecorder(journal);
        watcher =
                new ConfigurationWatcher(
                        folders(context),
                        dropState(context),
                        Overrides.parse(context.getProperty(OVERRIDES)),
                        catalogue,
                        new AdminConfigurationSink(admin),
                        recorder,
                        POLL_MILLIS);
        onBundle = this::bundleChanged;
        onProvider = event -> catalogue.providersChanged();
    }

    private static List<ConfigurationFolder> folders(BundleContext context) {
        List<ConfigurationFolder> folders = new ArrayList<>();
        add(folders, Layer.SHIPPED, context.getProperty(SHIPPED), LastGood.NONE);
        Optional<Path> kept = state(context).map(state -> state.resolve(DropInFolder.LAST_GOOD));
        add(folders, Layer.OPERATOR, context.getProperty(OPERATOR), new LastGood(kept));
        return folders;
    }

    /** In safe mode the gateway ignores the drop-in folder. */
    private static Optional<Path> dropState(BundleContext context) {
        boolean safe = Boolean.parseBoolean(context.getProperty(Ops.SAFE_MODE));
        return safe ? Optional.empty() : state(context);
    }

    private static Optional<Path> state(BundleContext context) {
        String state = context.getProperty(Ops.STATE_FOLDER);
        return state == null || state.isBlank() ? Optional.empty() : Optional.of(Path.of(state));
    }

    private static void add(
            List<ConfigurationFolder> folders, Layer layer, String path, LastGood lastGood) {
        if (path != null && !path.isBlank()) {
            folders.add(new ConfigurationFolder(layer, Path.of(path), lastGood));
        }
    }

    /** Called by the component runtime. */
    @Activate
    public void activate() throws InvalidSyntaxException {
        context.addBundleListener(onBundle);
        context.addServiceListener(onProvider, PROVIDERS);
        watcher.start();
        ConfigurationReport report = new ConfigurationReport(watcher, recorder::waiting);
        ServiceRegistration<?> reporting =
                register(
                        List.of(FindingSource.class, MetricSource.class, LoopSource.class),
                        report,
                        inForce());
        watcher.onDecision(() -> publishInForce(reporting));
        publishInForce(reporting); // decisions since the registration
        register(List.of(Command.class), new ConfigListCommand(watcher));
        register(List.of(Command.class), new ConfigShowCommand(watcher));
        register(List.of(Command.class), new ConfigCheckCommand(watcher));
    }

    private void register(List<Class<?>> types, Object service) {
        register(types, service, Map.of());
    }

    private ServiceRegistration<?> register(
            List<Class<?>> types, Object service, Map<String, Object> properties) {
        String[] names = types.stream().map(Class::getName).toArray(String[]::new);
        ServiceRegistration<?> registration =
                context.registerService(names, service, FrameworkUtil.asDictionary(properties));
        registrations.add(registration);
        return registration;
    }

    private Map<String, Object> inForce() {
        ConfigurationView view = watcher.view();
        return Map.of(
                IN_FORCE,
                view.settings().keySet().stream().map(Target::toString).toArray(String[]::new),
                REFUSED,
                view.problems().stream()
                        .filter(problem -> problem.severity() == Finding.Severity.ERROR)
                        .map(Problem::target)
                        .filter(target -> !target.isEmpty())
                        .distinct()
                        .toArray(String[]::new));
    }

    private void publishInForce(ServiceRegistration<?> registration) {
        Map<String, Object> properties = inForce();
        try {
            boolean changed =
                    properties.entrySet().stream()
                            .anyMatch(
                                    entry ->
                                            !Arrays.equals(
                                                    (String[])
                                                            registration
                                                                    .getReference()
                                                                    .getProperty(entry.getKey()),
                                                    (String[]) entry.getValue()));
            if (changed) {
                registration.setProperties(FrameworkUtil.asDictionary(properties));
            }
        } catch (IllegalStateException e) {
            LOG.debug("The bundle is being stopped.", e);
        }
    }

    /** Called by the component runtime. */
    @Deactivate
    public void deactivate() {
        registrations.forEach(ServiceRegistration::unregister);
        context.removeServiceListener(onProvider);
        context.removeBundleListener(onBundle);
        watcher.stop();
    }

    private void bundleChanged(BundleEvent event) {
        int relevant = BundleEvent.RESOLVED | BundleEvent.UNRESOLVED | BundleEvent.STARTED;
        if ((event.getType() & (relevant | BundleEvent.UPDATED | BundleEvent.UNINSTALLED)) != 0) {
            catalogue.bundlesChanged();
        }
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindRuntime(ServiceComponentRuntime service) {
        watcher.outcomes().add(service);
    }

    /** Called by the component runtime. */
    public void unbindRuntime(ServiceComponentRuntime service) {
        watcher.outcomes().remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindLog(LogReaderService service) {
        service.addLogListener(watcher.outcomes());
    }

    /** Called by the component runtime. */
    public void unbindLog(LogReaderService service) {
        service.removeLogListener(watcher.outcomes());
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindJournal(Journal service, Map<String, ?> properties) {
        journal.add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindJournal(Journal service) {
        journal.remove(service);
    }
}

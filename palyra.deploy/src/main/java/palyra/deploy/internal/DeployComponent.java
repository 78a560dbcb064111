package palyra.deploy.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleListener;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.command.Command;
import palyra.api.core.access.Access;
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.shared.files.DropInFolder;
import palyra.shared.gate.Gate;

/**
 * Connects the deploy thread to the framework. Activation and deactivation change no bundle:
 * deployed bundles stay installed when this bundle is updated.
 */
@Component(
        service = {},
        immediate = true,
        configurationPid = DropInFolder.PID)
@Designate(ocd = DeployConfiguration.class)
public final class DeployComponent {
    private static final Logger LOG = LoggerFactory.getLogger(DeployComponent.class);

    /** How long a command waits for an absent service: longer than a swap takes. */
    private static final long COMMAND_MILLIS = 10_000;

    private static final long READY_MILLIS = TimeUnit.SECONDS.toMillis(20);

    private final BundleContext context;
    private final Path state;
    private final boolean safeMode;
    private final Gate<Journal> journal =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<Journal> patientJournal =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, COMMAND_MILLIS);
    private final Gate<Access> access =
            new Gate<>("access control", ErrorCode.POLICY_UNAVAILABLE, COMMAND_MILLIS);
    private final Reporter reporter;
    private final DeployLoop loop;
    private final DeployThread watch;
    private final BundleListener onBundle;
    private final List<ServiceRegistration<?>> registrations = new ArrayList<>();

    /** Called by the component runtime. */
    @Activate
    public DeployComponent(
            BundleContext context,
            @Reference ServiceComponentRuntime runtime,
            DeployConfiguration configuration) {
        this.context = context;
        this.state = Path.of(property(Ops.STATE_FOLDER)).toAbsolutePath().normalize();
        this.safeMode = Boolean.parseBoolean(property(Ops.SAFE_MODE));
        BundleContext system =
                context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getBundleContext();
        int startLevel = context.getBundle().adapt(BundleStartLevel.class).getStartLevel();
        BundleInstaller installer = new BundleInstaller(system, runtime, startLevel);
        this.reporter = new Reporter(installer);
        this.loop =
                new DeployLoop(
                        system,
                        new PinStore(journal, access),
                        new DeployJournal(journal, property(Ops.BOOT_ID)),
                        installer,
                        new JarStore(state),
                        new FrameworkStability(system, runtime, READY_MILLIS),
                        reporter);
        this.watch = new DeployThread(loop, settings(configuration));
        this.onBundle = loop::bundleChanged;
    }

    private String property(String name) {
        return Objects.toString(context.getProperty(name), "");
    }

    private DeploySettings settings(DeployConfiguration configuration) {
        return DeploySettings.of(configuration, state, safeMode);
    }

    /** Called by the component runtime. */
    @Activate
    public void activate() {
        PinStore pins = new PinStore(patientJournal, access);
        Supplier<List<String>> configured = () -> watch.settings().pins();
        register(List.of(FindingSource.class, MetricSource.class), new DeployReport(reporter));
        LoopSource loops = () -> List.of(watch.loop());
        register(List.of(LoopSource.class), loops);
        register(List.of(Command.class), new DeployListCommand(reporter));
        register(List.of(Command.class), new DeployStatusCommand(reporter));
        register(List.of(Command.class), new DeployPinCommand(reporter, pins, watch::pinsChanged));
        register(
                List.of(Command.class),
                new DeployUnpinCommand(pins, configured, watch::pinsChanged));
        register(List.of(Command.class), new DeployPinsCommand(reporter, pins, configured));
        register(List.of(Command.class), checks(pins));
        context.addBundleListener(onBundle);
        journal.onArrival(service -> watch.pinsChanged());
        watch.start();
    }

    private DeployCheckCommand checks(PinStore pins) {
        Path folder = context.getDataFile("check").toPath();
        try {
            DeployCheckCommand.tidy(folder);
        } catch (IOException e) {
            LOG.warn("Copies of checked jars in {} could not be removed", folder, e);
        }
        return new DeployCheckCommand(pins, watch::settings, folder);
    }

    private void register(List<Class<?>> types, Object service) {
        String[] names = types.stream().map(Class::getName).toArray(String[]::new);
        registrations.add(
                context.registerService(names, service, FrameworkUtil.asDictionary(Map.of())));
    }

    /** Called by the component runtime. */
    @Modified
    public void modified(DeployConfiguration configuration) {
        watch.configure(settings(configuration));
    }

    /** Called by the component runtime. */
    @Deactivate
    public void deactivate() {
        watch.stop();
        context.removeBundleListener(onBundle);
        registrations.forEach(ServiceRegistration::unregister);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindJournal(Journal service, Map<String, ?> properties) {
        journal.add(service, properties);
        patientJournal.add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindJournal(Journal service) {
        journal.remove(service);
        patientJournal.remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindAccess(Access service, Map<String, ?> properties) {
        access.add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindAccess(Access service) {
        access.remove(service);
    }
}

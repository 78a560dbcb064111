package palyra.sandbox.internal.wiring;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.Require;
import palyra.api.command.Command;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressProxies;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.ops.Readiness;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.WorkspaceFiles;
import palyra.api.core.tools.EnvironmentSource;
import palyra.api.tool.Tool;
import palyra.sandbox.internal.run.SandboxConfiguration;
import palyra.sandbox.internal.run.SandboxSettings;

/** Ties sandboxed commands to the framework; what it does lives in {@link SandboxParts}. */
@Component(
        service = {},
        immediate = true,
        configurationPid = SandboxConfiguration.PID)
@Designate(ocd = SandboxConfiguration.class)
public final class RunnerComponent {
    /** Framework property: folder of workspaces; the configuration goes before it. */
    static final String WORKSPACES = "palyra.workspaces";

    /** Property of tools: grows when their descriptions may have changed. */
    private static final String DESCRIBED = "palyra.tool.described";

    private final BundleContext context;
    private final Path state;
    private final SandboxParts parts;
    private int described; // the component runtime calls one at a time
    private final List<ServiceRegistration<?>> registrations = new ArrayList<>();
    private final List<ServiceRegistration<?>> tools = new ArrayList<>();

    /** Called by the component runtime. */
    @Activate
    public RunnerComponent(BundleContext context, SandboxConfiguration configuration) {
        this.context = context;
        this.state =
                Path.of(Require.text(property(Ops.STATE_FOLDER), Ops.STATE_FOLDER))
                        .toAbsolutePath()
                        .normalize();
        this.parts = new SandboxParts(settings(configuration), gatewayFolders(), System.getenv());
    }

    private String property(String name) {
        return Objects.toString(context.getProperty(name), "");
    }

    private SandboxSettings settings(SandboxConfiguration configuration) {
        String given = property(WORKSPACES);
        Path beside = state.resolveSibling(state.getFileName() + "-workspaces");
        return SandboxSettings.from(configuration, given.isBlank() ? beside : Path.of(given));
    }

    private List<Path> gatewayFolders() {
        Set<Path> folders = new LinkedHashSet<>();
        folders.add(state);
        String home = property(Ops.HOME_FOLDER);
        if (!home.isBlank()) {
            folders.add(Path.of(home).toAbsolutePath().normalize());
        }
        return List.copyOf(folders);
    }

    /** Called by the component runtime. */
    @Activate
    public void activate() {
        parts.begin();
        parts.tools().forEach(tool -> tools.add(register(List.of(Tool.class), tool)));
        parts.commands().forEach(command -> register(List.of(Command.class), command));
        register(List.of(FindingSource.class, MetricSource.class), parts.report());
        register(List.of(EnvironmentSource.class), parts.environment());
        register(List.of(WorkspaceFiles.class), parts.files());
        LoopSource loops = parts::loops;
        register(List.of(LoopSource.class), loops);
    }

    private ServiceRegistration<?> register(List<Class<?>> types, Object service) {
        String[] names = types.stream().map(Class::getName).toArray(String[]::new);
        ServiceRegistration<?> registration =
                context.registerService(names, service, FrameworkUtil.asDictionary(Map.of()));
        registrations.add(registration);
        return registration;
    }

    /** Called by the component runtime. */
    @Modified
    public void modified(SandboxConfiguration configuration) {
        parts.use(settings(configuration));
        Map<String, Object> version = Map.of(DESCRIBED, ++described);
        tools.forEach(tool -> tool.setProperties(FrameworkUtil.asDictionary(version)));
    }

    /** Called by the component runtime. */
    @Deactivate
    public void deactivate() {
        registrations.forEach(ServiceRegistration::unregister);
        parts.close();
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindBackend(SandboxBackend service, Map<String, ?> properties) {
        parts.backends().add(service, properties);
    }

    /** Called by the component runtime; returns when nothing of the backend runs any more. */
    public void unbindBackend(SandboxBackend service) {
        parts.backends().remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindAccess(Access service, Map<String, ?> properties) {
        parts.access().add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindAccess(Access service) {
        parts.access().remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindJournal(Journal service, Map<String, ?> properties) {
        parts.journal().add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindJournal(Journal service) {
        parts.journal().remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindKeys(Keys service, Map<String, ?> properties) {
        parts.keys().add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindKeys(Keys service) {
        parts.keys().remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindProxies(EgressProxies service, Map<String, ?> properties) {
        parts.proxies().add(service, properties);
    }

    /** Called by the component runtime, before the proxies are closed. */
    public void unbindProxies(EgressProxies service) {
        parts.withdraw(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindFolders(FolderCalls service, Map<String, ?> properties) {
        parts.folders().add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindFolders(FolderCalls service) {
        parts.folders().remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            updated = "putEndpoint",
            unbind = "removeEndpoint")
    public void putEndpoint(Endpoint service, Map<String, ?> properties) {
        parts.ownPorts().put(service, properties);
    }

    /** Called by the component runtime. */
    public void removeEndpoint(Endpoint service) {
        parts.ownPorts().remove(service);
    }

    /**
     * Called by the component runtime: what only has to be done soon no longer delays the start.
     */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            target = "(" + Ops.READY + "=true)")
    public void bindReadiness(Readiness service) {
        parts.gatewayIsUp();
    }

    /** Called by the component runtime. */
    public void unbindReadiness(Readiness service) {
        // what has begun goes on
    }
}

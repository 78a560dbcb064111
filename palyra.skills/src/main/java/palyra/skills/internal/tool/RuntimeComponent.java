package palyra.skills.internal.tool;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
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
import palyra.api.channel.Connector;
import palyra.api.command.Command;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.core.vault.Vault;
import palyra.api.core.wasm.WasmEngine;
import palyra.api.tool.Tool;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.model.SkillPreparation;
import palyra.skills.internal.model.SkillRemoval;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.trycommand.OperatorCommands;

/** The OSGi component of the skill runtime, whose logic is in {@link RuntimeParts}. */
@Component(
        service = {},
        immediate = true,
        configurationPid = RuntimeConfiguration.PID)
@Designate(ocd = RuntimeConfiguration.class)
public final class RuntimeComponent {
    private final BundleContext context;
    private final ActiveSkills skills;
    private final RuntimeParts parts;
    private final List<ServiceRegistration<?>> registrations = new ArrayList<>();
    private AutoCloseable watching; // of activation and deactivation, which the runtime keeps apart

    /** Called by the component runtime. */
    @Activate
    public RuntimeComponent(
            BundleContext context,
            RuntimeConfiguration configuration,
            @Reference ActiveSkills skills) {
        this.context = context;
        this.skills = skills;
        Path state =
                Path.of(
                                Require.text(
                                        Objects.toString(context.getProperty(Ops.STATE_FOLDER), ""),
                                        Ops.STATE_FOLDER))
                        .toAbsolutePath()
                        .normalize();
        this.parts = new RuntimeParts(skills, state, settings(configuration), this::offer);
    }

    private static RunSettings settings(RuntimeConfiguration configuration) {
        return new RunSettings(
                configuration.engine(),
                configuration.engineWaitMillis(),
                configuration.stopMillis());
    }

    private Runnable offer(Tool tool, int ranking) {
        Dictionary<String, Object> properties =
                FrameworkUtil.asDictionary(Map.of(Constants.SERVICE_RANKING, ranking));
        ServiceRegistration<Tool> registration =
                context.registerService(Tool.class, tool, properties);
        return registration::unregister;
    }

    /** Called by the component runtime. */
    @Activate
    public void activate() {
        register(List.of(FindingSource.class, MetricSource.class, LoopSource.class), parts);
        register(List.of(SkillRemoval.class), (SkillRemoval) parts.storage()::forget);
        register(List.of(SkillPreparation.class), (SkillPreparation) parts.callService()::prepare);
        OperatorCommands.all(
                        skills,
                        parts.callService(),
                        new OperatorCommands.Recording(
                                parts.journal(), parts.keys(), parts.values()),
                        GatewayVersion.of(context.getBundle().getVersion().toString()),
                        parts.settings())
                .forEach(command -> register(List.of(Command.class), command));
        watching = skills.watch(active -> parts.refresh());
        parts.refresh();
    }

    private void register(List<Class<?>> types, Object service) {
        String[] names = types.stream().map(Class::getName).toArray(String[]::new);
        registrations.add(
                context.registerService(names, service, FrameworkUtil.asDictionary(Map.of())));
    }

    /** Called by the component runtime. */
    @Modified
    public void modified(RuntimeConfiguration configuration) {
        parts.use(settings(configuration));
    }

    /** Called by the component runtime. */
    @Deactivate
    public void deactivate() throws Exception {
        watching.close();
        registrations.forEach(ServiceRegistration::unregister);
        parts.close();
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindEngine(WasmEngine service, Map<String, ?> properties) {
        parts.engines().add(service, properties);
    }

    /** Called by the component runtime; returns when no start is under way on the engine. */
    public void unbindEngine(WasmEngine service) {
        parts.engines().remove(service);
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
    public void bindVault(Vault service, Map<String, ?> properties) {
        parts.vault().add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindVault(Vault service) {
        parts.vault().remove(service);
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
    public void bindEgress(EgressClient service, Map<String, ?> properties) {
        parts.egress().add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindEgress(EgressClient service) {
        parts.egress().remove(service);
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
    public void bindConnector(Connector service) {
        parts.connectors().add(service);
    }

    /** Called by the component runtime. */
    public void unbindConnector(Connector service) {
        parts.connectors().remove(service);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindKnownSecrets(KnownSecrets service, Map<String, ?> properties) {
        parts.values().add(service, properties);
    }

    /** Called by the component runtime. */
    public void unbindKnownSecrets(KnownSecrets service) {
        parts.values().remove(service);
    }
}

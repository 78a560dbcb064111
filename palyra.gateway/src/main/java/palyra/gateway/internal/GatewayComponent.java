package palyra.gateway.internal;

import java.util.ArrayList;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
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
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.ConcurrencyLimits;
import palyra.api.core.gateway.Intake;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.ops.Readiness;
import palyra.api.core.tools.EnvironmentSource;
import palyra.api.core.tools.ToolExecutor;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.model.ModelProvider;
import palyra.api.run.ResolvedSession;
import palyra.api.run.SessionQuery;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.gateway.internal.agents.Agents;
import palyra.gateway.internal.budget.BudgetMeter;
import palyra.gateway.internal.engine.EngineHost;
import palyra.gateway.internal.engine.turn.AgentPrompt;
import palyra.gateway.internal.engine.turn.ModelObstacle;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineConfiguration;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.gateway.internal.settings.SettingsSeam;

/**
 * The gateway as a component: binds the seams, keeps an engine going, and offers intake, agents and
 * metrics. Nothing it refers to restarts it; all may come and go.
 */
@Component(
        name = "palyra.gateway",
        configurationPid = "palyra.gateway",
        immediate = true,
        service = {
            Intake.class,
            ConcurrencyLimits.class,
            MetricSource.class,
            FindingSource.class,
            LoopSource.class
        })
@Designate(ocd = EngineConfiguration.class)
public final class GatewayComponent
        implements Intake,
                ConcurrencyLimits,
                MetricSource,
                FindingSource,
                LoopSource,
                EngineHost.ReadyListener {
    private final BundleContext context;
    private final AtomicReference<EngineSettings> settings;
    private final SettingsSeam models;
    private final BudgetMeter budgets = new BudgetMeter();
    private final Services services;
    private final Agents agents;
    private final EngineHost host;
    private ServiceRegistration<Readiness> readiness; // engine thread only
    private ServiceRegistration<AgentRegistry> registry; // engine thread only

    /** Creates the component; nothing is waited for. */
    @Activate
    public GatewayComponent(
            BundleContext context,
            EngineConfiguration configuration,
            @Reference SettingsSeam models) {
        this.context = context;
        this.settings = new AtomicReference<>(EngineSettings.from(configuration));
        this.models = models;
        this.services = Services.unbound(models::now, budgets);
        services.vault().require();
        switchOff(configuration);
        this.agents =
                new Agents(
                        services.journal(),
                        new Agents.Offers(
                                services.tools()::catalogue,
                                services.models()::ids,
                                agent ->
                                        ModelObstacle.of(
                                                agent,
                                                models.now(),
                                                settings.get(),
                                                services.models()::isPresent),
                                (agent, principal) ->
                                        AgentPrompt.of(
                                                services, settings.get(), agent, principal)));
        String boot =
                context.getProperty(Ops.BOOT_ID) == null
                        ? "unknown-boot"
                        : context.getProperty(Ops.BOOT_ID);
        this.host =
                new EngineHost(
                        services,
                        agents,
                        settings::get,
                        boot + "/gateway-" + services.ids().next(),
                        this,
                        models::missing);
    }

    /** Begins to look for the journal. */
    @Activate
    void start() {
        host.start();
    }

    /** Takes new settings; a bad value is refused and the old settings stay. */
    @Modified
    void modified(EngineConfiguration configuration) {
        settings.set(EngineSettings.from(configuration));
        switchOff(configuration);
    }

    private void switchOff(EngineConfiguration configuration) {
        services.secrets().redactor().switchOff(List.of(configuration.secretShapesOff()));
    }

    /** Leaves every run at its last record. */
    @Deactivate
    void stop() {
        host.close();
    }

    @Reference(
            service = Journal.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindJournal")
    void bindJournal(Journal service, Map<String, Object> properties) {
        services.journal().add(service, properties);
    }

    void unbindJournal(Journal service) {
        services.journal().remove(service);
    }

    @Reference(
            service = LiveFeed.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindLiveFeed")
    void bindLiveFeed(LiveFeed service, Map<String, Object> properties) {
        services.feed().add(service, properties);
    }

    void unbindLiveFeed(LiveFeed service) {
        services.feed().remove(service);
    }

    @Reference(
            service = Access.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindAccess")
    void bindAccess(Access service, Map<String, Object> properties) {
        services.access().add(service, properties);
    }

    void unbindAccess(Access service) {
        services.access().remove(service);
    }

    @Reference(
            service = Keys.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindKeys")
    void bindKeys(Keys service, Map<String, Object> properties) {
        services.keys().add(service, properties);
    }

    void unbindKeys(Keys service) {
        services.keys().remove(service);
    }

    @Reference(
            service = KnownSecrets.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindKnownSecrets")
    void bindKnownSecrets(KnownSecrets service, Map<String, Object> properties) {
        services.vault().add(service, properties);
    }

    void unbindKnownSecrets(KnownSecrets service) {
        services.vault().remove(service);
    }

    @Reference(
            service = ModelProvider.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindModelProvider")
    void bindModelProvider(ModelProvider service, Map<String, Object> properties) {
        services.models().add(service, properties);
    }

    void unbindModelProvider(ModelProvider service, Map<String, Object> properties) {
        services.models().remove(service, properties);
    }

    @Reference(
            service = ToolExecutor.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindToolExecutor")
    void bindToolExecutor(ToolExecutor service, Map<String, Object> properties) {
        services.tools().add(service, properties);
    }

    void unbindToolExecutor(ToolExecutor service) {
        services.tools().remove(service);
    }

    @Reference(
            service = EnvironmentSource.class,
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "unbindEnvironment")
    void bindEnvironment(EnvironmentSource service, Map<String, Object> properties) {
        services.environment().add(service, properties);
    }

    void unbindEnvironment(EnvironmentSource service) {
        services.environment().remove(service);
    }

    @Override
    public Submission accept(InboxRow inbox, SubmittedMessage message, List<Operation> records) {
        return host.router().accept(inbox, message, records);
    }

    @Override
    public ResolvedSession resolveSession(
            String principal, SessionQuery query, List<Operation> records) {
        return host.router().resolveSession(principal, query, records);
    }

    @Override
    public void limit(Map<String, Integer> mostRuns) {
        host.limits().limit(mostRuns);
    }

    @Override
    public int activeRuns() {
        return host.activeRuns();
    }

    @Override
    public List<Setback> setbacks() {
        return host.setbacks();
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(
                Metric.gauge(
                        "palyra_gateway_active_runs", "Runs being worked on.", host.activeRuns()));
        metrics.add(
                Metric.counter(
                        "palyra_gateway_started_runs_total",
                        "Workers started since the engine began.",
                        (double) host.startedRuns()));
        metrics.add(
                Metric.gauge(
                        "palyra_gateway_run_memory_bytes",
                        "Bytes of memory that runs hold.",
                        (double) services.memory().used()));
        metrics.add(
                Metric.gauge(
                        "palyra_gateway_run_memory_limit_bytes",
                        "Bytes that all runs together may hold.",
                        (double) memoryLimit()));
        metrics.addAll(services.approvals().metrics());
        metrics.addAll(StuckRuns.metrics(host.setbacks()));
        host.openQuestions().ifPresent(metrics::add);
        metrics.addAll(budgets.metrics());
        return metrics;
    }

    private long memoryLimit() {
        return settings.get().memory().totalBytes();
    }

    @Override
    public List<LoopView> loops() {
        return host.loops();
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(budgets.findings(models.now()));
        host.beganWithout()
                .filter(absent -> models.missing().isPresent())
                .ifPresent(absent -> findings.add(unconfigured(absent)));
        host.waitsFor().ifPresent(sentence -> findings.add(waiting(sentence)));
        findings.addAll(StuckRuns.findings(services.journal(), host.setbacks()));
        findings.addAll(
                ModelFindings.of(
                        agents.obstacles(),
                        services.models().waits().all(),
                        services.models()::isPresent));
        StuckRuns.memory(services.memory().use(), memoryLimit()).ifPresent(findings::add);
        agents.damage()
                .forEach(
                        damage ->
                                findings.add(
                                        new Finding(
                                                Finding.Severity.ERROR,
                                                "gateway",
                                                damage,
                                                "Messages to that agent are refused until then; the"
                                                        + " other agents go on.")));
        return findings;
    }

    private static Finding waiting(String sentence) {
        return new Finding(
                Finding.Severity.ERROR,
                "gateway",
                "The engine is not open. It waits: " + sentence,
                "It tries again by itself.");
    }

    private static Finding unconfigured(String absent) {
        return new Finding(
                Finding.Severity.WARNING,
                "gateway",
                "The engine started without " + absent + ", after waiting for it.",
                "Budgets, prices and profiles of those files have no effect. Look at the log and at"
                        + " palyra config list.");
    }

    @Override
    public void ready() {
        long since = System.nanoTime();
        Dictionary<String, Object> properties =
                FrameworkUtil.asDictionary(Map.of(Ops.READY, Boolean.TRUE));
        registry = context.registerService(AgentRegistry.class, agents, null);
        readiness =
                context.registerService(
                        Readiness.class, () -> (System.nanoTime() - since) / 1_000_000, properties);
    }

    @Override
    public void notReady() {
        unregister(readiness);
        readiness = null;
        unregister(registry);
        registry = null;
    }

    /** The bundle's stop may have unregistered it first. */
    private static void unregister(ServiceRegistration<?> registration) {
        if (registration == null) {
            return; // becoming ready failed before it
        }
        try {
            registration.unregister();
        } catch (IllegalStateException e) {
            return;
        }
    }
}

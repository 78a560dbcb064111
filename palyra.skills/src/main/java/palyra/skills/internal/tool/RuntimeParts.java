package palyra.skills.internal.tool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.vault.Vault;
import palyra.api.core.wasm.WasmEngineView;
import palyra.api.tool.Tool;
import palyra.shared.gate.Gate;
import palyra.shared.sealed.VaultValues;
import palyra.shared.vault.SecretLender;
import palyra.skills.internal.host.Denials;
import palyra.skills.internal.host.FileStorage;
import palyra.skills.internal.host.HostSeams;
import palyra.skills.internal.host.SkillStorage;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.run.Engines;
import palyra.skills.internal.run.ModuleAdmission;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.run.SkillRunner;

/** Creates and connects the parts of the skill runtime, without OSGi. Thread-safe. */
final class RuntimeParts implements FindingSource, MetricSource, LoopSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RuntimeParts.class);
    private static final long WAIT_MILLIS = 10_000;

    private final Gate<Access> access =
            new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, WAIT_MILLIS);
    private final Gate<Vault> vault =
            new Gate<>("The vault", ErrorCode.KEYS_UNAVAILABLE, WAIT_MILLIS);
    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, WAIT_MILLIS);
    private final Gate<Keys> keys =
            new Gate<>("The boot key store", ErrorCode.KEYS_UNAVAILABLE, WAIT_MILLIS);
    private final VaultValues values = new VaultValues(WAIT_MILLIS);
    private final Gate<EgressClient> egress =
            new Gate<>("Egress", ErrorCode.TOOL_UNAVAILABLE, WAIT_MILLIS);
    private final List<Connector> connectors = new CopyOnWriteArrayList<>();
    private final ActiveSkills skills;
    private final Engines engines = new Engines();
    private final SkillStorage storage;
    private final SkillRunner runner;
    private final SkillCallService calls;
    private final SkillToolbox toolbox;
    private volatile RunSettings settings;

    /**
     * Creates the parts.
     *
     * @param state folder of the state
     * @param registrar registers a tool with a service ranking; what it returns unregisters it
     */
    RuntimeParts(
            ActiveSkills skills,
            Path state,
            RunSettings settings,
            BiFunction<Tool, Integer, Runnable> registrar) {
        this.skills = skills;
        this.settings = settings;
        storage = new FileStorage(state);
        runner = new SkillRunner(engines, new ModuleAdmission(), () -> this.settings);
        calls =
                new SkillCallService(
                        runner,
                        new HostSeams(
                                this::egressNow,
                                new SecretLender(access, vault),
                                access,
                                journal,
                                storage,
                                new Denials(journal),
                                this::capabilities),
                        access);
        toolbox = new SkillToolbox(skills, calls, registrar);
    }

    /** A request takes longer than a lease may last; a client that leaves cuts its connections. */
    private EgressClient egressNow() {
        return egress.call(present -> present);
    }

    private Optional<ConnectorCapabilities> capabilities(String channel) {
        return connectors.stream()
                .filter(one -> one.id().toString().equals(channel))
                .findFirst()
                .map(Connector::capabilities);
    }

    void use(RunSettings changed) {
        settings = changed;
    }

    /** Offers the tools of the skills that are active now, and stops the calls of all others. */
    void refresh() {
        runner.keepOnly(skills.active());
        toolbox.use(skills::active);
    }

    SkillCallService callService() {
        return calls;
    }

    Supplier<RunSettings> settings() {
        return () -> settings;
    }

    Gate<Access> access() {
        return access;
    }

    Gate<Vault> vault() {
        return vault;
    }

    Gate<Journal> journal() {
        return journal;
    }

    Gate<Keys> keys() {
        return keys;
    }

    VaultValues values() {
        return values;
    }

    Gate<EgressClient> egress() {
        return egress;
    }

    List<Connector> connectors() {
        return connectors;
    }

    Engines engines() {
        return engines;
    }

    SkillStorage storage() {
        return storage;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(toolbox.findings());
        List<WasmEngineView> views = engines.views();
        for (WasmEngineView view : views) {
            if (!view.ready()) {
                findings.add(
                        new Finding(
                                view.id().equals(settings.engine())
                                        ? Finding.Severity.WARNING
                                        : Finding.Severity.INFO, // chosen for single skills only
                                "skills",
                                "The WebAssembly engine " + view.id() + " takes no calls.",
                                view.reason()));
            }
        }
        String usual = settings.engine();
        boolean none = views.stream().noneMatch(view -> view.id().equals(usual));
        if (none && toolbox.size() > 0) {
            findings.add(
                    new Finding(
                            Finding.Severity.ERROR,
                            "skills",
                            "Skills offer tools, but the engine " + usual + " is not available.",
                            "Start its bundle, or name another one in "
                                    + RuntimeConfiguration.PID
                                    + "."));
        }
        return findings;
    }

    @Override
    public List<LoopView> loops() {
        return List.of(toolbox.loop());
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(
                Metric.gauge(
                        "palyra_skill_calls_running",
                        "Running calls of skills.",
                        runner.running()));
        metrics.add(
                Metric.gauge("palyra_skill_tools", "Tools of skills on offer.", toolbox.size()));
        return metrics;
    }

    /**
     * Takes the tools back, which gives their calls a moment, then stops the rest. Calls are run
     * until their tool is gone: one that was started a moment before must not fail.
     */
    @Override
    public void close() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.stopMillis());
        Thread leaving =
                Thread.ofPlatform().name("palyra-skills-stop").daemon().start(toolbox::close);
        join(leaving, settings.stopMillis());
        runner.close(Math.max(0, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        join(leaving, WAIT_MILLIS);
    }

    private static void join(Thread thread, long millis) {
        try {
            thread.join(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

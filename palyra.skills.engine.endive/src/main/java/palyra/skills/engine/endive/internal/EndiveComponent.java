package palyra.skills.engine.endive.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.Metric.Type;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEngine;
import palyra.api.core.wasm.WasmEngineView;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.files.MediumFailure;
import palyra.shared.worker.TierBSeam;
import palyra.skills.engine.endive.internal.code.CompileService;
import palyra.skills.engine.endive.internal.code.ConfinedCompilerStarter;
import palyra.skills.engine.endive.internal.code.DiskCache;
import palyra.skills.engine.endive.internal.code.ReopeningCache;
import palyra.skills.engine.endive.internal.code.SealedFolder;
import run.endive.wasm.Version;

/**
 * Offers Endive as a service. Without a state folder, or with one that cannot be written, it works
 * without compiled code on disk and says so. A changed configuration makes a new engine.
 */
@Component(
        name = "palyra.skills.engine.endive",
        service = {WasmEngine.class, FindingSource.class, MetricSource.class, LoopSource.class},
        property = WasmEngine.ID + "=" + EndiveEngine.ID,
        configurationPid = EndiveConfiguration.PID,
        immediate = true)
@Designate(ocd = EndiveConfiguration.class)
public final class EndiveComponent implements WasmEngine, FindingSource, MetricSource, LoopSource {
    private static final Logger LOG = LoggerFactory.getLogger(EndiveComponent.class);
    private static final String AREA = "wasm endive";
    private static final String FOLDER = "wasm-cache";

    /** Version of the cache's entries; rises when their format changes. */
    private static final String FORMAT = "/2";

    /** Longest wait of a compilation for a sandbox that still probes the host. */
    private static final long SANDBOX_MILLIS = 10_000;

    private final EndiveEngine engine;
    private final Path folder; // null when nothing is to be kept
    private final ReopeningCache disk;
    private final TierBSeam seam = new TierBSeam();
    private final ConfinedCompilerStarter compiler;

    /** Starts with nothing compiled. */
    @Activate
    public EndiveComponent(BundleContext context, EndiveConfiguration configuration) {
        EndiveSettings settings = EndiveSettings.from(configuration);
        String version = Version.version();
        String state = context.getProperty(Ops.STATE_FOLDER);
        this.folder = folder(state, settings);
        this.disk = disk(folder, settings, version);
        this.compiler =
                new ConfinedCompilerStarter(
                        seam,
                        new CompilerProgram(state, context.getBundle()),
                        settings.compile(),
                        SANDBOX_MILLIS);
        this.engine = new EndiveEngine(settings, disk, compiler, version);
        seam.onLeave(engine::leaveSandbox);
    }

    /** Takes a sandbox into choice. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "removeBackend")
    void addBackend(SandboxBackend backend, Map<String, ?> properties) {
        seam.add(backend, properties);
    }

    /** Removes a backend, and restarts the compilations that it confines. */
    void removeBackend(SandboxBackend backend) {
        seam.remove(backend);
    }

    private static ReopeningCache disk(Path folder, EndiveSettings settings, String version) {
        ReopeningCache cache =
                new ReopeningCache(
                        () ->
                                folder == null
                                        ? DiskCache.NONE
                                        : new SealedFolder(
                                                folder,
                                                version + FORMAT,
                                                settings.diskCacheBytes()));
        cache.problem()
                .ifPresent(
                        e ->
                                LOG.warn(
                                        "No compiled modules are kept in {} for now: {}",
                                        folder,
                                        MediumFailure.sentence(e, folder)));
        return cache;
    }

    /** Null when nothing is to be kept. */
    private static Path folder(String state, EndiveSettings settings) {
        return settings.diskCacheBytes() == 0 || state == null || state.isBlank()
                ? null
                : Path.of(state).resolve(FOLDER);
    }

    /** Ends all calls; waits for at most two seconds. */
    @Deactivate
    void close() {
        engine.close();
    }

    @Override
    public WasmEngineView view() {
        return engine.view();
    }

    @Override
    public void prepare(WasmModule module) {
        engine.prepare(module);
    }

    @Override
    public void start(WasmCall call, WasmHost host, Consumer<WasmResult> sink) {
        engine.start(call, host, sink);
    }

    @Override
    public void cancel(String callId) {
        engine.cancel(callId);
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        findings.add(new Finding(Severity.INFO, AREA, compiler.sentence(), ""));
        disk.problem()
                .ifPresent(
                        e ->
                                findings.add(
                                        new Finding(
                                                Severity.WARNING,
                                                AREA,
                                                "No compiled modules are kept in "
                                                        + folder
                                                        + " for now: "
                                                        + MediumFailure.sentence(e, folder)
                                                        + ".",
                                                "It is retried automatically. Free space, let the"
                                                        + " gateway's user write that folder, or set"
                                                        + " diskCacheBytes of "
                                                        + EndiveConfiguration.PID
                                                        + " to 0.")));
        if (disk.counts().refused() > 0) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            AREA,
                            disk.counts().refused()
                                    + " entries of wasm-cache failed authentication as written by this"
                                    + " gateway; they were removed and not used.",
                            "Find out which program writes to the state folder; after an update of Palyra"
                                    + " this is expected once."));
        }
        return findings;
    }

    @Override
    public List<LoopView> loops() {
        return List.of(engine.loop());
    }

    @Override
    public List<Metric> metrics() {
        CompileService.Counts code = engine.counts();
        DiskCache.Counts kept = disk.counts();
        WasmEngineView view = engine.view();
        return List.of(
                gauge("palyra_wasm_calls_running", "Running calls of modules.", view.running()),
                gauge(
                        "palyra_wasm_pages_reserved",
                        "Memory pages that running calls hold.",
                        engine.pages()),
                gauge("palyra_wasm_modules_compiled", "Modules in memory.", view.compiled()),
                gauge("palyra_wasm_code_bytes", "Bytes of compiled modules.", code.weight()),
                counter("palyra_wasm_compiles_total", "Compiled modules.", code.compiled()),
                counter(
                        "palyra_wasm_compiles_refused_total",
                        "Modules refused because compiling them exceeds the limits.",
                        code.refused()),
                counter("palyra_wasm_evictions_total", "Modules dropped.", code.evicted()),
                counter(
                        "palyra_wasm_functions_interpreted_total",
                        "Functions too large to compile.",
                        code.interpreted()),
                counter("palyra_wasm_disk_hits_total", "Modules loaded from disk.", kept.hits()),
                counter(
                        "palyra_wasm_disk_refused_total",
                        "Disk cache entries that failed authentication.",
                        kept.refused()),
                counter(
                        "palyra_wasm_disk_problems_total",
                        "Reads and writes of the disk cache that failed.",
                        kept.problems()));
    }

    private static Metric gauge(String name, String help, double value) {
        return metric(name, help, Type.GAUGE, value);
    }

    private static Metric counter(String name, String help, double value) {
        return metric(name, help, Type.COUNTER, value);
    }

    private static Metric metric(String name, String help, Type type, double value) {
        return new Metric(name, help, type, Map.of("engine", EndiveEngine.ID), value);
    }
}

package palyra.skills.engine.wasmtime.internal;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
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
import palyra.shared.worker.TierBSeam;
import palyra.skills.engine.wasmtime.internal.gateway.TierBWorkerStarter;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeEngine;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeSettings;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;

/**
 * Offers wasmtime as a service. Nothing is written and no process started before the first call; a
 * changed configuration makes a new engine.
 */
@Component(
        name = "palyra.skills.engine.wasmtime",
        service = {WasmEngine.class, FindingSource.class, MetricSource.class, LoopSource.class},
        property = WasmEngine.ID + "=" + WasmtimeEngine.ID,
        configurationPid = WasmtimeConfiguration.PID,
        immediate = true)
@Designate(ocd = WasmtimeConfiguration.class)
public final class WasmtimeComponent
        implements WasmEngine, FindingSource, MetricSource, LoopSource {
    private static final String FOLDER = "wasmtime-worker";
    private static final String VERSION = "Palyra-Wasmtime";
    private static final String AREA = "wasm wasmtime";

    private final TierBSeam seam = new TierBSeam();
    private final WasmtimeEngine engine;
    private final boolean enabled;

    /** Starts without a worker. */
    @Activate
    public WasmtimeComponent(BundleContext context, WasmtimeConfiguration configuration) {
        String state = context.getProperty(Ops.STATE_FOLDER);
        if (state == null || state.isBlank()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The framework property "
                            + Ops.STATE_FOLDER
                            + " names no state folder; start the gateway with palyra up.");
        }
        WasmtimeSettings settings = settings(configuration);
        String version = context.getBundle().getHeaders("").get(VERSION);
        this.enabled = settings.enabled();
        this.engine =
                new WasmtimeEngine(
                        settings,
                        new WorkerFiles(
                                Path.of(state).resolve(FOLDER),
                                new BundleFiles(context.getBundle())),
                        new TierBWorkerStarter(seam, settings, version),
                        version);
        seam.onLeave(engine::leaveSandbox);
    }

    private static WasmtimeSettings settings(WasmtimeConfiguration configuration) {
        return new WasmtimeSettings(
                configuration.enabled(),
                configuration.maxConcurrentCalls(),
                configuration.maxPages(),
                configuration.memoryBytes(),
                TimeUnit.MINUTES.toMillis(configuration.idleMinutes()),
                Set.of(configuration.permitMissing()));
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

    /** Takes it out of choice, and ends the worker that it confines. */
    void removeBackend(SandboxBackend backend) {
        seam.remove(backend);
    }

    /** Ends all calls and the worker; waits for at most two seconds. */
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
        WasmEngineView view = engine.view();
        String worker = engine.worker();
        if (!view.ready() && enabled) {
            return List.of(new Finding(Severity.INFO, AREA, view.reason(), ""));
        }
        return worker.isEmpty()
                ? List.of()
                : List.of(
                        new Finding(
                                Severity.INFO,
                                AREA,
                                "Trusted skills run on wasmtime "
                                        + view.version()
                                        + " in a process of its own, under "
                                        + worker
                                        + ".",
                                ""));
    }

    @Override
    public List<LoopView> loops() {
        return List.of(engine.loop());
    }

    @Override
    public List<Metric> metrics() {
        Map<String, String> labels = Map.of("engine", WasmtimeEngine.ID);
        return List.of(
                new Metric(
                        "palyra_wasm_calls_running",
                        "Running calls of modules.",
                        Type.GAUGE,
                        labels,
                        engine.view().running()),
                new Metric(
                        "palyra_wasm_worker_deaths_total",
                        "Workers that died.",
                        Type.COUNTER,
                        labels,
                        engine.deaths()));
    }
}

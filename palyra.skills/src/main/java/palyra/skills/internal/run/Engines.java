package palyra.skills.internal.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEngine;
import palyra.api.core.wasm.WasmEngineView;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.gate.Gate;

/**
 * The seam to engines, one gate for each id. A lease lasts for a start, never for a call: the
 * engine owns its running calls and says how each ended. Thread-safe.
 */
public final class Engines {
    private final ConcurrentMap<String, Gate<WasmEngine>> gates = new ConcurrentSkipListMap<>();

    /** Adds an engine. */
    public void add(WasmEngine engine, Map<String, ?> properties) {
        gate(Objects.toString(properties.get(WasmEngine.ID), engine.view().id()))
                .add(engine, properties);
    }

    /** Removes an engine; returns when no start is in progress on it. */
    public void remove(WasmEngine engine) {
        gates.values().forEach(gate -> gate.remove(engine));
    }

    private Gate<WasmEngine> gate(String id) {
        return gates.computeIfAbsent(
                id,
                each ->
                        new Gate<>(
                                "The WebAssembly engine '" + each + "'",
                                ErrorCode.TOOL_UNAVAILABLE,
                                0));
    }

    /**
     * Throws TOOL_UNAVAILABLE unless an engine of that id is there or was there: only then it is
     * worth waiting for.
     */
    void requireKnown(String id) {
        if (!gates.containsKey(id)) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "WebAssembly engine not found: '"
                            + id
                            + "'; there are "
                            + gates.keySet()
                            + ".");
        }
    }

    /**
     * Returns how an engine is doing.
     *
     * @param waitMillis how long to wait for one that is being replaced
     * @throws PalyraException TOOL_UNAVAILABLE when no engine has that id
     */
    WasmEngineView view(String id, long waitMillis) {
        try (Gate.Lease<WasmEngine> lease = gate(id).lease(waitMillis)) {
            return lease.service().view();
        }
    }

    /**
     * Starts a call; the engine that took it is returned.
     *
     * @throws PalyraException as {@link WasmEngine#start}, and TOOL_UNAVAILABLE without an engine
     */
    WasmEngine start(
            String id, long waitMillis, WasmCall call, WasmHost host, Consumer<WasmResult> sink) {
        try (Gate.Lease<WasmEngine> lease = gate(id).lease(waitMillis)) {
            lease.service().start(call, host, sink);
            return lease.service();
        }
    }

    /**
     * Compiles a module. No lease is held meanwhile: an engine that stops throws.
     *
     * @throws PalyraException as {@link WasmEngine#prepare}, and TOOL_UNAVAILABLE without an engine
     */
    void prepare(String id, long waitMillis, WasmModule module) {
        WasmEngine engine;
        try (Gate.Lease<WasmEngine> lease = gate(id).lease(waitMillis)) {
            engine = lease.service();
        }
        engine.prepare(module);
    }

    /** Returns how each engine that is there now is doing. */
    public List<WasmEngineView> views() {
        List<WasmEngineView> views = new ArrayList<>();
        for (Gate<WasmEngine> gate : gates.values()) {
            if (gate.isPresent()) {
                try {
                    views.add(gate.call(WasmEngine::view));
                } catch (PalyraException e) {
                    continue; // it left meanwhile
                }
            }
        }
        return views;
    }
}

package palyra.api.core.wasm;

import java.util.function.Consumer;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Runs admitted modules. Registered as a service by each engine bundle, with its id as the service
 * property {@link #ID}. Thread-safe. An engine owns its running calls by call id; across this seam
 * go only types of this api and of the JDK.
 */
@ConsumerType
public interface WasmEngine {
    /** Service property: the engine's id, such as {@code endive}. */
    String ID = "palyra.wasm.engine";

    /** Returns what the engine is and how it is doing. Must not block. */
    WasmEngineView view();

    /**
     * Compiles a module unless it is compiled already. Blocks for a bounded time; an interrupt ends
     * the waiting, and the compilation unless a call waits for it.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when the engine does not take the module,
     *     or compiling it takes more than the engine's budget: the message has figure and limit,
     *     and it is the same the next time; RESOURCE_EXHAUSTED when too much is being compiled now,
     *     TOOL_UNAVAILABLE when the engine is stopping or cannot start its compiler
     */
    void prepare(WasmModule module);

    /**
     * Starts a call in an instance of its own and returns. The result goes to {@code sink} exactly
     * once, on a thread of the engine, also on failure; a call whose engine stops ends {@link
     * WasmEnding#ENGINE_STOPPED}, and one whose engine dies {@link WasmEnding#ENGINE_FAILED}.
     *
     * @throws palyra.api.PalyraException TOOL_UNAVAILABLE when the engine is stopping,
     *     RESOURCE_EXHAUSTED when too many calls run or their memories together are too large,
     *     INVALID_ARGUMENT when the call id is running already: nothing was started
     */
    void start(WasmCall call, WasmHost host, Consumer<WasmResult> sink);

    /** Stops a running call, which ends CANCELLED; an id that does not run is ignored. */
    void cancel(String callId);
}

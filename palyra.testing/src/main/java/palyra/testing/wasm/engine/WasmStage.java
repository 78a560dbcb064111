package palyra.testing.wasm.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmEngine;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmResult;

/** An engine for each test, and short words for calling it. */
public abstract class WasmStage {
    private final AtomicInteger number = new AtomicInteger();
    private WasmEngine engine;

    /** Returns the engine ready for use, as after its activation, with at least 8 calls at once. */
    protected abstract WasmEngine start() throws Exception;

    /** Stops an engine, as its deactivation does. May be called again. */
    protected abstract void stop(WasmEngine engine) throws Exception;

    /**
     * Gives an engine back after a test; stops it. An engine that is costly to start may be kept
     * and returned by {@link #start} again while it is ready.
     */
    protected void release(WasmEngine used) throws Exception {
        stop(used);
    }

    /** Makes the engine. */
    @BeforeEach
    public void makeEngine() throws Exception {
        engine = start();
    }

    /** Stops the engine; nothing may run on it any more. */
    @AfterEach
    public void stopEngine() throws Exception {
        release(engine);
        assertEquals(0, engine.view().running(), "calls that still run");
    }

    /** Returns the engine. */
    protected final WasmEngine engine() {
        return engine;
    }

    /** Returns an id that no other call has. */
    protected final String id() {
        return "call-" + number.incrementAndGet();
    }

    /** Starts a call. */
    protected final RecordedResult begin(WasmCall call, WasmHost host) {
        RecordedResult answer = new RecordedResult();
        engine.start(call, host, answer);
        return answer;
    }

    /** Makes a call and returns its result, which came once. */
    protected final WasmResult run(WasmCall call, WasmHost host) throws InterruptedException {
        RecordedResult answer = begin(call, host);
        WasmResult result = answer.await();
        answer.once();
        assertEquals(call.callId(), result.callId());
        return result;
    }

    /** Calls functions of the fixture without imports. */
    protected final WasmResult run(String... exports) throws InterruptedException {
        return run(Fixture.BASIC.call(id(), exports), HostFunctions.none());
    }

    /** Calls a function of the fixture with imports. */
    protected final WasmResult runWith(String export, String name, WasmHost.Body body)
            throws InterruptedException {
        return run(Fixture.HOST.call(id(), export), HostFunctions.with(name, body));
    }

    /** Fails unless a call ended in some way, and says why when it did not return. */
    protected static void ended(WasmEnding expected, WasmResult result) {
        assertEquals(expected, result.ending(), result.toString());
        if (expected != WasmEnding.RETURNED) {
            assertFalse(result.detail().isBlank(), "no sentence says why: " + result);
        }
    }
}

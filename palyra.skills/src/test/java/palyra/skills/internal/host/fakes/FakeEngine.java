package palyra.skills.internal.host.fakes;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmEngine;
import palyra.api.core.wasm.WasmEngineView;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;

/** An engine whose modules are code of the test. */
public final class FakeEngine implements WasmEngine {
    /** What a module does: it returns its number, throws a {@link WasmStop}, or is interrupted. */
    @FunctionalInterface
    public interface Program {
        /** Runs. */
        long run(Guest guest) throws InterruptedException;
    }

    /** Calls that were started. */
    public final List<WasmCall> started = new CopyOnWriteArrayList<>();

    /** Modules that were prepared. */
    public final List<WasmModule> prepared = new CopyOnWriteArrayList<>();

    private final Map<String, Thread> threads = new ConcurrentHashMap<>();
    private final String id;
    private volatile String isolation;
    private final boolean forUntrusted;
    private final Program program;
    private volatile boolean stopping;

    /** Creates one. */
    public FakeEngine(String id, String isolation, boolean forUntrusted, Program program) {
        this.id = id;
        this.isolation = isolation;
        this.forUntrusted = forUntrusted;
        this.program = program;
    }

    /** Creates one as the usual engine is. */
    public static FakeEngine usual(Program program) {
        return new FakeEngine("endive", "process=gateway", true, program);
    }

    /** Returns its service properties. */
    public Map<String, Object> properties() {
        return Map.of(WasmEngine.ID, id);
    }

    /** Says from now on that something else confines it. */
    public void isolatedBy(String other) {
        isolation = other;
    }

    /** Takes no calls from now on. */
    public void stopTaking() {
        stopping = true;
    }

    @Override
    public WasmEngineView view() {
        return new WasmEngineView(id, "1.0", isolation, forUntrusted, true, "", 0, 0);
    }

    @Override
    public void prepare(WasmModule module) {
        prepared.add(module);
    }

    @Override
    public void start(WasmCall call, WasmHost host, Consumer<WasmResult> sink) {
        if (stopping) {
            throw new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "The engine is stopping.");
        }
        started.add(call);
        Thread thread =
                Thread.ofPlatform()
                        .name("fake-engine")
                        .daemon()
                        .unstarted(() -> sink.accept(run(call, new Guest(host))));
        threads.put(call.callId(), thread);
        thread.start();
    }

    private WasmResult run(WasmCall call, Guest guest) {
        try {
            return result(call, WasmEnding.RETURNED, program.run(guest), "");
        } catch (WasmStop e) {
            return result(call, e.ending(), 0, e.getMessage());
        } catch (InterruptedException e) {
            return result(call, WasmEnding.CANCELLED, 0, "");
        } catch (RuntimeException e) {
            return result(call, WasmEnding.HOST_FAILED, 0, String.valueOf(e));
        } finally {
            threads.remove(call.callId());
        }
    }

    private static WasmResult result(WasmCall call, WasmEnding ending, long value, String detail) {
        return new WasmResult(call.callId(), ending, value, 42, 2, detail, 1_000, 2_000);
    }

    @Override
    public void cancel(String callId) {
        Thread thread = threads.get(callId);
        if (thread != null) {
            thread.interrupt();
        }
    }
}

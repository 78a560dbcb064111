package palyra.skills.internal.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmEngine;
import palyra.api.core.wasm.WasmEngineView;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.skills.internal.host.CallScope;
import palyra.skills.internal.host.HostCall;
import palyra.skills.internal.host.HostFunctions;

/** Runs one call, and starts it again when its engine was lost; for one thread. */
final class CallExecution {
    private static final int MOST_STARTS = 5;
    private static final int MOST_FAILURES = 2;
    private static final long POLL_MILLIS = 50;
    private static final long GIVE_UP_MILLIS = 2_000;
    private static final long ENGINE_SPARE_MILLIS = 60_000;

    private final Engines engines;
    private final Admitter admitter;
    private final RunSettings chosen;
    private final RunRequest request;
    private final RunningCall live;
    private final String engineId;
    private final boolean command;
    private WasmModule module;
    private boolean initialize;
    private WasmEngineView view;
    private long timeUpNanos;
    private int starts;
    private int failures;

    CallExecution(
            Engines engines,
            Admitter admitter,
            RunSettings chosen,
            RunRequest request,
            RunningCall live) {
        this.engines = engines;
        this.admitter = admitter;
        this.chosen = chosen;
        this.request = request;
        this.live = live;
        this.engineId = EngineChoice.of(request, chosen.engine());
        this.command = Entrypoints.command(request.tool());
    }

    RunReport run() throws InterruptedException {
        if (!request.engine().isEmpty()) {
            engines.requireKnown(engineId);
        }
        view = engines.view(engineId, waitMillis());
        EngineChoice.require(request, view);
        HostCall first = hostCall();
        WasmHost host = HostFunctions.of(first, request.seams());
        Admitter.AdmittedModule judged =
                admitter.admit(
                        request.module(),
                        request.moduleSha256(),
                        host.functions(),
                        request.tool().entrypoint(),
                        command,
                        request.quotas().memoryBytes());
        module = judged.module();
        initialize = judged.functions().contains(Entrypoints.INITIALIZE);
        return runUntilEnd(first, host);
    }

    private HostCall hostCall() {
        return new HostCall(request.scope(), request.input(), command);
    }

    private RunReport runUntilEnd(HostCall first, WasmHost functions) throws InterruptedException {
        HostCall call = first;
        WasmHost host = functions;
        while (true) {
            WasmResult result = start(call, host);
            boolean effects = call.close();
            if (!shouldRestart(result, effects)) {
                return report(result, call, effects);
            }
            call = hostCall();
            host = HostFunctions.of(call, request.seams());
        }
    }

    private boolean shouldRestart(WasmResult result, boolean effects) {
        boolean failed = result.ending() == WasmEnding.ENGINE_FAILED;
        failures += failed ? 1 : 0;
        return (failed || result.ending() == WasmEnding.ENGINE_STOPPED)
                && !effects
                && starts < MOST_STARTS
                && failures < MOST_FAILURES
                && live.stopReason() == null
                && waitMillis() > 0;
    }

    private long waitMillis() {
        long left = request.scope().deadlineMillis() - System.currentTimeMillis();
        return Math.max(0, Math.min(chosen.engineWaitMillis(), left));
    }

    private WasmResult start(HostCall call, WasmHost host) throws InterruptedException {
        starts++;
        CompletableFuture<WasmResult> end = new CompletableFuture<>();
        String id = callId();
        WasmEngine engine = started(id, host, end);
        timeUpNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis());
        live.startedOn(engine, id);
        try {
            WasmResult result = end.get(patienceMillis(), TimeUnit.MILLISECONDS);
            updateView(engine, result);
            return result;
        } catch (InterruptedException e) {
            abandon(engine, id, call, end);
            throw e;
        } catch (TimeoutException e) {
            abandon(engine, id, call, end);
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The engine " + engineId + " did not say how the call ended; see the log.",
                    e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a result never completes exceptionally", e);
        } finally {
            live.left();
        }
    }

    /**
     * An engine in a process of its own knows what confines it once that process has been started,
     * which the call may have been the reason for.
     */
    private void updateView(WasmEngine engine, WasmResult result) {
        boolean lost =
                result.ending() == WasmEnding.ENGINE_FAILED
                        || result.ending() == WasmEnding.ENGINE_STOPPED;
        if (!lost) {
            view = engine.view();
        }
    }

    /** Distinct for each start: the engine may still be busy with the one before. */
    private String callId() {
        CallScope scope = request.scope();
        return scope.callId() + "/" + scope.attempt() + "/" + starts;
    }

    /** The engine has its own clock; this one only bounds an engine that forgot the call. */
    private long patienceMillis() {
        return request.quotas().timeoutMillis() + ENGINE_SPARE_MILLIS;
    }

    private WasmEngine started(String id, WasmHost host, CompletableFuture<WasmResult> end)
            throws InterruptedException {
        WasmCall order =
                new WasmCall(
                        id,
                        module,
                        Entrypoints.of(request.tool(), initialize),
                        request.quotas().fuel(),
                        timeoutMillis());
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis());
        while (true) {
            long left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            try {
                view = engines.view(engineId, Math.max(0, left));
                EngineChoice.require(request, view);
                EngineChoice.requireReady(view);
                return engines.start(engineId, Math.max(0, left), order, host, end::complete);
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.TOOL_UNAVAILABLE
                        || left <= POLL_MILLIS
                        || live.stopReason() != null) {
                    throw e;
                }
            }
            Thread.sleep(POLL_MILLIS); // an engine that is leaving, or has just come
        }
    }

    private long timeoutMillis() {
        long left = request.scope().deadlineMillis() - System.currentTimeMillis();
        return Math.max(1, Math.min(request.quotas().timeoutMillis(), left));
    }

    private void abandon(
            WasmEngine engine, String id, HostCall call, CompletableFuture<WasmResult> end) {
        call.close();
        engine.cancel(id);
        try {
            end.get(GIVE_UP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException | TimeoutException | ExecutionException e) {
            return; // the engine goes on trying to stop it
        }
    }

    private RunReport report(WasmResult result, HostCall call, boolean effects) {
        boolean exited = call.exitCode().isPresent();
        WasmResult judged = judged(result);
        return new RunReport(
                judged,
                exited ? call.exitCode().getAsInt() : command ? 0 : (int) result.value(),
                call.output().answer(),
                call.output().overflowed(),
                call.output().lines(),
                effects,
                view,
                request.moduleSha256(),
                module,
                starts,
                HostFunctions.kinds(request.scope().grants()));
    }

    /**
     * Determines why a call was stopped. An interrupted host function cannot distinguish the end of
     * the call's time from a stop: without a request to stop, it was the time.
     */
    private WasmResult judged(WasmResult result) {
        if (result.ending() != WasmEnding.CANCELLED) {
            return result;
        }
        String reason = live.stopReason();
        boolean late = System.nanoTime() - timeUpNanos >= 0;
        WasmEnding ending =
                RunningCalls.STOPPING.equals(reason)
                        ? WasmEnding.ENGINE_STOPPED // it was not cancelled
                        : reason == null && late ? WasmEnding.DEADLINE : WasmEnding.CANCELLED;
        return new WasmResult(
                result.callId(),
                ending,
                result.value(),
                result.fuelUsed(),
                result.memoryPages(),
                reason == null ? result.detail() : reason,
                result.compileNanos(),
                result.runNanos());
    }
}

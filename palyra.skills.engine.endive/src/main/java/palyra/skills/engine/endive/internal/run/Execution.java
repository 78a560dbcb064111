package palyra.skills.engine.endive.internal.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.deadline.Deadlines;
import palyra.shared.wasm.PagePool;
import palyra.skills.engine.endive.internal.code.CompileService;
import palyra.skills.engine.endive.internal.code.Compiled;

/**
 * Runs one call on a thread of the pool: waits for its code, runs it, tells the result. The call's
 * time runs while it waits; the code is not waited for any longer than that.
 */
public final class Execution implements Runnable {
    /** Beside the call's own time, which the watch keeps. */
    private static final long SPARE_MILLIS = 5_000;

    private final RunningCall running;
    private final WasmHost host;
    private final CompileService.Order order;
    private final Deadlines.Deadline deadline;
    private final PagePool.Claim claim;
    private final Runnable giveBack;

    /**
     * Makes it.
     *
     * @param order the compiled module, now or soon; closed when the call ends
     * @param deadline ends the call; cancelled when it has ended
     * @param pool where the pages of its memory come from
     * @param giveBack releases the call's slot and memory; runs before its result is delivered
     */
    public Execution(
            RunningCall running,
            WasmHost host,
            CompileService.Order order,
            Deadlines.Deadline deadline,
            PagePool pool,
            Runnable giveBack) {
        this.running = running;
        this.host = host;
        this.order = order;
        this.deadline = deadline;
        this.claim = pool.claim(running.call().module().memoryPages());
        this.giveBack = giveBack;
    }

    @Override
    public void run() {
        long from = System.nanoTime();
        boolean compiling = !order.code().isDone();
        WasmResult result;
        try (order) {
            Compiled compiled = compiled();
            result = execute(compiled, compiling ? System.nanoTime() - from : 0);
        } catch (PalyraException e) {
            running.end();
            result = refused(e, System.nanoTime() - from);
        }
        deadline.cancel();
        claim.close();
        giveBack.run();
        running.deliver(result);
    }

    private Compiled compiled() {
        CompletableFuture<Compiled> code = order.code();
        try {
            if (!code.isDone()) {
                CompletableFuture.anyOf(code, running.stopped())
                        .get(running.call().timeoutMillis() + SPARE_MILLIS, TimeUnit.MILLISECONDS);
            }
            if (!code.isDone()) {
                throw new PalyraException(ErrorCode.CANCELLED, "It ended before it began.");
            }
            return code.join();
        } catch (ExecutionException | CompletionException e) {
            throw asPalyra(e);
        } catch (TimeoutException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The call was not ended after its time of "
                            + running.call().timeoutMillis()
                            + " ms while its module was compiled; see the log.",
                    e);
        } catch (InterruptedException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE, "The engine is being stopped.", e);
        }
    }

    /** Returns the refusal within a failure of the compiler. */
    public static PalyraException asPalyra(Exception e) {
        return e.getCause() instanceof PalyraException refusal
                ? refusal
                : new PalyraException(
                        ErrorCode.INTERNAL, "Compiling it failed: " + e.getCause() + ".", e);
    }

    private WasmResult execute(Compiled compiled, long compileNanos) {
        WasmCall call = running.call();
        Guest guest = new Guest(running, compiled, claim);
        long from = System.nanoTime();
        Outcome outcome = Outcome.of(WasmEnding.CANCELLED, "");
        if (running.begin()) {
            try {
                outcome = guest.run(host);
            } finally {
                running.end();
            }
        }
        running.end();
        long nanos = System.nanoTime() - from;
        Outcome ended = judge(outcome);
        return new WasmResult(
                call.callId(),
                ended.ending(),
                ended.value(),
                guest.fuelUsed(ended.ending()),
                guest.pages(),
                ended.detail(),
                compileNanos,
                nanos);
    }

    /** A stopped call ended for that reason, unless it had ended by itself before. */
    private Outcome judge(Outcome outcome) {
        WasmEnding reason = running.reason();
        return switch (outcome.ending()) {
            case RETURNED, EXITED, OUT_OF_FUEL, LINK -> outcome;
            default -> reason == null ? outcome : Outcome.of(reason, sentence(reason));
        };
    }

    private String sentence(WasmEnding reason) {
        return switch (reason) {
            case DEADLINE ->
                    "Its time of "
                            + running.call().timeoutMillis()
                            + " ms ran out"
                            + claim.waitedFor(Guest.PID);
            case CANCELLED -> "It was stopped.";
            default -> "The engine was stopped.";
        };
    }

    private WasmResult refused(PalyraException e, long nanos) {
        WasmEnding reason = running.reason();
        WasmEnding ending =
                reason != null
                        ? reason
                        : e.code() == ErrorCode.TOOL_UNAVAILABLE
                                ? WasmEnding.ENGINE_STOPPED
                                : WasmEnding.REFUSED;
        String detail =
                reason == null
                        ? e.getMessage()
                        : sentence(reason) + " Its module was still being compiled.";
        return new WasmResult(running.call().callId(), ending, 0, 0, 0, detail, nanos, 0);
    }
}

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
import palyra.skills.engine.endive.internal.code.Compiled;

/** Runs one call on a thread of the pool: waits for its code, runs it, tells the result. */
public final class Execution implements Runnable {
    private static final long COMPILE_SECONDS = 60;

    private final Running running;
    private final WasmHost host;
    private final CompletableFuture<Compiled> code;
    private final Watch watch;
    private final Runnable giveBack;

    /**
     * Makes it.
     *
     * @param code the compiled module, now or soon
     * @param giveBack gives back what the call took; runs before its result is told
     */
    public Execution(
            Running running,
            WasmHost host,
            CompletableFuture<Compiled> code,
            Watch watch,
            Runnable giveBack) {
        this.running = running;
        this.host = host;
        this.code = code;
        this.watch = watch;
        this.giveBack = giveBack;
    }

    @Override
    public void run() {
        long from = System.nanoTime();
        boolean compiling = !code.isDone();
        WasmResult result;
        try {
            Compiled compiled = compiled();
            result = execute(compiled, compiling ? System.nanoTime() - from : 0);
        } catch (PalyraException e) {
            running.end();
            result = refused(e, System.nanoTime() - from);
        }
        giveBack.run();
        running.tell(result);
    }

    private Compiled compiled() {
        try {
            if (!code.isDone()) {
                CompletableFuture.anyOf(code, running.stopped())
                        .get(COMPILE_SECONDS, TimeUnit.SECONDS);
            }
            if (!code.isDone()) {
                throw new PalyraException(ErrorCode.CANCELLED, "It ended before it began.");
            }
            return code.join();
        } catch (ExecutionException | CompletionException e) {
            throw asPalyra(e);
        } catch (TimeoutException e) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Compiling it takes more than "
                            + COMPILE_SECONDS
                            + " s: try again later, or make it smaller.",
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
        Guest guest = new Guest(running, compiled);
        long from = System.nanoTime();
        Outcome outcome = Outcome.of(WasmEnding.CANCELLED, "");
        if (running.begin()) {
            Deadlines.Deadline deadline = watch.at(running, call.timeoutMillis());
            try {
                outcome = guest.run(host);
            } finally {
                deadline.cancel();
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

    /** What was stopped ended for that reason, unless it had come to an end of its own before. */
    private Outcome judge(Outcome outcome) {
        WasmEnding reason = running.reason();
        return switch (outcome.ending()) {
            case RETURNED, EXITED, OUT_OF_FUEL, LINK -> outcome;
            default -> reason == null ? outcome : Outcome.of(reason, sentence(reason));
        };
    }

    private String sentence(WasmEnding reason) {
        return switch (reason) {
            case DEADLINE -> "Its time of " + running.call().timeoutMillis() + " ms ran out.";
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
        String detail = reason == null ? e.getMessage() : sentence(reason);
        return new WasmResult(running.call().callId(), ending, 0, 0, 0, detail, nanos, 0);
    }
}

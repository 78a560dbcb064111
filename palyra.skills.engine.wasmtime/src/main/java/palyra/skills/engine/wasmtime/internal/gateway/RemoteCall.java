package palyra.skills.engine.wasmtime.internal.gateway;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.deadline.Deadlines;
import palyra.shared.wasm.MemoryGrowth;
import palyra.shared.wasm.PagePool;
import palyra.skills.engine.wasmtime.internal.protocol.Frame;
import palyra.skills.engine.wasmtime.internal.protocol.Kind;
import palyra.skills.engine.wasmtime.internal.protocol.Messages;

/**
 * One call: sends it to a worker, runs the host functions that it calls, tells its result. Its time
 * runs from its start: while a worker starts and compiles, too.
 */
final class RemoteCall implements Runnable {
    private static final String PID = "palyra.skills.engine.wasmtime";

    private final PendingCall pendingCall;
    private final HostCallService hosts;
    private final long number;
    private final boolean compileOnly;
    private final Workers workers;
    private final CallDeadlines deadlines;
    private final PagePool.Claim claim;
    private final Runnable giveBack;
    private volatile Worker worker; // while a call of it is open there
    private LinkedBlockingQueue<Frame> frames;
    private long compileNanos;
    private boolean begun;

    /**
     * Makes it.
     *
     * @param number unique on this engine
     * @param compileOnly whether nothing is to run
     * @param claim where the pages of its memory come from; taken unless it only compiles
     * @param giveBack releases the call's slot and memory; runs before its result is delivered
     */
    RemoteCall(
            PendingCall pendingCall,
            WasmHost host,
            long number,
            boolean compileOnly,
            Workers workers,
            CallDeadlines deadlines,
            PagePool.Claim claim,
            Runnable giveBack) {
        this.pendingCall = pendingCall;
        this.hosts = new HostCallService(pendingCall, MemoryGrowth.with(host, claim, PID), this);
        this.number = number;
        this.compileOnly = compileOnly;
        this.workers = workers;
        this.deadlines = deadlines;
        this.claim = claim;
        this.giveBack = giveBack;
    }

    PendingCall pendingCall() {
        return pendingCall;
    }

    @Override
    public void run() {
        WasmResult result;
        Deadlines.Deadline deadline = deadlines.at(this, pendingCall.call().timeoutMillis());
        try {
            result = converse();
        } catch (PalyraException e) {
            result = failed(e.getMessage());
        } catch (WasmHost.WasmStop e) {
            result = ended(e.ending(), e.getMessage());
        } catch (WorkerLostException e) {
            result = gone(e.getMessage());
        } catch (InterruptedException | RuntimeException e) {
            result = failed("The engine failed: " + e + ".");
        }
        deadline.cancel();
        pendingCall.finish();
        pendingCall.forbidInterrupt();
        claim.close();
        giveBack.run();
        pendingCall.deliver(result);
    }

    private WasmResult failed(String why) {
        return ended(WasmEnding.ENGINE_FAILED, why);
    }

    /** A stopped call ended for that reason, even if its code returned. */
    private WasmResult ended(WasmEnding ending, String why) {
        WasmEnding reason = pendingCall.reason();
        return reason == null ? plain(ending, why) : plain(reason, sentence(reason));
    }

    /** A call that had not begun can be made again; of another its effects are unknown. */
    private WasmResult gone(String why) {
        WasmEnding reason = pendingCall.reason();
        if (reason != null) {
            return plain(reason, sentence(reason));
        }
        return begun
                ? plain(
                        WasmEnding.ENGINE_FAILED,
                        "The wasmtime worker died with this call in it: " + why + ".")
                : plain(
                        WasmEnding.ENGINE_STOPPED,
                        "The wasmtime worker died before this call began: " + why + ".");
    }

    private String sentence(WasmEnding reason) {
        return reason == WasmEnding.DEADLINE
                ? "Its time of "
                        + pendingCall.call().timeoutMillis()
                        + " ms ran out"
                        + claim.waitedFor(PID)
                : pendingCall.sentence(reason);
    }

    private WasmResult plain(WasmEnding ending, String detail) {
        return new WasmResult(
                pendingCall.call().callId(), ending, 0, 0, 0, detail, compileNanos, 0);
    }

    private WasmResult converse() throws InterruptedException {
        if (!compileOnly) {
            firstPages();
        }
        Worker taken = acquire();
        try {
            frames = taken.register(number);
            worker = taken;
            say(Kind.ORDER, order());
            return listen();
        } finally {
            worker = null;
            taken.unregister(number);
            workers.release();
        }
    }

    /** Takes what the module's memory begins with. Waits within the call's time. */
    private void firstPages() throws InterruptedException {
        if (!pendingCall.allowInterrupt(false)) {
            throw new InterruptedException("it ended before it began");
        }
        try {
            MemoryGrowth.begin(claim, pendingCall.call().module().initialPages(), PID);
        } finally {
            pendingCall.forbidInterrupt();
        }
    }

    private Worker acquire() throws InterruptedException {
        if (!pendingCall.allowInterrupt(false)) {
            throw new InterruptedException("it ended before it began");
        }
        try {
            return workers.acquire();
        } finally {
            pendingCall.forbidInterrupt();
        }
    }

    private Messages.Order order() {
        WasmCall call = pendingCall.call();
        return new Messages.Order(
                call.module().sha256(),
                call.module().start(),
                compileOnly ? List.of() : call.exports(),
                call.fuel(),
                call.module().memoryPages(),
                hosts.given());
    }

    private WasmResult listen() {
        while (true) {
            Frame frame = next();
            switch (frame.kind()) {
                case NEED -> {
                    WasmCall call = pendingCall.call();
                    say(
                            Kind.CODE,
                            new Messages.Code(call.module().sha256(), call.module().bytes()));
                    say(Kind.ORDER, order());
                }
                case BEGUN -> {
                    compileNanos = read(frame, Messages.Begun::of).compileNanos();
                    begun = true;
                }
                case HOST -> hosts.call(read(frame, Messages.HostCall::of));
                case END -> {
                    return result(read(frame, Messages.End::of));
                }
                default -> throw confused("a frame of " + frame.kind() + " out of turn");
            }
        }
    }

    private WasmResult result(Messages.End end) {
        WasmEnding reason = pendingCall.reason();
        WasmEnding ending =
                switch (end.finish()) {
                    case RETURNED -> WasmEnding.RETURNED;
                    case OUT_OF_FUEL -> WasmEnding.OUT_OF_FUEL;
                    case CALL_DEPTH -> WasmEnding.CALL_DEPTH;
                    case TRAPPED -> WasmEnding.TRAPPED;
                    case LINK -> WasmEnding.LINK;
                    case REFUSED -> WasmEnding.REFUSED;
                    case OUT_OF_MEMORY -> WasmEnding.OUT_OF_MEMORY;
                    case STOPPED -> reason == null ? WasmEnding.OTHER : reason;
                    case HALTED -> reason == null ? hosts.ending() : reason;
                    case FAILED -> WasmEnding.ENGINE_FAILED;
                };
        String detail =
                switch (end.finish()) {
                    case OUT_OF_FUEL -> "Its fuel of " + pendingCall.call().fuel() + " ran out.";
                    case CALL_DEPTH -> "Its calls were nested too deeply.";
                    case OUT_OF_MEMORY -> "The wasmtime worker has no room for its memory.";
                    case STOPPED ->
                            stopped(reason, "The guest stopped without an interrupt request.");
                    case HALTED -> stopped(reason, hosts.detail());
                    case RETURNED, TRAPPED, LINK, REFUSED, FAILED -> end.detail();
                };
        return new WasmResult(
                pendingCall.call().callId(),
                ending,
                ending == WasmEnding.EXITED ? hosts.exitCode() : end.value(),
                ending == WasmEnding.OUT_OF_FUEL ? pendingCall.call().fuel() : end.fuelUsed(),
                end.pages(),
                detail,
                compileNanos,
                end.runNanos());
    }

    private String stopped(WasmEnding reason, String otherwise) {
        return reason == null ? otherwise : sentence(reason);
    }

    /** Returns the next frame of this call; an interrupt is kept for later. */
    private Frame next() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    Frame frame = frames.take();
                    if (frame.equals(Worker.GONE)) {
                        throw new WorkerLostException(worker.gone());
                    }
                    return frame;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Makes a record of a frame's body. */
    private interface Reading<T> {
        T of(Frame frame) throws IOException;
    }

    private <T> T read(Frame frame, Reading<T> reading) {
        try {
            return reading.of(frame);
        } catch (IOException e) {
            throw confused(e.getMessage());
        }
    }

    private WorkerLostException confused(String what) {
        worker.close();
        return new WorkerLostException("it does not keep to the protocol: " + what);
    }

    /** Reads or writes memory during a host function. */
    byte[] access(Kind kind, Messages.Piece piece) {
        say(kind, piece);
        Frame frame = next();
        return switch (frame.kind()) {
            case BYTES -> frame.body();
            case OUTSIDE -> throw new RemoteTrap("a host function was given an address outside");
            default -> throw confused("a frame of " + frame.kind() + " for a piece of memory");
        };
    }

    void say(Kind kind, Messages.Body body) {
        try {
            worker.send(new Frame(kind, number, body.bytes()));
        } catch (IOException e) {
            throw confused(e.getMessage());
        }
    }

    /** Ends the call: its host function by an interrupt, its code by a word to the worker. */
    void stop(WasmEnding why) {
        pendingCall.stop(why);
        Worker there = worker;
        if (there != null && there.lives()) {
            try {
                there.send(new Frame(Kind.CANCEL, number));
            } catch (WorkerLostException e) {
                return; // which its thread finds out, too
            }
        }
    }

    /** Kills the worker that does not end the call. */
    void killWorker() {
        Worker there = worker;
        if (there != null) {
            there.close();
        }
    }
}

package palyra.skills.engine.wasmtime.internal.worker;

import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import palyra.skills.engine.wasmtime.internal.wire.Frame;
import palyra.skills.engine.wasmtime.internal.wire.Kind;
import palyra.skills.engine.wasmtime.internal.wire.Notes;
import palyra.skills.engine.wasmtime.internal.wire.Wire;

/** One call in the worker: its order, and what the gateway tells it while it runs. */
final class Task {
    private final long call;
    private final Notes.Order order;
    private final Wire wire;
    private final LinkedBlockingQueue<Frame> told = new LinkedBlockingQueue<>();
    private volatile boolean cancelled;

    Task(long call, Notes.Order order, Wire wire) {
        this.call = call;
        this.order = order;
        this.wire = wire;
    }

    long call() {
        return call;
    }

    Notes.Order order() {
        return order;
    }

    void cancel() {
        cancelled = true;
    }

    boolean cancelled() {
        return cancelled;
    }

    /** Takes a frame for a host function that waits. */
    void tell(Frame frame) {
        told.add(frame);
    }

    /** Returns what the gateway says next. */
    Frame next() throws InterruptedException {
        return told.take();
    }

    void say(Kind kind, byte[] body) throws IOException {
        wire.send(new Frame(kind, call, body));
    }
}

package palyra.skills.engine.wasmtime.internal.worker;

import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import palyra.skills.engine.wasmtime.internal.protocol.Frame;
import palyra.skills.engine.wasmtime.internal.protocol.FrameStream;
import palyra.skills.engine.wasmtime.internal.protocol.Kind;
import palyra.skills.engine.wasmtime.internal.protocol.Messages;

/** One call in the worker: its order, and the gateway's frames for it while it runs. */
final class Task {
    private final long call;
    private final Messages.Order order;
    private final FrameStream frames;
    private final LinkedBlockingQueue<Frame> incoming = new LinkedBlockingQueue<>();
    private volatile boolean cancelled;

    Task(long call, Messages.Order order, FrameStream frames) {
        this.call = call;
        this.order = order;
        this.frames = frames;
    }

    long call() {
        return call;
    }

    Messages.Order order() {
        return order;
    }

    void cancel() {
        cancelled = true;
    }

    boolean cancelled() {
        return cancelled;
    }

    /** Takes a frame for a host function that waits. */
    void deliver(Frame frame) {
        incoming.add(frame);
    }

    /** Returns what the gateway says next. */
    Frame next() throws InterruptedException {
        return incoming.take();
    }

    void say(Kind kind, byte[] body) throws IOException {
        frames.send(new Frame(kind, call, body));
    }
}

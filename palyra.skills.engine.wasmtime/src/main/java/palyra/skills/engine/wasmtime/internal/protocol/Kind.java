package palyra.skills.engine.wasmtime.internal.protocol;

/**
 * Kinds of frames. The order is part of the protocol: change {@link FrameStream#VERSION} with it.
 */
public enum Kind {
    /** Worker: here I am. {@link Messages.Hello}. */
    HELLO(true),
    /** Worker: send the module of this call; I have it no more. Empty. */
    NEED(true),
    /** Worker: the code of this call begins now. {@link Messages.Begun}. */
    BEGUN(true),
    /** Worker: this call calls a host function. {@link Messages.HostCall}. */
    HOST(true),
    /** Worker: what was asked for of the memory, or an empty answer to a write. Bytes. */
    BYTES(true),
    /** Worker: that is outside the memory. Empty. */
    OUTSIDE(true),
    /** Worker: this call is over. {@link Messages.End}. */
    END(true),
    /** Worker: heartbeat, every {@link FrameStream#BEAT_MILLIS}, independent of calls. Empty. */
    BEAT(true),
    /** Gateway: make a call. {@link Messages.Order}. */
    ORDER(false),
    /** Gateway: here is a module. {@link Messages.Code}. */
    CODE(false),
    /** Gateway: read memory. {@link Messages.Piece} without bytes. */
    READ(false),
    /** Gateway: write memory. {@link Messages.Piece}. */
    WRITE(false),
    /** Gateway: the host function returned. {@link Messages.Answer}. */
    DONE(false),
    /** Gateway: the host function ended the call. {@link Messages.Answer}. */
    HALT(false),
    /** Gateway: end this call now. Empty. */
    CANCEL(false);

    private final boolean fromWorker;

    Kind(boolean fromWorker) {
        this.fromWorker = fromWorker;
    }

    /** Returns whether the worker sends it; otherwise the gateway does. */
    public boolean fromWorker() {
        return fromWorker;
    }
}

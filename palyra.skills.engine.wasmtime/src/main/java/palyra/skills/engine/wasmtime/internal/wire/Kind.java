package palyra.skills.engine.wasmtime.internal.wire;

/** Kinds of frames. The order is part of the protocol: change {@link Wire#VERSION} with it. */
public enum Kind {
    /** Worker: here I am. {@link Notes.Hello}. */
    HELLO(true),
    /** Worker: send the module of this call; I have it no more. Empty. */
    NEED(true),
    /** Worker: the code of this call begins now. {@link Notes.Begun}. */
    BEGUN(true),
    /** Worker: this call calls a host function. {@link Notes.HostCall}. */
    HOST(true),
    /** Worker: what was asked for of the memory, or an empty answer to a write. Bytes. */
    BYTES(true),
    /** Worker: that is outside the memory. Empty. */
    OUTSIDE(true),
    /** Worker: this call is over. {@link Notes.End}. */
    END(true),
    /** Worker: I live; sent each {@link Wire#BEAT_MILLIS}, whatever calls do. Empty. */
    BEAT(true),
    /** Gateway: make a call. {@link Notes.Order}. */
    ORDER(false),
    /** Gateway: here is a module. {@link Notes.Code}. */
    CODE(false),
    /** Gateway: read memory. {@link Notes.Piece} without bytes. */
    READ(false),
    /** Gateway: write memory. {@link Notes.Piece}. */
    WRITE(false),
    /** Gateway: the host function returned. {@link Notes.Answer}. */
    DONE(false),
    /** Gateway: the host function ended the call. {@link Notes.Answer}. */
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

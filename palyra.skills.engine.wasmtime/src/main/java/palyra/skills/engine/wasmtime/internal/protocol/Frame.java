package palyra.skills.engine.wasmtime.internal.protocol;

/**
 * One frame.
 *
 * @param kind what it says
 * @param call number of the call that it is about; 0 for none
 * @param body see {@link Kind}; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Frame(Kind kind, long call, byte[] body) {
    private static final byte[] EMPTY = new byte[0];

    /** Makes a frame without a body. */
    public Frame(Kind kind, long call) {
        this(kind, call, EMPTY);
    }
}

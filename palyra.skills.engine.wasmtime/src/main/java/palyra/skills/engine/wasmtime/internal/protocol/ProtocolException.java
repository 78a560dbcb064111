package palyra.skills.engine.wasmtime.internal.protocol;

import java.io.IOException;

/** The other side violates the protocol. */
public final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates one. */
    public ProtocolException(String message) {
        super(message);
    }
}

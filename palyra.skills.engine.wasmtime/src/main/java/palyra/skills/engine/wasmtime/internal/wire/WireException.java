package palyra.skills.engine.wasmtime.internal.wire;

import java.io.IOException;

/** The other side does not keep to the protocol. */
public final class WireException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates one. */
    public WireException(String message) {
        super(message);
    }
}

package palyra.shell.internal.socket;

import java.io.IOException;

/** The peer sent something that is no frame of the protocol. */
final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}

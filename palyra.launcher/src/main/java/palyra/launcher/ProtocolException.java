package palyra.launcher;

import java.io.IOException;

/** The other side broke the frame protocol; the connection is of no further use. */
final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    ProtocolException(String message) {
        super(message);
    }
}

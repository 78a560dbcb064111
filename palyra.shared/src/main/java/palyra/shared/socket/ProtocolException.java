package palyra.shared.socket;

import java.io.IOException;

/** The peer broke the frame protocol; the connection cannot be used any further. */
public final class ProtocolException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message for the user. */
    public ProtocolException(String message) {
        super(message);
    }
}

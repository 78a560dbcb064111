package palyra.launcher;

import java.io.IOException;

/** A running gateway accepted no command for longer than a swap or a start takes. */
final class GatewayUnresponsiveException extends IOException {
    private static final long serialVersionUID = 1L;

    GatewayUnresponsiveException(String message, IOException cause) {
        super(message, cause);
    }
}

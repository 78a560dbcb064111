package palyra.launcher;

import java.io.IOException;

/** A gateway runs and took no commands for longer than a swap or a start takes. */
final class SilentGatewayException extends IOException {
    private static final long serialVersionUID = 1L;

    SilentGatewayException(String message, IOException cause) {
        super(message, cause);
    }
}

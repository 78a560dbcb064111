package palyra.launcher;

import java.io.IOException;

/** The gateway closed the connection before it accepted the request, so nothing ran. */
final class RequestNotAcceptedException extends IOException {
    private static final long serialVersionUID = 1L;

    RequestNotAcceptedException(IOException cause) {
        super("the gateway closed the connection before it accepted the command", cause);
    }
}

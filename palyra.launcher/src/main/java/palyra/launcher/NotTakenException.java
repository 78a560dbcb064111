package palyra.launcher;

import java.io.IOException;

/** The gateway closed the connection before it took the request: nothing ran, and nothing will. */
final class NotTakenException extends IOException {
    private static final long serialVersionUID = 1L;

    NotTakenException(IOException cause) {
        super("the gateway closed the connection before it took the command", cause);
    }
}

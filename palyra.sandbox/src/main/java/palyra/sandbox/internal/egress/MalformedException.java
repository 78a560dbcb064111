package palyra.sandbox.internal.egress;

import java.io.IOException;

/** What arrived is not the protocol, or could be understood in two ways. */
final class MalformedException extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
        super(message);
    }
}

package palyra.models.internal.sse;

import java.io.IOException;

/** A stream of events has a line or an event that is larger than its reader takes. */
public final class SseLimitException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception; the message is one sentence. */
    public SseLimitException(String message) {
        super(message);
    }
}

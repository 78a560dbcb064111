package palyra.shell.internal.host;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The reader of the output is gone; the writer should stop. */
public final class OutputClosedException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    /** Creates it from what the stream said. */
    public OutputClosedException(IOException cause) {
        super(cause);
    }
}

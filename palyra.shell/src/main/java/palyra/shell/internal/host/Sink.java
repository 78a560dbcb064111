package palyra.shell.internal.host;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes text to a stream at once. Thread-safe: a text is never mixed with another. */
final class Sink {
    private final OutputStream stream;

    Sink(OutputStream stream) {
        this.stream = stream;
    }

    /**
     * Writes and flushes.
     *
     * @throws OutputClosedException when nobody reads any more
     */
    void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            synchronized (stream) {
                stream.write(bytes);
                stream.flush();
            }
        } catch (IOException e) {
            throw new OutputClosedException(e);
        }
    }
}

package palyra.shell.internal.host;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes text to a stream at once. Thread-safe: a text is never mixed with another. */
final class TextWriter {
    private final OutputStream stream;

    TextWriter(OutputStream stream) {
        this.stream = stream;
    }

    /**
     * Writes and flushes.
     *
     * @throws OutputClosedException when the output is closed
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

package palyra.shell.internal.approvals;

import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import palyra.shell.internal.host.AwaitableInput;

/** A user at a terminal whose end is reported. */
final class Keyboard implements AutoCloseable {
    private final PipedOutputStream keys = new PipedOutputStream();
    private final Terminal terminal;
    private volatile boolean closed;

    Keyboard() {
        try {
            terminal = new Terminal();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Terminal extends PipedInputStream implements AwaitableInput {
        Terminal() throws IOException {
            super(keys);
        }

        @Override
        public synchronized boolean awaitInput() throws IOException {
            try {
                while (available() == 0 && !closed) {
                    wait(); // flushing and closing the other end tell
                }
                return available() > 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    InputStream terminal() {
        return terminal;
    }

    /** When this returns all of it can be read. */
    void types(String text) throws IOException {
        keys.write(text.getBytes(StandardCharsets.UTF_8));
        keys.flush();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        keys.close();
    }
}

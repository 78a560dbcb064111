package palyra.sandbox.internal.run;

import java.io.IOException;
import java.io.OutputStream;

/** Writes standard input of a command and closes it. A command that does not read it loses it. */
final class StdinWriter implements Runnable {
    private final OutputStream stdin;
    private final byte[] content;

    StdinWriter(OutputStream stdin, byte[] content) {
        this.stdin = stdin;
        this.content = content;
    }

    @Override
    public void run() {
        try (stdin) {
            stdin.write(content);
        } catch (IOException e) {
            return; // the command has ended or does not want it: that is its own business
        }
    }
}

package palyra.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Feeds this process's standard input to the one command it runs, to the end. */
final class StandardInput implements Client.InputSource {
    private static final int CHUNK_BYTES = 32 * 1024;

    private final InputStream in;

    StandardInput(InputStream in) {
        this.in = in;
    }

    @Override
    public AutoCloseable feed(Invocation invocation) {
        Thread pump = new Thread(() -> copy(invocation), "palyra-stdin");
        // A read of standard input cannot be interrupted; the process ends with the command.
        pump.setDaemon(true);
        pump.start();
        return () -> {};
    }

    private void copy(Invocation invocation) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try {
            if (!invocation.awaitAccepted()) {
                return;
            }
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                if (count > 0) {
                    invocation.input(Arrays.copyOf(chunk, count));
                }
            }
            invocation.input(new byte[0]);
        } catch (IOException e) {
            // The command ended without reading everything, as head does; its exit code reports the
            // result.
        }
    }
}

package palyra.launcher;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The {@code palyra>} prompt. Each line is one command on a connection of its own. At a terminal
 * the lines typed while a command runs are that command's input; from a file or pipe every line is
 * a command and commands see empty input.
 */
final class Prompt {
    private static final String SIGN = "palyra> ";
    private static final byte[] END = {};
    private static final int LINE_LIMIT_BYTES = 256 * 1024;
    private static final long POLL_MILLIS = 100;

    private final Client client;
    private final InputStream in;
    private final PrintStream out;
    private final boolean interactive;

    /** Hands lines over one by one, so that whoever wants one next gets it: prompt or command. */
    private final SynchronousQueue<byte[]> lines = new SynchronousQueue<>();

    Prompt(Client client, InputStream in, PrintStream out, Terminal terminal) {
        this.client = client;
        this.in = in;
        this.out = out;
        this.interactive = terminal.interactive();
    }

    /** The exit code of the last command. */
    int run() {
        Thread reader = new Thread(this::readLines, "palyra-prompt-reader");
        // A read of standard input cannot be interrupted; it must not keep the process.
        reader.setDaemon(true);
        reader.start();
        int last = 0;
        try (Signals.Restore interrupt = Signals.on("INT", this::freshLine)) {
            for (byte[] line = next(); line.length > 0; line = next()) {
                List<String> argv = words(line);
                if (argv.size() == 1
                        && (argv.get(0).equals("exit") || argv.get(0).equals("quit"))) {
                    return last;
                }
                if (!argv.isEmpty()) {
                    last = client.run(argv, this::feed);
                }
            }
            if (interactive) {
                out.println();
            }
            return last;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        } finally {
            reader.interrupt();
        }
    }

    private byte[] next() throws InterruptedException {
        if (interactive) {
            out.print(SIGN);
            out.flush();
        }
        return lines.take();
    }

    private void freshLine() {
        out.println();
        if (interactive) {
            out.println("(exit or Ctrl-D leaves)");
            out.print(SIGN);
            out.flush();
        }
    }

    private List<String> words(byte[] line) {
        try {
            return Words.split(new String(line, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            client.complain(e.getMessage());
            return List.of();
        }
    }

    private AutoCloseable feed(Invocation invocation) {
        AtomicBoolean over = new AtomicBoolean();
        Thread feeder = new Thread(() -> forward(invocation, over), "palyra-prompt-feed");
        feeder.setDaemon(true);
        feeder.start();
        return () -> {
            over.set(true);
            feeder.interrupt();
            feeder.join(TimeUnit.SECONDS.toMillis(1));
        };
    }

    private void forward(Invocation invocation, AtomicBoolean over) {
        try {
            if (!invocation.awaitTaken()) {
                return;
            }
            if (!interactive) {
                invocation.input(END);
                return;
            }
            while (!over.get()) {
                byte[] line = lines.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (line != null) {
                    invocation.input(line);
                    if (line.length == 0) {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            // The command ended first; what was typed for it goes nowhere.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void readLines() {
        try {
            for (byte[] line = readLine(); ; line = readLine()) {
                lines.put(line);
                if (line.length == 0 && !interactive) {
                    return;
                }
            }
        } catch (IOException e) {
            endLines();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endLines() {
        try {
            lines.put(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A line with its line feed; a last line without one is given one; empty at the end. */
    private byte[] readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(128);
        for (int c = in.read(); c >= 0; c = in.read()) {
            line.write(c);
            if (c == '\n' || line.size() >= LINE_LIMIT_BYTES) {
                return line.toByteArray();
            }
        }
        if (line.size() > 0) {
            line.write('\n');
        }
        return line.toByteArray();
    }
}

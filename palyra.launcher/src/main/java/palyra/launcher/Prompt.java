package palyra.launcher;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The {@code palyra>} prompt. Each line is one command on a connection of its own. At a terminal,
 * input during a command goes to that command; from a file or pipe every line is a command, and
 * commands get empty input.
 */
final class Prompt {
    private static final byte[] END = {};
    private static final long POLL_MILLIS = 100;
    private static final int GREP_KEPT_NOTHING = 1;

    private final Client client;
    private final Path state;
    private final TypedInput input;
    private final PrintStream out;
    private final boolean interactive;
    private final String type;
    private final boolean edited;

    /**
     * Creates a prompt.
     *
     * @param state the state folder, which has the history
     * @param terminal what {@code in} and {@code out} are
     * @param type what kind of terminal it is, as TERM names it; empty or {@code dumb} is not
     *     edited on
     */
    Prompt(
            Client client,
            Path state,
            InputStream in,
            PrintStream out,
            Terminal terminal,
            String type) {
        this.client = client;
        this.state = state;
        this.input = new TypedInput(in);
        this.out = out;
        this.interactive = terminal.interactive();
        this.type = type;
        this.edited = interactive && !type.isEmpty() && !type.equals("dumb");
    }

    /** The exit code of the last command. */
    int run() {
        input.start();
        try (input;
                Lines lines = lines();
                Signals.Restore interrupt = interrupt(lines)) {
            int last = 0;
            for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                // Several lines that were pasted are one for the editor.
                for (String one : line.get().split("\n", -1)) {
                    List<List<String>> stages = stages(one);
                    if (stages.equals(List.of(List.of("exit")))
                            || stages.equals(List.of(List.of("quit")))) {
                        return last;
                    }
                    last = stages.isEmpty() ? last : run(stages);
                }
            }
            return last;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        }
    }

    private Lines lines() {
        return (edited
                        ? EditedLines.open(input, type, history(), new Completions(client))
                        : Optional.<Lines>empty())
                .orElseGet(() -> new PlainLines(input, out, interactive, client::complain));
    }

    private Path history() {
        try {
            return HistoryFile.in(state);
        } catch (IOException e) {
            client.complain(
                    "no history is kept: the file "
                            + state.resolve("history")
                            + " cannot be made private to its owner: "
                            + Problems.sentence(e));
            return null;
        }
    }

    private Signals.Restore interrupt(Lines lines) {
        return interactive ? Signals.on("INT", lines::interrupted) : () -> {};
    }

    private List<List<String>> stages(String line) {
        try {
            return ShellWords.split(line);
        } catch (IllegalArgumentException e) {
            client.complain(e.getMessage());
            return List.of();
        }
    }

    private int run(List<List<String>> stages) {
        if (stages.size() == 1) {
            return client.run(stages.get(0), this::feed);
        }
        try {
            return run(
                    stages.get(0),
                    stages.subList(1, stages.size()).stream().map(Grep::of).toList());
        } catch (IllegalArgumentException e) {
            client.complain(e.getMessage());
            return ExitCode.USAGE.code();
        }
    }

    /** Returns the exit code that a shell with pipefail would. */
    private int run(List<String> argv, List<Grep> greps) {
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("write a command before |: found nothing");
        }
        OutputStream first = new Shielded(out);
        List<Grep.MatchingLines> kept = new ArrayList<>();
        for (Grep grep : greps.reversed()) {
            kept.add(grep.onto(first));
            first = kept.getLast();
        }
        int code;
        try (OutputStream filtered = first) {
            code = client.run(argv, this::feed, client.output(filtered));
        } catch (IOException e) {
            client.complain("standard output failed: " + Problems.oneLine(e));
            return ExitCode.FAILED.code();
        }
        return code != 0 || kept.getFirst().any() ? code : GREP_KEPT_NOTHING;
    }

    /** Keeps the output open when a command closes it. */
    private static final class Shielded extends FilterOutputStream {
        Shielded(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            flush();
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

    /**
     * Input from the time when the editor had the terminal has carriage returns instead of line
     * feeds.
     */
    private static byte[] cooked(byte[] typed) {
        for (int i = 0; i < typed.length; i++) {
            typed[i] = typed[i] == '\r' ? (byte) '\n' : typed[i];
        }
        return typed;
    }

    private void forward(Invocation invocation, AtomicBoolean over) {
        try {
            if (!invocation.awaitAccepted()) {
                return;
            }
            if (!interactive) {
                invocation.input(END);
                return;
            }
            while (!over.get()) {
                byte[] typed = input.take(POLL_MILLIS);
                if (typed != null) {
                    invocation.input(edited ? cooked(typed) : typed);
                    if (typed.length == 0) {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            // The command ended first; its remaining input is dropped.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

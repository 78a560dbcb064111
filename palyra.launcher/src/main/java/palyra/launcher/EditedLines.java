package palyra.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.impl.AbstractPosixTerminal;
import org.jline.terminal.impl.PosixSysTerminal;
import org.jline.utils.InfoCmp;

/**
 * Lines edited at the terminal, with history and completion, by JLine. No class that is loaded
 * without an interactive prompt refers to JLine.
 */
final class EditedLines implements Lines {
    /** In this order: calls of the C library, then stty(1). The others would unpack a library. */
    private static final String PROVIDERS = "ffm,exec";

    private final Terminal terminal;
    private final LineReader reader;

    private EditedLines(Terminal terminal, LineReader reader) {
        this.terminal = terminal;
        this.reader = reader;
    }

    /** Returns completions for the last of the given words, which may be empty. */
    interface Completer extends UnaryOperator<List<String>> {}

    /**
     * Takes the terminal of this process.
     *
     * @param type what kind of terminal it is, as TERM names it
     * @param history the file of the lines typed before; null to keep none
     * @return empty when JLine cannot use the terminal
     */
    static Optional<Lines> open(TypedInput input, String type, Path history, Completer completer) {
        try {
            InfoCmp.getInfoCmp(type); // fails for a kind that neither JLine nor the system knows
            Terminal system =
                    TerminalBuilder.builder()
                            .system(true)
                            .providers(PROVIDERS)
                            .type(type)
                            .dumb(false)
                            .encoding(StandardCharsets.UTF_8)
                            .signalHandler(Terminal.SignalHandler.SIG_IGN)
                            .build();
            return system instanceof AbstractPosixTerminal posix && !isDumb(system)
                    ? Optional.of(over(posix, input, history, completer))
                    : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException | RuntimeException | LinkageError e) {
            // The prompt works without editing.
            return Optional.empty();
        }
    }

    private static boolean isDumb(Terminal terminal) {
        return terminal.getType().startsWith(Terminal.TYPE_DUMB);
    }

    /** The same terminal once more, so that a command's input is never lost to JLine. */
    private static EditedLines over(
            AbstractPosixTerminal system, TypedInput input, Path history, Completer completer)
            throws IOException {
        Terminal terminal =
                new PosixSysTerminal(
                        system.getName(),
                        system.getType(),
                        new TypedPty(system.getPty(), input),
                        StandardCharsets.UTF_8,
                        false,
                        Terminal.SignalHandler.SIG_IGN);
        return new EditedLines(terminal, reader(terminal, history, completer));
    }

    static LineReader reader(Terminal terminal, Path history, Completer completer) {
        LineReaderBuilder builder =
                LineReaderBuilder.builder()
                        .appName("palyra")
                        .terminal(terminal)
                        .parser(new TypedLine.Parser())
                        .completer(
                                (reader, line, candidates) ->
                                        completer
                                                .apply(line.words())
                                                .forEach(word -> candidates.add(candidate(word))))
                        // A message may hold !, and nothing else expands either.
                        .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                        .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
                        .option(LineReader.Option.HISTORY_INCREMENTAL, true)
                        // Behind output without a line feed the prompt begins a line of its own.
                        .option(LineReader.Option.AUTO_FRESH_LINE, true);
        if (history != null) {
            builder.variable(LineReader.HISTORY_FILE, history);
        }
        return builder.build();
    }

    private static Candidate candidate(String word) {
        return new Candidate(word);
    }

    @Override
    public Optional<String> next() {
        while (true) {
            try {
                return Optional.of(reader.readLine(SIGN));
            } catch (UserInterruptException e) {
                // Ctrl-C: the next prompt, and what was typed is dropped.
            } catch (EndOfFileException e) {
                return Optional.empty();
            }
        }
    }

    @Override
    public void interrupted() {
        // JLine hears of it itself while it reads.
    }

    @Override
    public void close() {
        try {
            terminal.close();
        } catch (IOException e) {
            // It is gone.
        }
    }
}

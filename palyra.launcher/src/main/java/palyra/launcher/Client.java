package palyra.launcher;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import palyra.shared.socket.FrameChannel;

/**
 * The command line client: {@code ./palyra status} and every other command that the launcher script
 * does not run itself. Sends the argument list unchanged to the gateway of {@code PALYRA_STATE},
 * copies the streams, and exits with the command's exit code. Without arguments, or with {@code
 * shell}, it opens the prompt.
 */
public final class Client {
    /** Environment variables that are sent to the gateway; no others are. */
    private static final Set<String> ENVIRONMENT =
            Set.of("TERM", "NO_COLOR", "LANG", "LC_ALL", "TZ");

    private static final File TTY = new File("/dev/tty");

    private final Path state;
    private final Map<String, String> environment;
    private final Terminal terminal;
    private final InputStream in;
    private final OutputStream out;
    private final OutputStream err;
    private final Duration exitPatience;
    private final Duration socketPatience;

    /**
     * Creates a client.
     *
     * @param exitPatience how long a command may take to stop after a signal
     * @param socketPatience how long to wait for a running gateway to accept commands
     */
    Client(
            Path state,
            Map<String, String> environment,
            InputStream in,
            OutputStream out,
            OutputStream err,
            Duration exitPatience,
            Duration socketPatience) {
        this.socketPatience = socketPatience;
        this.state = state;
        this.environment = Map.copyOf(environment);
        this.terminal = Terminal.of(environment);
        this.in = in;
        this.out = out;
        this.err = err;
        this.exitPatience = exitPatience;
    }

    /**
     * Runs one command, or the prompt.
     *
     * @param arguments the command and its arguments; empty, or {@code shell} alone, for the prompt
     */
    public static void main(String[] arguments) {
        List<String> argv = Arrays.asList(arguments);
        String state = System.getenv().getOrDefault("PALYRA_STATE", "");
        if (state.isEmpty()) {
            say(
                    new FileOutputStream(FileDescriptor.err),
                    "PALYRA_STATE must name the state folder; palyra sets it by itself");
            System.exit(ExitCode.USAGE.code());
        }
        Client client =
                onStandardStreams(Path.of(state).toAbsolutePath().normalize(), System.getenv());
        boolean prompt = argv.isEmpty() || argv.equals(List.of("shell"));
        // Halt, not exit: no shutdown hook or reader thread may delay the caller's shell.
        Runtime.getRuntime().halt(prompt ? client.prompt() : client.command(argv));
    }

    /** A client on this process's own streams, unbuffered: bytes pass as they come. */
    static Client onStandardStreams(Path state, Map<String, String> environment) {
        return new Client(
                state,
                environment,
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                Invocation.EXIT_PATIENCE,
                CommandSocket.PATIENCE);
    }

    /** Runs one command with this process's standard input as its own. */
    int command(List<String> argv) {
        return run(argv, new StandardInput(in));
    }

    /** Reads commands line by line until the end of input, {@code exit} or {@code quit}. */
    int prompt() {
        return new Prompt(
                        this,
                        state,
                        in,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        terminal,
                        environment.getOrDefault("TERM", ""))
                .run();
    }

    /** Where a command's standard input comes from while it runs. */
    interface InputSource {
        /** Starts feeding; the returned handle stops it. Must not block. */
        AutoCloseable feed(Invocation invocation);
    }

    /**
     * Where a command's output goes.
     *
     * @param terminal which of the streams are a terminal
     * @param patience how long to wait for a running gateway to accept commands
     */
    record Output(OutputStream out, OutputStream err, Terminal terminal, Duration patience) {}

    /** A sink that replaces the terminal as standard output, as a pipe does. */
    Output output(OutputStream instead) {
        return new Output(
                instead, err, new Terminal(false, false, terminal.error()), socketPatience);
    }

    int run(List<String> argv, InputSource input) {
        return run(argv, input, new Output(out, err, terminal, socketPatience));
    }

    int run(List<String> argv, InputSource input, Output output) {
        Path socket = StateFolder.commandSocket(state);
        CommandSocket gateway =
                new CommandSocket(
                        state, socket, output.patience(), notice -> say(output.err(), notice));
        try {
            while (true) {
                try {
                    return run(gateway.connect(), argv, input, output);
                } catch (RequestNotAcceptedException e) {
                    gateway.awaitRetry(e);
                }
            }
        } catch (InterruptedIOException e) {
            say(output.err(), Problems.oneLine(e));
            return ExitCode.INTERRUPTED.code();
        } catch (LocalOutput.Refused e) {
            return refused(e, output.err());
        } catch (IOException e) {
            boolean json =
                    argv.stream().takeWhile(word -> !word.equals("--")).anyMatch("--json"::equals);
            return failed(socket, e, output.err(), json);
        }
    }

    private int run(FrameChannel channel, List<String> argv, InputSource input, Output output)
            throws IOException {
        try (TerminalEcho echo = new TerminalEcho(terminal.input(), TTY);
                Invocation invocation =
                        Invocation.open(
                                channel,
                                request(argv, output.terminal()),
                                new ConcealingOutput(new LocalOutput(output.out()), echo),
                                output.err(),
                                exitPatience)) {
            return converse(invocation, input);
        }
    }

    private int converse(Invocation invocation, InputSource input) throws IOException {
        try (Signals.Restore interrupt = Signals.on("INT", () -> invocation.signal("INT"));
                Signals.Restore terminate = Signals.on("TERM", () -> invocation.signal("TERM"));
                Signals.Restore resize = Signals.on("WINCH", () -> resized(invocation));
                Feeding feeding = new Feeding(input.feed(invocation))) {
            return invocation.await();
        }
    }

    /** Stops the input feed without letting its checked exception out. */
    private record Feeding(AutoCloseable feed) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try {
                feed.close();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }

    private static void resized(Invocation invocation) {
        Terminal.ask()
                .ifPresent(
                        size -> {
                            try {
                                invocation.resize(size);
                            } catch (IOException e) {
                                // The command is ending; its exit code is on the way.
                            }
                        });
    }

    private Invocation.Request request(List<String> argv, Terminal streams) {
        Map<String, String> env =
                environment.entrySet().stream()
                        .filter(entry -> ENVIRONMENT.contains(entry.getKey()))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return new Invocation.Request(
                argv,
                streams,
                terminal.size(environment),
                Path.of("").toAbsolutePath().toString(),
                env);
    }

    /** Silent where the reader has had enough, as with other programs. */
    private static int refused(LocalOutput.Refused problem, OutputStream to) {
        if (problem.readerGone()) {
            return ExitCode.READER_GONE.code();
        }
        say(to, "standard output cannot be written: " + Problems.oneLine(problem));
        return ExitCode.MEDIUM.code();
    }

    private int failed(Path socket, IOException problem, OutputStream to, boolean json) {
        boolean noGateway =
                problem instanceof GatewayUnresponsiveException
                        || problem instanceof ConnectException
                        || problem instanceof SocketException;
        ExitCode code = noGateway ? ExitCode.NO_GATEWAY : ExitCode.PROTOCOL;
        String message = sentence(socket, problem, noGateway);
        if (json) {
            Map<String, Object> error = new LinkedHashMap<>();
            error.put("code", noGateway ? "GATEWAY_UNAVAILABLE" : "INTERNAL");
            error.put("message", message);
            write(to, Json.write(Map.of("error", error)));
        } else {
            say(to, message);
        }
        return code.code();
    }

    private String sentence(Path socket, IOException problem, boolean noGateway) {
        if (problem instanceof GatewayUnresponsiveException) {
            return problem.getMessage();
        }
        if (noGateway && Files.exists(state) && !Files.isReadable(state)) {
            return "the state folder "
                    + state
                    + " belongs to another user; run this as its owner or as root";
        }
        return noGateway
                ? "no gateway is running for state folder " + state + "; start one with palyra up"
                : "the command socket " + socket + " failed: " + Problems.oneLine(problem);
    }

    void complain(String message) {
        say(err, message);
    }

    private static void say(OutputStream to, String message) {
        write(to, "palyra: " + message);
    }

    private static void write(OutputStream to, String line) {
        try {
            to.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            to.flush();
        } catch (IOException e) {
            // The reader is gone; the exit code still reports the result.
        }
    }
}

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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import palyra.shared.socket.FrameChannel;

/**
 * The outside command: {@code ./palyra status} and every other word that the launcher script does
 * not keep for itself. Sends the argument list as it is to the gateway that runs on {@code
 * PALYRA_STATE}, copies the streams, and ends with the command's exit code. Without arguments, or
 * with {@code shell}, it is a prompt.
 */
public final class Client {
    /** What a command may learn of the caller's environment; nothing else leaves this process. */
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
     * @param exitPatience how long a command that was asked to stop may take
     * @param socketPatience how long a gateway that runs may take no commands
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
     * @param arguments the command and its arguments; none, or {@code shell} alone, for the prompt
     */
    public static void main(String[] arguments) {
        List<String> argv = Arrays.asList(arguments);
        String state = System.getenv().getOrDefault("PALYRA_STATE", "");
        if (state.isEmpty()) {
            say(
                    new FileOutputStream(FileDescriptor.err),
                    "PALYRA_STATE must name the state folder; ./palyra sets it by itself");
            System.exit(ExitCode.USAGE.code());
        }
        Client client =
                onStandardStreams(Path.of(state).toAbsolutePath().normalize(), System.getenv());
        boolean prompt = argv.isEmpty() || argv.equals(List.of("shell"));
        // Halt, not exit: nothing is left to do, and no hook or reader thread may delay the shell.
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
     * @param terminal whether that is a terminal at which a person also types
     * @param patience how long a gateway that runs may take no commands
     */
    record Output(OutputStream out, OutputStream err, boolean terminal, Duration patience) {}

    /** Something that takes standard output instead of the terminal, as a pipe does. */
    Output output(OutputStream instead) {
        return new Output(instead, err, false, socketPatience);
    }

    int run(List<String> argv, InputSource input) {
        return run(argv, input, new Output(out, err, terminal.interactive(), socketPatience));
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
                } catch (NotTakenException e) {
                    gateway.awaitAnother(e);
                }
            }
        } catch (InterruptedIOException e) {
            say(output.err(), Problems.oneLine(e));
            return ExitCode.INTERRUPTED.code();
        } catch (IOException e) {
            return failed(socket, e, output.err());
        }
    }

    private int run(FrameChannel channel, List<String> argv, InputSource input, Output output)
            throws IOException {
        try (Echo echo = new Echo(terminal.input(), TTY);
                Invocation invocation =
                        Invocation.open(
                                channel,
                                request(argv, output.terminal()),
                                new ConcealingOutput(output.out(), echo),
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

    private Invocation.Request request(List<String> argv, boolean atTerminal) {
        Map<String, String> env =
                environment.entrySet().stream()
                        .filter(entry -> ENVIRONMENT.contains(entry.getKey()))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return new Invocation.Request(
                argv,
                atTerminal,
                terminal.size(environment),
                Path.of("").toAbsolutePath().toString(),
                env);
    }

    private int failed(Path socket, IOException problem, OutputStream to) {
        if (problem instanceof SilentGatewayException) {
            say(to, problem.getMessage());
            return ExitCode.NO_GATEWAY.code();
        }
        boolean nobody = problem instanceof ConnectException || problem instanceof SocketException;
        if (nobody && Files.exists(state) && !Files.isReadable(state)) {
            say(
                    to,
                    "the state folder "
                            + state
                            + " belongs to another user; run this as its owner or as root");
            return ExitCode.NO_GATEWAY.code();
        }
        if (nobody) {
            say(
                    to,
                    "no gateway is running for state folder "
                            + state
                            + "; start one with ./palyra up");
            return ExitCode.NO_GATEWAY.code();
        }
        say(to, "the command socket " + socket + " failed: " + Problems.oneLine(problem));
        return ExitCode.PROTOCOL.code();
    }

    void complain(String message) {
        say(err, message);
    }

    private static void say(OutputStream to, String message) {
        try {
            to.write(("palyra: " + message + "\n").getBytes(StandardCharsets.UTF_8));
            to.flush();
        } catch (IOException e) {
            // Nobody is listening any more; the exit code still tells.
        }
    }
}

package palyra.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Options of a start, from the arguments and, by default, the environment.
 *
 * @param home the installation folder, with {@code bundles/} and {@code conf/}
 * @param state the state folder
 * @param workspaces the folder where agents work; beside the state folder unless given
 * @param httpPort the port of the HTTP server; 0 = any free one
 * @param overrides configuration overrides, each {@code PID:key=value}, in the order given
 * @param safe start without connectors and with tools denied
 * @param prompt whether the prompt opens in this terminal
 * @param terminal the terminal of this process
 * @param readyFile where the endpoints are written as JSON once the gateway is ready; may be null
 * @param stopWhenReady stop by itself once ready: the training run of {@code palyra optimize}
 * @param startSeed order in which bundles start is shuffled with this seed; empty = folder order
 * @param execMillis when the script started this JVM, unix milliseconds; empty = unknown
 */
record Options(
        Path home,
        Path state,
        Path workspaces,
        int httpPort,
        List<String> overrides,
        boolean safe,
        Prompting prompt,
        Terminal terminal,
        Path readyFile,
        boolean stopWhenReady,
        OptionalLong startSeed,
        OptionalLong execMillis) {

    /** When the prompt opens. */
    enum Prompting {
        /** If standard input and output are a terminal. */
        AUTO,
        ALWAYS,
        NEVER
    }

    static final int DEFAULT_HTTP_PORT = 7142;

    private static final Pattern OVERRIDE =
            Pattern.compile("[A-Za-z0-9._~-]+:[A-Za-z0-9._-]+=[^\\r\\n]*");

    Options {
        overrides = List.copyOf(overrides);
    }

    Optional<Path> readyFilePath() {
        return Optional.ofNullable(readyFile);
    }

    /** Whether the prompt opens in this terminal. */
    boolean opensConsole() {
        return switch (prompt) {
            case ALWAYS -> !stopWhenReady;
            case NEVER -> false;
            case AUTO -> terminal.interactive() && !stopWhenReady;
        };
    }

    static Options parse(List<String> arguments, Map<String, String> environment)
            throws LaunchException {
        Draft draft = new Draft(environment);
        for (Iterator<String> words = arguments.iterator(); words.hasNext(); ) {
            draft.take(words.next(), words);
        }
        return draft.finish();
    }

    private static LaunchException usage(String message) {
        return new LaunchException(ExitCode.USAGE, message);
    }

    private static int port(String from, String text) throws LaunchException {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Said below, together with a number out of range.
        }
        throw usage(from + " wants a port from 0 (any free one) to 65535: found '" + text + "'");
    }

    /** The options while they are being read. */
    private static final class Draft {
        private final Map<String, String> environment;
        private final List<String> overrides = new ArrayList<>();
        private String httpPort;
        private boolean safe;
        private boolean console;
        private boolean headless;
        private boolean stopWhenReady;

        Draft(Map<String, String> environment) {
            this.environment = environment;
        }

        void take(String word, Iterator<String> rest) throws LaunchException {
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            String name = equals < 0 ? word : word.substring(0, equals);
            String inline = equals < 0 ? null : word.substring(equals + 1);
            switch (name) {
                case "--http-port" -> httpPort = value(name, inline, rest);
                case "--set" -> overrides.add(override(value(name, inline, rest)));
                case "--safe" -> safe = flag(name, inline);
                case "--console" -> console = flag(name, inline);
                case "--headless" -> headless = flag(name, inline);
                case "--stop-when-ready" -> stopWhenReady = flag(name, inline);
                default ->
                        throw usage(
                                "up does not know '"
                                        + word
                                        + "'; it takes --http-port N, --set PID:key=value, --safe,"
                                        + " --console or --headless");
            }
        }

        private static String value(String name, String inline, Iterator<String> rest)
                throws LaunchException {
            if (inline != null) {
                return inline;
            }
            if (!rest.hasNext()) {
                throw usage(name + " wants a value after it");
            }
            return rest.next();
        }

        private static boolean flag(String name, String inline) throws LaunchException {
            if (inline != null) {
                throw usage(name + " takes no value: found '" + inline + "'");
            }
            return true;
        }

        private static String override(String text) throws LaunchException {
            if (!OVERRIDE.matcher(text).matches()) {
                throw usage(
                        "--set wants PID:key=value, for example --set"
                                + " palyra.gateway:maxActiveRuns=4: found '"
                                + text.replaceAll("\\p{Cntrl}", "?")
                                + "'");
            }
            return text;
        }

        Options finish() throws LaunchException {
            if (console && headless) {
                throw usage("--console and --headless exclude each other: give one of them");
            }
            Prompting prompt =
                    console ? Prompting.ALWAYS : headless ? Prompting.NEVER : Prompting.AUTO;
            String ready = environment.get("PALYRA_READY_FILE");
            return new Options(
                    folder("PALYRA_HOME", "the installation folder"),
                    folder("PALYRA_STATE", "the state folder"),
                    workspaces(),
                    chosenPort(),
                    overrides,
                    safe,
                    prompt,
                    Terminal.of(environment),
                    ready == null || ready.isEmpty() ? null : Path.of(ready).toAbsolutePath(),
                    stopWhenReady,
                    number("PALYRA_START_SEED"),
                    number("PALYRA_EXEC_MILLIS"));
        }

        private int chosenPort() throws LaunchException {
            if (httpPort != null) {
                return port("--http-port", httpPort);
            }
            String fromEnvironment = environment.getOrDefault("PALYRA_HTTP_PORT", "");
            return fromEnvironment.isEmpty()
                    ? DEFAULT_HTTP_PORT
                    : port("PALYRA_HTTP_PORT", fromEnvironment);
        }

        private OptionalLong number(String variable) throws LaunchException {
            String text = environment.getOrDefault(variable, "");
            if (text.isEmpty()) {
                return OptionalLong.empty();
            }
            try {
                return OptionalLong.of(Long.parseLong(text));
            } catch (NumberFormatException e) {
                throw usage(variable + " wants a whole number: found '" + text + "'");
            }
        }

        private Path workspaces() throws LaunchException {
            String text = environment.getOrDefault("PALYRA_WORKSPACES", "");
            Path state = folder("PALYRA_STATE", "the state folder");
            Path workspaces =
                    text.isEmpty()
                            ? state.resolveSibling(state.getFileName() + "-workspaces")
                            : Path.of(text).toAbsolutePath().normalize();
            if (workspaces.startsWith(state) || state.startsWith(workspaces)) {
                throw usage(
                        "PALYRA_WORKSPACES="
                                + workspaces
                                + " and the state folder "
                                + state
                                + " contain one another, so agents could reach the gateway's files:"
                                + " choose another");
            }
            return workspaces;
        }

        private Path folder(String variable, String what) throws LaunchException {
            String text = environment.getOrDefault(variable, "");
            if (text.isEmpty()) {
                throw usage(variable + " must name " + what + "; palyra up sets it by itself");
            }
            return Path.of(text).toAbsolutePath().normalize();
        }
    }
}

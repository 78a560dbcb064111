package palyra.sandbox.internal.process;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.api.tool.ToolDescriptor;
import palyra.sandbox.internal.guard.CommandRequest;
import palyra.shared.json.JsonFields;

/**
 * What a caller of the process tools asks for.
 *
 * @param command bare name of a program
 * @param arguments its arguments, passed on byte for byte
 * @param workingFolder where it starts, relative to the workspace; empty means the workspace
 * @param stdin what it reads; absent means the null device
 * @param hosts hosts that it wants to reach, {@code HOST} (port 443) or {@code HOST:PORT}
 * @param protectedPaths protected paths, relative to the workspace, that it is to write
 * @param timeoutMillis wall-clock time; 0 means as configured
 * @param background whether it goes on after the call
 * @param session whether it runs in the sandbox that the commands of its session share
 * @param outlivesRun whether in the background it goes on after the run, too
 * @param terminal whether it has a terminal of its own
 */
public record ProcessInput(
        String command,
        List<String> arguments,
        String workingFolder,
        Optional<String> stdin,
        Set<String> hosts,
        Set<String> protectedPaths,
        long timeoutMillis,
        boolean background,
        boolean session,
        boolean outlivesRun,
        boolean terminal) {
    /** How the folder that a command starts in may be named. */
    static final String CWD = "cwd|working_directory|workdir";

    /** How the longest time, in milliseconds, may be named. */
    static final String TIMEOUT = "timeout_ms|timeout";

    /** How going on after the call may be named. */
    static final String BACKGROUND = "background|run_in_background";

    private static final int MAX_ARGUMENTS = 1_024;
    private static final int MAX_TEXT = 131_072;
    private static final int MAX_STDIN = 1_048_576;
    private static final int MAX_HOSTS = 32;
    private static final int MAX_PROTECTED = 32;
    private static final int MAX_PATH = 4_096;

    /** Below it, a time that is called {@code timeout} was hardly meant in milliseconds. */
    private static final long SECONDS_BELOW = 1_000;

    /** Checks and copies. */
    public ProcessInput {
        Require.text(command, "command");
        arguments = List.copyOf(arguments);
        workingFolder = Require.orEmpty(workingFolder);
        Require.present(stdin, "stdin");
        hosts = Set.copyOf(hosts);
        hosts.forEach(AllowedHost::parse);
        protectedPaths = Set.copyOf(protectedPaths);
        protectedPaths.forEach(path -> Require.that(isWithin(path), "not within: " + path));
    }

    /** Returns the fields of an input; INVALID_ARGUMENT naming one, here and below. */
    static JsonFields fields(ToolDescriptor tool, String json) {
        return JsonFields.ofToolInput(
                tool, json, "args|arguments", "command|cmd|program", CWD, TIMEOUT, BACKGROUND);
    }

    /** Reads the input of a tool that takes a program with its arguments. */
    static ProcessInput ofProgram(JsonFields fields, boolean background) {
        if (fields.get("command").isArray()) {
            throw fields.wrong(
                    "command", "the program as a text, such as \"ls\", and the rest in args");
        }
        return of(
                fields,
                fields.text("command", MAX_TEXT),
                fields.texts("args", MAX_ARGUMENTS, MAX_TEXT),
                background,
                false);
    }

    /**
     * Reads what the inputs of all tools that start a command have.
     *
     * @param session whether it runs in the sandbox of the session unless the input says
     */
    static ProcessInput of(
            JsonFields fields,
            String command,
            List<String> arguments,
            boolean background,
            boolean session) {
        return new ProcessInput(
                command,
                arguments,
                fields.optionalText("cwd", MAX_TEXT).orElse(""),
                fields.optionalText("stdin", MAX_STDIN),
                hosts(fields),
                protectedPaths(fields),
                timeout(fields),
                background,
                fields.flag("session", session),
                fields.flag("outlive_run", false),
                false);
    }

    /** Returns the same with a terminal, or without one. */
    ProcessInput withTerminal(boolean wanted) {
        return new ProcessInput(
                command,
                arguments,
                workingFolder,
                stdin,
                hosts,
                protectedPaths,
                timeoutMillis,
                background,
                session,
                outlivesRun,
                wanted);
    }

    /** What is more than there is is cut later, when it is known how much there is. */
    private static long timeout(JsonFields fields) {
        long millis = millis(fields);
        if (millis > 0 && millis < SECONDS_BELOW && !noteOfUnit(fields).isEmpty()) {
            throw fields.wrong(
                    "timeout_ms",
                    "timeout_ms with milliseconds, such as "
                            + TimeUnit.SECONDS.toMillis(millis)
                            + " for "
                            + millis
                            + " s, since timeout names no unit");
        }
        return millis;
    }

    private static long millis(JsonFields fields) {
        try {
            return fields.number("timeout_ms", 0, 1, Long.MAX_VALUE);
        } catch (PalyraException e) {
            throw fields.wrong(
                    "timeout_ms",
                    "milliseconds as a whole number above 0, such as 60000 for a minute; the"
                            + " description of the tool names the longest time");
        }
    }

    /** Says that a time without a unit was taken as milliseconds; empty when none was given so. */
    static String noteOfUnit(JsonFields fields) {
        return fields.spelling("timeout_ms")
                .filter("timeout"::equals)
                .map(any -> "timeout was taken as milliseconds; call it timeout_ms")
                .orElse("");
    }

    private static Set<String> hosts(JsonFields fields) {
        Set<String> hosts = new LinkedHashSet<>(fields.texts("hosts", MAX_HOSTS, MAX_TEXT));
        try {
            hosts.forEach(AllowedHost::parse);
            return hosts;
        } catch (PalyraException e) {
            throw fields.wrong(
                    "hosts", "each as HOST (port 443) or HOST:PORT, such as registry.example:8443");
        }
    }

    private static Set<String> protectedPaths(JsonFields fields) {
        Set<String> paths = new LinkedHashSet<>();
        for (String given : fields.texts("protected_paths", MAX_PROTECTED, MAX_PATH)) {
            String path = given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
            if (!isWithin(path)) {
                throw fields.wrong(
                        "protected_paths",
                        "each as a path relative to the workspace, without . and .., such as"
                                + " .vscode");
            }
            paths.add(path);
        }
        return paths;
    }

    private static boolean isWithin(String text) {
        try {
            Path path = Path.of(text);
            return !text.isBlank()
                    && !path.isAbsolute()
                    && path.normalize().toString().equals(text)
                    && !path.startsWith("..");
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** Returns that the time asked for is more than there is; empty when it is not. */
    String noteOfTime(long mostMillis) {
        return timeoutMillis <= mostMillis
                ? ""
                : "asked " + timeoutMillis + " ms, the limit is " + mostMillis + " ms";
    }

    /** Returns what the guard looks at. */
    CommandRequest request() {
        return new CommandRequest(command, arguments, workingFolder, hosts, protectedPaths);
    }

    /** Returns the hosts that a proxy is to let through. */
    List<AllowedHost> allowedHosts() {
        return hosts.stream().sorted().map(AllowedHost::parse).toList();
    }
}

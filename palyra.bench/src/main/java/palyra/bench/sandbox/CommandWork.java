package palyra.bench.sandbox;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The process that measures, started as an unprivileged user by {@link MeasuringProcess}: calls the
 * shell tool in the sandbox of a session, in one of its own and with an egress proxy, and builds a
 * project inside and outside, in turns; prints the durations.
 */
public final class CommandWork {
    private static final String TRIVIAL = "true";
    private static final String BUILT = "c-project";

    private final Path own;
    private final Path peer;
    private final SandboxTools tools;
    private final SandboxTools reaching;
    private final Output output;

    private CommandWork(
            Path own, Path peers, SandboxTools tools, SandboxTools reaching, Output output) {
        this.own = own;
        this.peer = peers.resolve(MeasuringProcess.PEER);
        this.tools = tools;
        this.reaching = reaching;
        this.output = output;
    }

    /**
     * Measures and prints to standard output.
     *
     * @param arguments an own folder, the folder of the peer, rounds, calls in each, builds, files
     *     of the project
     */
    public static void main(String[] arguments) throws Exception {
        Output output = new Output(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        Path own = Path.of(arguments[0]);
        try (SandboxTools tools = new SandboxTools(own.resolve("plain"));
                SandboxTools reaching =
                        new SandboxTools(own.resolve("reaching"), "registry.invalid:443")) {
            CommandWork work = new CommandWork(own, Path.of(arguments[1]), tools, reaching, output);
            work.calls(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            work.builds(Integer.parseInt(arguments[4]), Integer.parseInt(arguments[5]));
        }
        System.exit(0);
    }

    private void calls(int rounds, int count) throws Exception {
        tools.shell(TRIVIAL, false);
        output.fact("single", tools.enforcement());
        List<String> bwrap = new ArrayList<>(List.of(peer.toString(), "spawn", "" + count));
        bwrap.addAll(tools.launcher().save(own.resolve("bwrap")));
        tools.shell(TRIVIAL, true);
        output.fact("session", tools.enforcement());
        reaching.shell(TRIVIAL, true);
        output.fact("session-proxy", reaching.enforcement());
        for (int round = -1; round < rounds; round++) {
            print(round, "session", times(count, tools, true));
            print(round, "session-proxy", times(count, reaching, true));
            print(round, "single", times(count, tools, false));
            print(round, "single-proxy", times(count, reaching, false));
            print(round, "c-bwrap", Trials.numbers(own, bwrap));
        }
    }

    private static List<Long> times(int count, SandboxTools tools, boolean shared)
            throws Exception {
        return Trials.times(count, () -> nanos(() -> tools.shell(TRIVIAL, shared)));
    }

    private interface Step {
        void run() throws Exception;
    }

    private static long nanos(Step step) throws Exception {
        long begin = System.nanoTime();
        step.run();
        return System.nanoTime() - begin;
    }

    /** The round before 0 warms up. */
    private void print(int round, String series, List<Long> nanos) throws Exception {
        if (round >= 0) {
            output.round(series, nanos);
        }
    }

    private void builds(int rounds, int files) throws Exception {
        Path outside = own.resolve(BUILT);
        CProject.write(outside, files);
        CProject.write(tools.workspace().resolve(BUILT), files);
        String line = "cd " + BUILT + " && " + CProject.BUILD;
        for (int round = -1; round < rounds; round++) {
            print(round, "build-outside", List.of(nanos(() -> outside(line))));
            print(round, "build-session", List.of(nanos(() -> tools.shell(line, true))));
            print(round, "build-single", List.of(nanos(() -> tools.shell(line, false))));
        }
    }

    private void outside(String line) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("bash", "-c", line)
                        .directory(own.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectInput(Path.of("/dev/null").toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(
                Map.of(
                        "PATH",
                        "/usr/local/bin:/usr/bin:/bin",
                        "HOME",
                        own.toString(),
                        "TMPDIR",
                        Files.createDirectories(own.resolve("tmp")).toString(),
                        "LANG",
                        "C.UTF-8"));
        Process process = builder.start();
        if (process.waitFor() != 0) {
            throw new IllegalStateException(line + " ended with " + process.exitValue());
        }
    }
}

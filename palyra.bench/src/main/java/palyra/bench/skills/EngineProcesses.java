package palyra.bench.skills;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import palyra.bench.Setting;
import palyra.bench.process.PlainUser;
import palyra.bench.report.Report;

/**
 * The engines to measure, each in a process of its own with the JVM flags of the gateway. An engine
 * that cannot run on this machine is left out, and the report says why.
 */
final class EngineProcesses implements AutoCloseable {
    /** Ours, in the gateway's JVM. */
    static final String ENDIVE = "endive";

    /** Ours, in a worker under Tier B. */
    static final String WASMTIME = "wasmtime";

    private static final List<String> FLAGS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-Xms32m",
                    "-Xmx512m",
                    "-Xss512k",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-Dslf4j.internal.verbosity=ERROR");

    private static final List<String> NEEDED =
            List.of(
                    "palyra.bench.skills.EngineMain",
                    "palyra.api.ErrorCode",
                    "palyra.api.core.wasm.WasmEngine",
                    "palyra.shared.gate.Gate",
                    "com.fasterxml.jackson.databind.ObjectMapper",
                    "com.fasterxml.jackson.core.JsonParser",
                    "com.fasterxml.jackson.annotation.JsonProperty",
                    "org.slf4j.LoggerFactory",
                    "palyra.skills.internal.run.SkillRunner",
                    "palyra.skills.engine.endive.internal.EndiveEngine",
                    "palyra.skills.engine.wasmtime.internal.gateway.WasmtimeEngine",
                    "palyra.sandbox.posix.internal.PosixComponent",
                    "palyra.sandbox.tierb.internal.TierBBackend",
                    "com.sun.jna.Native");

    private final String suite;
    private final Report report;
    private final Path root;
    private final Path folder;
    private final Map<String, EngineProcess> engines = new LinkedHashMap<>();

    private EngineProcesses(String suite, Report report) throws IOException {
        this.suite = suite;
        this.report = report;
        this.root = Files.createTempDirectory("palyra-bench-");
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        this.folder = Files.createDirectory(root.resolve("stand"));
    }

    /**
     * Starts engines.
     *
     * @param suite whose facts say what was left out
     * @param kinds which
     */
    static EngineProcesses open(String suite, Report report, List<String> kinds)
            throws IOException, InterruptedException {
        EngineProcesses processes = new EngineProcesses(suite, report);
        try {
            for (String kind : kinds) {
                processes.start(kind);
            }
            return processes;
        } catch (IOException | InterruptedException | RuntimeException e) {
            processes.close();
            throw e;
        }
    }

    private void start(String kind) throws IOException, InterruptedException {
        String obstacle = obstacle(kind);
        if (!obstacle.isEmpty()) {
            String said = "left out: " + obstacle;
            report.fact(suite + "." + kind, said);
            System.err.println("bench: " + suite + ": " + kind + " is " + said);
            return;
        }
        List<String> command = new ArrayList<>(pinned());
        command.addAll(PlainUser.words(folder));
        command.addAll(java(kind));
        PlainUser.tool("chmod", "-R", "a+rX", root.toString());
        engines.put(kind, new EngineProcess(kind, command, folder, root.resolve(kind + ".errors")));
    }

    private static String obstacle(String kind) {
        boolean linux = System.getProperty("os.name").equals("Linux");
        if (kind.equals(WASMTIME) && !linux) {
            return "its worker runs under Tier B, a sandbox of Linux";
        }
        return linux ? PlainUser.obstacle().orElse("") : "";
    }

    /** The first processor that this process may run on. */
    private List<String> pinned() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!PlainUser.onPath("taskset") || !Files.isReadable(status)) {
            report.fact(suite + ".processors", "as many as there are");
            return List.of();
        }
        try (Stream<String> lines = Files.lines(status)) {
            String allowed =
                    lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                            .findFirst()
                            .orElse(": 0");
            String first = allowed.replaceAll("^\\D*(\\d+).*$", "$1");
            report.fact(suite + ".processors", "each engine has processor " + first + " alone");
            return List.of("taskset", "-c", first);
        }
    }

    private List<String> java(String kind) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.add("-Djava.io.tmpdir=" + folder);
        command.add("-cp");
        command.add(PlainUser.classPath(root.resolve(kind), NEEDED));
        command.addAll(List.of(EngineMain.class.getName(), kind, folder.toString()));
        return command;
    }

    /** Returns those that could be had, in the order in which they were asked for. */
    Map<String, EngineProcess> engines() {
        return engines;
    }

    @Override
    public void close() throws IOException {
        engines.values().forEach(EngineProcess::close);
        Setting.delete(root);
    }
}

package palyra.bench.skills;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
 * The engines that are compared, each in a process of its own which works only while it is asked.
 * JVMs have the flags of the gateway's. What cannot be had here is left out, and the report says
 * why.
 */
final class Stage implements AutoCloseable {
    /** Ours, in the gateway's JVM. */
    static final String ENDIVE = "endive";

    /** Ours, in a worker under Tier B. */
    static final String WASMTIME = "wasmtime";

    /** The library of the worker, without the worker. */
    static final String WASMTIME_DIRECT = "wasmtime-direct";

    /** The peer in Java. */
    static final String CHICORY = "chicory";

    /** The peer in C++. */
    static final String V8 = "v8";

    /** Version of Chicory, as in the pom. */
    static final String CHICORY_VERSION = "1.7.5";

    private static final String WASMTIME_VERSION = "0.19.0"; // as in the root's pom

    private static final String SCRIPT = "guests.cjs";
    private static final List<String> FLAGS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-Xms32m",
                    "-Xmx512m",
                    "-Xss512k",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-Dslf4j.internal.verbosity=ERROR");

    private static final List<String> EVERYBODY =
            List.of(
                    "palyra.bench.skills.GuestsMain",
                    "palyra.api.ErrorCode",
                    "palyra.api.core.wasm.WasmEngine",
                    "palyra.shared.gate.Gate",
                    "com.fasterxml.jackson.databind.ObjectMapper",
                    "com.fasterxml.jackson.core.JsonParser",
                    "com.fasterxml.jackson.annotation.JsonProperty",
                    "org.slf4j.LoggerFactory");

    private static final List<String> OURS =
            List.of(
                    "palyra.skills.internal.run.SkillRunner",
                    "palyra.skills.engine.endive.internal.EndiveEngine",
                    "palyra.skills.engine.wasmtime.internal.gateway.WasmtimeEngine",
                    "palyra.sandbox.posix.internal.PosixComponent",
                    "palyra.sandbox.tierb.internal.TierBBackend",
                    "com.sun.jna.Native");

    private static final List<String> CHICORYS =
            List.of(
                    "com.dylibso.chicory.wasm.Parser",
                    "com.dylibso.chicory.runtime.Instance",
                    "com.dylibso.chicory.compiler.MachineFactoryCompiler",
                    "org.objectweb.asm.ClassWriter",
                    "org.objectweb.asm.commons.InstructionAdapter",
                    "org.objectweb.asm.tree.ClassNode",
                    "org.objectweb.asm.tree.analysis.Analyzer",
                    "org.objectweb.asm.util.CheckClassAdapter");

    private static final List<String> DIRECT = List.of("io.github.kawamuray.wasmtime.Engine");

    private final String suite;
    private final Report report;
    private final Path root;
    private final Path folder;
    private final boolean oneCore;
    private final Map<String, Contestant> contestants = new LinkedHashMap<>();

    private Stage(String suite, Report report, boolean oneCore) throws IOException {
        this.suite = suite;
        this.report = report;
        this.oneCore = oneCore;
        this.root = Files.createTempDirectory("palyra-bench-");
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        this.folder = Files.createDirectory(root.resolve("stand"));
    }

    /**
     * Starts engines.
     *
     * @param suite whose facts say what was left out
     * @param oneCore whether each is to run on one processor, the same for all
     * @param kinds which
     */
    static Stage open(String suite, Report report, boolean oneCore, List<String> kinds)
            throws IOException, InterruptedException {
        Stage stage = new Stage(suite, report, oneCore);
        try {
            for (String kind : kinds) {
                stage.start(kind);
            }
            return stage;
        } catch (IOException | InterruptedException | RuntimeException e) {
            stage.close();
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
        command.addAll(PlainUser.words(folder, false));
        command.addAll(kind.equals(V8) ? node() : java(kind));
        PlainUser.tool("chmod", "-R", "a+rX", root.toString());
        contestants.put(
                kind, new Partner(name(kind), command, folder, root.resolve(kind + ".errors")));
    }

    private static String obstacle(String kind) {
        if (kind.equals(V8) && !PlainUser.onPath("node")) {
            return "node is missing: apt install nodejs";
        }
        boolean linux = System.getProperty("os.name").equals("Linux");
        if (kind.equals(WASMTIME) && !linux) {
            return "its worker runs under Tier B, a sandbox of Linux";
        }
        return linux ? PlainUser.obstacle().orElse("") : "";
    }

    private static String name(String kind) throws IOException {
        return switch (kind) {
            case CHICORY -> "Chicory " + CHICORY_VERSION + " compiled";
            case V8 -> "V8 of node " + version();
            case WASMTIME_DIRECT -> "wasmtime-java " + WASMTIME_VERSION;
            default -> kind;
        };
    }

    private static String version() throws IOException {
        Process process = new ProcessBuilder("node", "--version").start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** The first processor that this process may run on. */
    private List<String> pinned() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!oneCore || !PlainUser.onPath("taskset") || !Files.isReadable(status)) {
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
        List<String> needed = new ArrayList<>(EVERYBODY);
        needed.addAll(
                switch (kind) {
                    case CHICORY -> CHICORYS;
                    case WASMTIME_DIRECT -> DIRECT;
                    default -> OURS;
                });
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.add("-Djava.io.tmpdir=" + folder);
        command.add("-cp");
        command.add(PlainUser.classPath(root.resolve(kind), needed));
        command.addAll(List.of(GuestsMain.class.getName(), kind, folder.toString()));
        return command;
    }

    private List<String> node() throws IOException {
        Path script = root.resolve(SCRIPT);
        try (InputStream text = Stage.class.getResourceAsStream(SCRIPT)) {
            Files.copy(text, script);
        }
        return List.of("node", script.toString());
    }

    /** Returns those that could be had, in the order in which they were asked for. */
    Map<String, Contestant> contestants() {
        return contestants;
    }

    @Override
    public void close() throws IOException {
        contestants.values().forEach(Contestant::close);
        Setting.delete(root);
    }
}

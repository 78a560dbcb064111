package palyra.skills.engine.wasmtime.internal.gate;

import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;

/**
 * Starts the worker under Tier B: no network, no files beside the JDK, the program and a scratch
 * folder, limits of memory and processes. Without a Tier B that is ready nothing is started.
 */
public final class TierBStart implements WorkerStart {
    /** Processor time of one worker, which is made to last: a call has its own limits. */
    private static final long CPU_MILLIS = 24L * 3_600_000;

    /** Address space where nothing counts memory: stacks, heap, code and reserved memories. */
    private static final long ADDRESS_SPACE = 6L << 30;

    private static final long SLOT_SPACE = 300L << 20;
    private static final long FILE_BYTES = 16L << 20;
    private static final int OPEN_FILES = 256;
    private static final int PROCESSES = 128;
    private static final String MAIN = "palyra.skills.engine.wasmtime.internal.worker.WorkerMain";

    private final TierBSeam seam;
    private final WasmtimeSettings settings;
    private final String version;
    private final AtomicLong number = new AtomicLong();

    /** Makes it; {@code version} of the binding is what the worker greets with. */
    public TierBStart(TierBSeam seam, WasmtimeSettings settings, String version) {
        this.seam = seam;
        this.settings = settings;
        this.version = version;
    }

    @Override
    public String problem() {
        Optional<BackendStatus> status = seam.status();
        if (status.isEmpty()) {
            return "The wasmtime worker runs under Tier B only, and no such sandbox is there: start"
                    + " palyra.sandbox.tierb, or use the engine endive.";
        }
        return status.get().state() == BackendStatus.State.READY
                ? ""
                : "The wasmtime worker runs under Tier B only, which is not ready: "
                        + status.get().cause()
                        + " "
                        + status.get().remedy();
    }

    @Override
    public WorkerProcess start(WorkerFiles.Installed files, List<String> arguments) {
        SandboxProcess process = seam.start(spec(files, arguments));
        return new Sandboxed(process);
    }

    private SandboxSpec spec(WorkerFiles.Installed files, List<String> arguments) {
        String scratch = files.scratch().toString();
        Path java = Path.of(System.getProperty("java.home"));
        return new SandboxSpec(
                "wasmtime-" + ProcessHandle.current().pid() + "-" + number.incrementAndGet(),
                command(files, arguments, version),
                Map.of("MALLOC_ARENA_MAX", "2", "RAYON_NUM_THREADS", "2"),
                scratch,
                scratch,
                List.of(),
                readable(files, java),
                Egress.STRICT,
                Optional.empty(),
                Set.of(),
                new SandboxLimits(
                        CPU_MILLIS, // nobody ends it by the clock
                        CPU_MILLIS,
                        memory(),
                        PROCESSES + 2 * Runtime.getRuntime().availableProcessors(),
                        FILE_BYTES,
                        OPEN_FILES,
                        1L << 40, // frames, which are no output
                        FILE_BYTES),
                settings.permitMissing(),
                true);
    }

    /** Where a cgroup counts memory it is that; elsewhere it is address space, which is cheap. */
    private long memory() {
        boolean counted =
                seam.status()
                        .map(status -> status.facts().getOrDefault("cgroup", ""))
                        .orElse("")
                        .contains("memory");
        return counted ? settings.memoryBytes() : ADDRESS_SPACE + settings.calls() * SLOT_SPACE;
    }

    /** Returns the command line of a worker; the same however it is started. */
    public static List<String> command(
            WorkerFiles.Installed files, List<String> arguments, String version) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(
                List.of(
                        "-Xmx192m",
                        "-Xss1m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:ReservedCodeCacheSize=32m",
                        "-XX:CompressedClassSpaceSize=32m",
                        "-XX:-UsePerfData",
                        "-XX:-CreateCoredumpOnCrash",
                        "-XX:ErrorFile=" + files.scratch().resolve("hs_err.log"),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + files.scratch(),
                        "-Djava.library.path=" + files.libraryPath(),
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-Dpalyra.wasmtime.version=" + version,
                        "-cp",
                        files.classPath().toString(),
                        MAIN));
        command.addAll(arguments);
        return command;
    }

    private static String java() {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        try {
            return java.toRealPath().toString();
        } catch (java.io.IOException e) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The worker needs a java program, and " + java + " is not there.",
                    e);
        }
    }

    /** Debian keeps the settings of its JDK in /etc, with links to them. */
    private static List<String> readable(WorkerFiles.Installed files, Path java) {
        List<String> paths = new ArrayList<>();
        paths.add(files.folder().toString());
        paths.add(java.toString());
        String settings = "/etc/java-" + Runtime.version().feature() + "-openjdk";
        if (Files.isDirectory(Path.of(settings))) {
            paths.add(settings);
        }
        paths.removeIf(path -> !new File(path).exists());
        return paths;
    }

    private record Sandboxed(SandboxProcess process) implements WorkerProcess {
        private static final long MOMENT_MILLIS = 500;

        @Override
        public InputStream out() {
            return process.stdout();
        }

        @Override
        public InputStream err() {
            return process.stderr();
        }

        @Override
        public OutputStream in() {
            return process.stdin();
        }

        @Override
        public String isolation() {
            return process.enforcement().replaceFirst("^[a-z]+ ", "");
        }

        @Override
        public String ending() {
            try {
                return process.await(MOMENT_MILLIS)
                        .map(
                                end ->
                                        "exit code "
                                                + end.exitCode()
                                                + (end.outOfMemory() ? ", out of memory" : "")
                                                + (end.problem().isEmpty()
                                                        ? ""
                                                        : ", " + end.problem()))
                        .orElse("though its process still runs");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "nobody knows how";
            }
        }

        @Override
        public void close() {
            process.close();
        }
    }
}

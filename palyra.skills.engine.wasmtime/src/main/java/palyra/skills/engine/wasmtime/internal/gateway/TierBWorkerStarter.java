package palyra.skills.engine.wasmtime.internal.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.worker.JavaProgram;
import palyra.shared.worker.SandboxedWorker;
import palyra.shared.worker.TierBSeam;
import palyra.shared.worker.WorkerProcess;

/**
 * Starts the worker under Tier B: no network, no files beside the JDK, the program and a scratch
 * folder, limits of memory and processes. Without a Tier B that is ready nothing is started.
 */
public final class TierBWorkerStarter implements WorkerStarter {
    /** Processor time of one worker, which is made to last: a call has its own limits. */
    private static final long CPU_MILLIS = 24L * 3_600_000;

    private static final long FILE_BYTES = 16L << 20;
    private static final int OPEN_FILES = 256;
    private static final int PROCESSES = 128;
    private static final String MAIN = "palyra.skills.engine.wasmtime.internal.worker.WorkerMain";

    private final TierBSeam seam;
    private final WasmtimeSettings settings;
    private final String version;
    private final AtomicLong number = new AtomicLong();

    /** Makes it; {@code version} of the binding is what the worker greets with. */
    public TierBWorkerStarter(TierBSeam seam, WasmtimeSettings settings, String version) {
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
        return new SandboxedWorker(seam.start(spec(files, arguments)));
    }

    private SandboxSpec spec(WorkerFiles.Installed files, List<String> arguments) {
        String scratch = files.scratch().toString();
        return new SandboxSpec(
                "wasmtime-" + ProcessHandle.current().pid() + "-" + number.incrementAndGet(),
                command(files, arguments, version),
                Map.of("MALLOC_ARENA_MAX", "2", "RAYON_NUM_THREADS", "2"),
                scratch,
                scratch,
                List.of(),
                JavaProgram.readable(List.of(files.folder().toString())),
                Egress.STRICT,
                Optional.empty(),
                Set.of(),
                new SandboxLimits(
                        CPU_MILLIS, // no wall-clock limit
                        CPU_MILLIS,
                        settings.memoryBytes(),
                        PROCESSES + 2 * Runtime.getRuntime().availableProcessors(),
                        FILE_BYTES,
                        OPEN_FILES,
                        1L << 40, // frames, which are no output
                        FILE_BYTES),
                settings.permitMissing(),
                true);
    }

    /** Returns the command line of a worker; the same however it is started. */
    public static List<String> command(
            WorkerFiles.Installed files, List<String> arguments, String version) {
        List<String> command = new ArrayList<>();
        command.add(JavaProgram.path());
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
}

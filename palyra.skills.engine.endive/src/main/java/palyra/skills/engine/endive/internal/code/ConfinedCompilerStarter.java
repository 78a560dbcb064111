package palyra.skills.engine.endive.internal.code;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.worker.JavaProgram;
import palyra.shared.worker.PlainWorker;
import palyra.shared.worker.SandboxedWorker;
import palyra.shared.worker.TierBSeam;
import palyra.shared.worker.WorkerProcess;

/**
 * Starts the compiler under Tier B: no network, no files but the JDK, the program and an empty
 * folder, limits of heap, memory, processor time and processes. On a host that has no Tier B it is
 * a plain process with an empty environment, limits of heap and stack, and the engine's own clocks.
 */
public final class ConfinedCompilerStarter implements CompilerStarter {
    private static final String MAIN = "palyra.skills.engine.endive.internal.worker.CompilerMain";

    /** Memory of a JVM beside its heap: classes, code, stacks. */
    private static final long BESIDE_HEAP = 256L << 20;

    private static final long SPARE_CPU_MILLIS = 2_000;
    private static final long FILE_BYTES = 1L << 20;
    private static final int OPEN_FILES = 256;
    private static final int PROCESSES = 64;
    private static final long POLL_MILLIS = 50;

    /** A missing kernel feature does not turn off the rest of the sandbox. */
    private static final Set<String> PERMIT_MISSING = Set.of("landlock", "seccomp", "cgroup");

    private final TierBSeam seam;
    private final Program program;
    private final CompileLimits budget;
    private final long patienceNanos;
    private final long born = System.nanoTime();
    private final AtomicLong number = new AtomicLong();

    /** The program of the compiler. */
    @FunctionalInterface
    public interface Program {
        /** Returns it, with an empty folder by that name to work in. */
        Installed install(String scratch);
    }

    /**
     * A program that can be started.
     *
     * @param classPath its class path
     * @param readable what of it is to be read in the sandbox
     * @param scratch folder to work in, which the caller removes
     * @param done removes the folder
     */
    public record Installed(String classPath, List<String> readable, Path scratch, Cleanup done) {}

    /** Gives a folder back. */
    @FunctionalInterface
    public interface Cleanup {
        /** Removes it. */
        void run() throws IOException;
    }

    /**
     * Makes it.
     *
     * @param patienceMillis how long a Tier B that is not there yet, or is looking at the host, is
     *     waited for
     */
    public ConfinedCompilerStarter(
            TierBSeam seam, Program program, CompileLimits budget, long patienceMillis) {
        this.seam = seam;
        this.program = program;
        this.budget = budget;
        this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    }

    @Override
    public String confinement() {
        return seam.status().filter(status -> status.state() == State.READY).isPresent()
                ? "tier_b"
                : "process";
    }

    /** Returns in a sentence what confines the compiler now. */
    public String sentence() {
        Optional<BackendStatus> status = seam.status();
        if (status.isPresent() && status.get().state() == State.READY) {
            return "Modules of skills are compiled in a process of their own under Tier B.";
        }
        String why =
                status.map(BackendStatus::cause).orElse("no sandbox of Tier B is installed here");
        return "Modules of skills are compiled in a process of their own with limits of heap, stack"
                + " and time, without a sandbox: "
                + why;
    }

    @Override
    public WorkerProcess start(BooleanSupplier stopped) throws InterruptedException {
        boolean sandboxed = sandboxed(stopped);
        String name = "scratch-" + number.incrementAndGet();
        Installed installed = program.install(name);
        WorkerProcess started = null;
        try {
            started =
                    sandboxed
                            ? new SandboxedWorker(seam.start(spec(installed)))
                            : PlainWorker.start(command(installed), installed.scratch(), "none");
            return new Tidy(started, installed.done());
        } finally {
            if (started == null) {
                clean(installed.done());
            }
        }
    }

    /** Returns whether Tier B is ready, waiting for one that may be soon. */
    private boolean sandboxed(BooleanSupplier stopped) throws InterruptedException {
        long from = System.nanoTime();
        while (true) {
            Optional<BackendStatus> status = seam.status();
            long waited = System.nanoTime() - (status.isPresent() ? from : born);
            boolean patient = waited < patienceNanos;
            if (status.isPresent() && status.get().state() != State.PROBING) {
                return status.get().state() == State.READY;
            }
            if (stopped.getAsBoolean()) {
                throw new PalyraException(
                        ErrorCode.CANCELLED, "The compiler was not started: no call waits for it.");
            }
            if (!patient && status.isEmpty()) {
                return false;
            }
            if (!patient) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE,
                        "The compiler was not started: Tier B did not finish looking at this host"
                                + " within "
                                + TimeUnit.NANOSECONDS.toMillis(patienceNanos)
                                + " ms. Try again in a moment.");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private SandboxSpec spec(Installed installed) {
        String scratch = installed.scratch().toString();
        return new SandboxSpec(
                "compile-" + ProcessHandle.current().pid() + "-" + number.incrementAndGet(),
                command(installed),
                Map.of("MALLOC_ARENA_MAX", "2"),
                scratch,
                scratch,
                List.of(),
                JavaProgram.readable(installed.readable()),
                Egress.STRICT,
                Optional.empty(),
                Set.of(),
                new SandboxLimits(
                        budget.wallMillis(),
                        budget.cpuMillis() + SPARE_CPU_MILLIS,
                        budget.heapBytes() + BESIDE_HEAP,
                        PROCESSES + 2 * Runtime.getRuntime().availableProcessors(),
                        FILE_BYTES,
                        OPEN_FILES,
                        CompileLimits.ANSWER_BYTES + FILE_BYTES,
                        FILE_BYTES),
                PERMIT_MISSING,
                true);
    }

    private List<String> command(Installed installed) {
        List<String> command = new ArrayList<>();
        command.add(JavaProgram.path());
        command.addAll(
                List.of(
                        "-Xmx" + budget.heapBytes(),
                        "-Xss1m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:ReservedCodeCacheSize=32m",
                        "-XX:CompressedClassSpaceSize=32m",
                        "-XX:MaxMetaspaceSize=64m",
                        "-XX:MaxDirectMemorySize=8m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-XX:+DisableAttachMechanism",
                        "-XX:-UsePerfData",
                        "-XX:-CreateCoredumpOnCrash",
                        "-XX:ErrorFile=" + installed.scratch().resolve("hs_err.log"),
                        "-Djava.io.tmpdir=" + installed.scratch(),
                        "-cp",
                        installed.classPath(),
                        MAIN));
        return command;
    }

    private static void clean(Cleanup done) {
        try {
            done.run();
        } catch (IOException e) {
            return; // an empty folder stays until the next start of the gateway
        }
    }

    /** Gives the folder back with the process. */
    private record Tidy(WorkerProcess worker, Cleanup done) implements WorkerProcess {
        @Override
        public java.io.InputStream out() {
            return worker.out();
        }

        @Override
        public java.io.InputStream err() {
            return worker.err();
        }

        @Override
        public java.io.OutputStream in() {
            return worker.in();
        }

        @Override
        public String isolation() {
            return worker.isolation();
        }

        @Override
        public long cpuMillis() {
            return worker.cpuMillis();
        }

        @Override
        public Optional<Ending> await(long millis) throws InterruptedException {
            return worker.await(millis);
        }

        @Override
        public void close() {
            worker.close();
            clean(done);
        }
    }
}

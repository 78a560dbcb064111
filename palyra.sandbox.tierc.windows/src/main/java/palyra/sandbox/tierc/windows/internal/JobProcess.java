package palyra.sandbox.tierc.windows.internal;

import com.sun.jna.ptr.IntByReference;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.tierc.windows.internal.JobSpawner.Spawned;
import palyra.sandbox.tierc.windows.internal.win.JobAccounting;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;

/** A process in a job of its own. */
final class JobProcess implements SandboxProcess {
    private static final int SLICE_MILLIS = 50;
    private static final long KILL_MILLIS = 1_000;
    private static final long KILL_PAUSE_MILLIS = 10;
    private static final int CPU_USED_UP = 152; // what a tool of POSIX ends with at its limit
    private static final int STATUS_NO_MEMORY = 0xC000_0017;
    private static final int STATUS_COMMITMENT_LIMIT = 0xC000_012D;

    private final Kernel32 kernel;
    private final Spawned spawned;
    private final String enforcement;
    private final Runnable afterwards;
    private final InputStream stdout;
    private final InputStream stderr;
    private final OutputStream stdin;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Wraps what was started.
     *
     * @param afterwards gives back what the run had beside its process
     */
    JobProcess(Kernel32 kernel, Spawned spawned, String enforcement, Runnable afterwards) {
        this.kernel = kernel;
        this.spawned = spawned;
        this.enforcement = enforcement;
        this.afterwards = afterwards;
        this.stdout = new PipeInput(kernel, spawned.stdout());
        this.stderr = new PipeInput(kernel, spawned.stderr());
        this.stdin =
                spawned.stdin() == null ? closedStream() : new PipeOutput(kernel, spawned.stdin());
    }

    private static OutputStream closedStream() {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("the command has no standard input");
            }
        };
    }

    @Override
    public long pid() {
        return spawned.pid();
    }

    @Override
    public InputStream stdout() {
        return stdout;
    }

    @Override
    public InputStream stderr() {
        return stderr;
    }

    @Override
    public OutputStream stdin() {
        return stdin;
    }

    /** Waits in slices, since Windows knows nothing of interruptions of a Java thread. */
    @Override
    public Optional<ExitReport> await(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            if (Thread.interrupted()) {
                throw new InterruptedException("waiting for a command");
            }
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            int slice = (int) Math.max(0, Math.min(left, SLICE_MILLIS));
            Optional<ExitReport> report = ended(slice);
            if (report.isPresent() || left <= 0) {
                return report;
            }
        }
    }

    private Optional<ExitReport> ended(int millis) {
        try {
            return spawned.process()
                    .use(
                            process ->
                                    switch (kernel.WaitForSingleObject(process, millis)) {
                                        case Kernel32.WAIT_OBJECT_0 -> Optional.of(report(process));
                                        case Kernel32.WAIT_TIMEOUT -> Optional.empty();
                                        default -> throw Failures.of(kernel, "WaitForSingleObject");
                                    });
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.CONFLICT, "The command was closed; ask before closing it.", e);
        }
    }

    private ExitReport report(com.sun.jna.Pointer process) {
        IntByReference code = new IntByReference();
        if (!kernel.GetExitCodeProcess(process, code)) {
            throw Failures.of(kernel, "GetExitCodeProcess");
        }
        return switch (code.getValue()) {
            // what the job ends its processes with when their time is used up
            case Kernel32.ERROR_NOT_ENOUGH_QUOTA -> new ExitReport(true, CPU_USED_UP, "", false);
            case STATUS_NO_MEMORY, STATUS_COMMITMENT_LIMIT ->
                    new ExitReport(true, Job.KILLED, "", true);
            default -> new ExitReport(true, code.getValue(), "", false);
        };
    }

    @Override
    public Usage usage() {
        return new Usage(spawned.job().cpuMillis(), spawned.job().peakBytes(), true);
    }

    @Override
    public int kill() {
        if (closed.get()) {
            return 0; // the last handle of the job is gone, and all of its processes with it
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(KILL_MILLIS);
        spawned.job().terminate();
        int left = active();
        while (left != 0 && System.nanoTime() < deadline) {
            try {
                Thread.sleep(KILL_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return active();
            }
            spawned.job().terminate();
            left = active();
        }
        return left;
    }

    /** When the job cannot be asked, one process is taken to be alive: it is not confirmed dead. */
    private int active() {
        Optional<JobAccounting> accounting = spawned.job().accounting();
        return accounting.map(info -> info.activeProcesses).orElse(1);
    }

    @Override
    public String enforcement() {
        return enforcement;
    }

    @Override
    public void close() {
        kill();
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        spawned.job().close();
        spawned.process().close();
        spawned.stdout().close();
        spawned.stderr().close();
        if (spawned.stdin() != null) {
            spawned.stdin().close();
        }
        afterwards.run();
    }
}

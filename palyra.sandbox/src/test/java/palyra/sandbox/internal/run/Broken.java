package palyra.sandbox.internal.run;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import palyra.api.core.sandbox.SandboxProcess;

/** A process of which single answers are others. */
public final class Broken implements SandboxProcess {
    private final SandboxProcess process;
    private Usage usage; // null means as it is
    private boolean usageFails;
    private ExitReport exit;
    private int leftBehind;

    private Broken(SandboxProcess process) {
        this.process = process;
    }

    public static Broken of(SandboxProcess process) {
        return new Broken(process);
    }

    Broken usage(long cpuMillis, long peakMemoryBytes, boolean wholeTree) {
        usage = new Usage(cpuMillis, peakMemoryBytes, wholeTree);
        return this;
    }

    Broken failingUsage() {
        usageFails = true;
        return this;
    }

    Broken exit(boolean started, int exitCode, String problem, boolean outOfMemory) {
        exit = new ExitReport(started, exitCode, problem, outOfMemory);
        return this;
    }

    public Broken leftBehind(int count) {
        leftBehind = count;
        return this;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public InputStream stdout() {
        return process.stdout();
    }

    @Override
    public InputStream stderr() {
        return process.stderr();
    }

    @Override
    public OutputStream stdin() {
        return process.stdin();
    }

    @Override
    public Optional<ExitReport> await(long millis) throws InterruptedException {
        return process.await(millis).map(report -> exit == null ? report : exit);
    }

    @Override
    public Usage usage() {
        if (usageFails) {
            throw new IllegalStateException("the cgroup is gone");
        }
        return usage == null ? process.usage() : usage;
    }

    @Override
    public int kill() {
        return process.kill() + leftBehind;
    }

    @Override
    public String enforcement() {
        return process.enforcement();
    }

    @Override
    public void close() {
        process.close();
    }
}

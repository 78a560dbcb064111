package palyra.sandbox.tierc.macos.internal;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.tierc.macos.internal.watch.Family;
import palyra.sandbox.tierc.macos.internal.watch.Watchdog;
import palyra.sandbox.tierc.macos.internal.watch.Watchdog.Verdict;

/** A process of the launcher, with what macOS needs beside it: a watchdog, a bridge, a folder. */
final class MacProcess implements SandboxProcess {
    private static final int KILLED = 128 + 9;
    private static final int CPU_USED_UP = 128 + 24; // SIGXCPU, as RLIMIT_CPU would have it

    private final SandboxProcess process;
    private final Family family;
    private final Watchdog watchdog;
    private final Runnable afterwards;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Wraps a process.
     *
     * @param afterwards gives back what the run had, once its processes are dead
     */
    MacProcess(SandboxProcess process, Family family, Watchdog watchdog, Runnable afterwards) {
        this.process = process;
        this.family = family;
        this.watchdog = watchdog;
        this.afterwards = afterwards;
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
        return process.await(millis).map(this::judged);
    }

    /** A command that ended by itself before the watchdog's signal came keeps its own exit code. */
    private ExitReport judged(ExitReport report) {
        if (!report.started() || report.exitCode() != KILLED) {
            return report;
        }
        return switch (watchdog.verdict()) {
            case MEMORY -> new ExitReport(true, KILLED, "", true);
            case CPU -> new ExitReport(true, CPU_USED_UP, "", false);
            case NONE, PROCESSES, BLIND -> report;
        };
    }

    @Override
    public Usage usage() {
        return new Usage(watchdog.cpuMillis(), watchdog.peakBytes(), true);
    }

    @Override
    public int kill() {
        family.look(); // members of the group stay known when their parent has ended
        int left = process.kill();
        return Math.max(left, family.kill());
    }

    @Override
    public String enforcement() {
        Verdict verdict = watchdog.verdict();
        return verdict == Verdict.NONE
                ? process.enforcement()
                : process.enforcement() + " ended-for=" + verdict.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            watchdog.close();
            kill();
        } finally {
            try {
                process.close();
            } finally {
                afterwards.run();
            }
        }
    }
}

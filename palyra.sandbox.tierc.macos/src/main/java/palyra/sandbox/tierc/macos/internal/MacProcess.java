package palyra.sandbox.tierc.macos.internal;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.tierc.macos.internal.watch.Family;
import palyra.sandbox.tierc.macos.internal.watch.Watchdog;
import palyra.sandbox.tierc.macos.internal.watch.Watchdog.Verdict;
import palyra.shared.confine.OwnedProcess;

/** A process of the launcher, with what macOS needs beside it: a watchdog, a bridge, a folder. */
final class MacProcess extends OwnedProcess {
    private static final int KILLED = 128 + 9;
    private static final int CPU_USED_UP = 128 + 24; // SIGXCPU, as RLIMIT_CPU would have it

    private final Family family;
    private final Watchdog watchdog;
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * Wraps a process.
     *
     * @param afterwards gives back what the run had, once its processes are dead
     */
    MacProcess(SandboxProcess process, Family family, Watchdog watchdog, Runnable afterwards) {
        super(process, afterwards);
        this.family = family;
        this.watchdog = watchdog;
    }

    @Override
    public Optional<ExitReport> await(long millis) throws InterruptedException {
        return super.await(millis).map(this::judged);
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
        int left = super.kill();
        return Math.max(left, family.kill());
    }

    @Override
    public String enforcement() {
        Verdict verdict = watchdog.verdict();
        return verdict == Verdict.NONE
                ? super.enforcement()
                : super.enforcement() + " ended-for=" + verdict.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() {
        try {
            if (ended.compareAndSet(false, true)) {
                watchdog.close();
                kill();
            }
        } finally {
            super.close();
        }
    }
}

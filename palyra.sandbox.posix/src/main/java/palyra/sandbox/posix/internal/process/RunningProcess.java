package palyra.sandbox.posix.internal.process;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.cgroup.Cgroup;
import palyra.sandbox.posix.internal.kernel.RemainingProcesses;
import palyra.sandbox.posix.internal.supervise.Supervisor;

/** A command that was started. Its waiting thread calls {@link #end} when the command has ended. */
public final class RunningProcess implements SandboxProcess {
    private static final long REMOVE_MILLIS = 300;
    private static final String WITHDRAWN =
            "The launcher of processes (palyra.sandbox.posix) is being replaced or removed, which ends"
                    + " what it has started.";

    private final Parts parts;
    private final ProcessTreeKiller killer;
    private final UsageReader usageReader;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private volatile ExitReport report;
    private volatile Usage lastUsage; // once nothing can be measured any more
    private volatile boolean killed;
    private volatile boolean withdrawn;
    private volatile boolean exhausted;
    private volatile long peakBytes = -1; // of what was measured; -1 before
    private volatile long usedMillis = -1; // processor time that was measured; -1 before
    private boolean clean; // guarded by lock; it has ended and nothing of it is left
    private boolean unconfirmed; // guarded by lock; the last kill did not see all of them end
    private boolean closed; // guarded by lock
    private boolean reapable; // guarded by lock; it has ended and its report is written

    /**
     * Its parts.
     *
     * @param status null when the process writes no status lines
     * @param remaining knows whether any process is left; empty where the kernel does not report it
     * @param supervisor makes calls for its processes; empty where none is wanted
     * @param onClose called once, when it was closed
     * @param memoryBytes memory of all its processes that is measured, as no cgroup counts it; 0
     *     when one does, or there is no such limit
     * @param holder process whose sandbox it runs in, which ends what it leaves behind; empty when
     *     it has its own
     * @param busyCgroups takes cgroups that could not be removed yet
     */
    public record Parts(
            Child child,
            Mark mark,
            Streams streams,
            Optional<Cgroup> group,
            StatusReader status,
            Optional<RemainingProcesses> remaining,
            Optional<Supervisor> supervisor,
            ProcessTable table,
            ProcessSweeper sweep,
            Counters counters,
            String enforcement,
            long memoryBytes,
            Optional<RunningProcess> holder,
            Consumer<RunningProcess> onClose,
            Consumer<Cgroup> busyCgroups) {}

    RunningProcess(Parts parts) {
        this.parts = parts;
        usageReader = new UsageReader(parts.table(), parts.group(), parts.child().pid());
        killer = new ProcessTreeKiller(parts, ended);
    }

    @Override
    public long pid() {
        return parts.child().pid();
    }

    @Override
    public long innerPid(long millis) throws InterruptedException {
        return parts.status() == null ? 0 : parts.status().named(millis);
    }

    /** Returns its cgroup, which processes join that enter its sandbox. */
    Optional<Cgroup> group() {
        return parts.group();
    }

    /** Returns whether it may be entered: it runs and was not killed. */
    boolean alive() {
        return ended.getCount() > 0 && !killed;
    }

    @Override
    public InputStream stdout() {
        return parts.streams().stdout();
    }

    @Override
    public InputStream stderr() {
        return parts.streams().stderr();
    }

    @Override
    public OutputStream stdin() {
        return parts.streams().stdin();
    }

    @Override
    public Optional<ExitReport> await(long millis) throws InterruptedException {
        if (millis > 0) {
            ended.await(millis, TimeUnit.MILLISECONDS);
        }
        return ended.getCount() == 0 ? Optional.of(report) : Optional.empty();
    }

    @Override
    public Usage usage() {
        Usage last = lastUsage;
        Usage known = last != null ? last : usageReader.read();
        boolean lost = // parents of killed processes do not know what those used
                killed && parts.memoryBytes() > 0 && usedMillis < 0 && !known.wholeTree();
        return new Usage(
                lost ? -1 : Math.max(known.cpuMillis(), usedMillis),
                Math.max(known.peakMemoryBytes(), peakBytes),
                known.wholeTree());
    }

    /** Takes the processor time that all its processes have used together, in ticks. */
    void used(long ticks) {
        usedMillis = Math.max(usedMillis, ticks * UsageReader.MILLIS_PER_TICK);
    }

    /** Returns its parts. */
    Parts parts() {
        return parts;
    }

    /**
     * Takes what all its processes hold together; ends them when that is more than they may, and
     * returns whether it did.
     */
    boolean measured(long bytes) {
        peakBytes = Math.max(peakBytes, bytes);
        boolean beyond = bytes > parts.memoryBytes() && alive();
        if (beyond) {
            exhausted = true;
            kill();
        }
        return beyond;
    }

    boolean wasKilled() {
        return killed;
    }

    /**
     * Called once by the waiting thread with the report.
     *
     * @param cpuMillis processor time of its first process; -1 if unknown
     */
    void end(ExitReport how, long cpuMillis) {
        lock.lock();
        try {
            report =
                    how.started() && (withdrawn || exhausted)
                            ? new ExitReport(
                                    true,
                                    how.exitCode(),
                                    withdrawn ? WITHDRAWN : how.problem(),
                                    how.outOfMemory() || exhausted,
                                    how.end())
                            : how;
            reapable = true;
            if (closed) {
                parts.child().reap();
            } else {
                lastUsage = parts.group().isPresent() ? null : usageReader.ended(cpuMillis);
            }
        } finally {
            lock.unlock();
        }
        ended.countDown();
    }

    @Override
    public int kill() {
        lock.lock();
        try {
            return killLocked();
        } finally {
            lock.unlock();
        }
    }

    private int killLocked() {
        if (clean || closed) {
            return 0;
        }
        boolean running = ended.getCount() > 0;
        if (running) {
            killed = true;
            parts.counters().killed();
        }
        int left = killer.kill(lock);
        parts.counters().left(left);
        unconfirmed = left > 0;
        clean = left == 0 && ended.getCount() == 0;
        return left;
    }

    @Override
    public String enforcement() {
        return parts.enforcement();
    }

    /** Ends and closes it because its launcher goes, which its report says. */
    public void withdraw() {
        withdrawn = true;
        close();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (parts.holder().isEmpty() || ended.getCount() > 0) {
                killLocked();
            }
            if (closed) {
                return; // by another thread, while this one waited for the end
            }
            if (lastUsage == null) {
                lastUsage = usageReader.read();
            }
            closed = true;
            if (reapable) {
                parts.child().reap();
            }
        } finally {
            lock.unlock();
        }
        giveBack();
    }

    private void giveBack() {
        parts.streams().close();
        if (unconfirmed) {
            parts.counters().unconfirmed(this::isGone);
        } else {
            parts.remaining().ifPresent(RemainingProcesses::close);
        }
        parts.supervisor().ifPresent(Supervisor::close);
        if (parts.status() != null) {
            parts.status().close();
        }
        parts.group().filter(group -> !group.remove(REMOVE_MILLIS)).ifPresent(parts.busyCgroups());
        parts.onClose().accept(this);
    }

    /** Looks again for what was not seen to end: on a busy machine it ends a moment later. */
    private boolean isGone() {
        boolean gone =
                parts.remaining()
                        .filter(RemainingProcesses::complete)
                        .map(remaining -> remaining.empty(0))
                        .orElseGet(() -> !parts.sweep().finds(parts.mark()));
        if (gone) {
            parts.remaining().ifPresent(RemainingProcesses::close);
        }
        return gone;
    }
}

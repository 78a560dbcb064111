package palyra.sandbox.posix.internal.life;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.cgroup.Group;
import palyra.sandbox.posix.internal.kernel.Census;
import palyra.sandbox.posix.internal.supervise.Supervisor;

/** A command that was started. Its waiting thread tells it when the command has ended. */
public final class RunningProcess implements SandboxProcess {
    private static final long REMOVE_MILLIS = 300;

    private final Parts parts;
    private final ProcessTreeKiller killer;
    private final Meter meter;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private volatile ExitReport report;
    private volatile Usage lastUsage; // once nothing can be measured any more
    private volatile boolean killed;
    private boolean clean; // guarded by lock; it has ended and nothing of it is left
    private boolean closed; // guarded by lock
    private boolean reapable; // guarded by lock; it has ended and its report is written

    /**
     * What it is made of.
     *
     * @param status null when the process writes no status lines
     * @param census knows whether any process is left; empty where the kernel does not tell
     * @param supervisor makes calls for its processes; empty where none is wanted
     * @param forget called once, when it was closed
     * @param remains takes cgroups that could not be removed yet
     */
    public record Parts(
            Child child,
            Mark mark,
            Streams streams,
            Optional<Group> group,
            StatusReader status,
            Optional<Census> census,
            Optional<Supervisor> supervisor,
            ProcessTable table,
            Sweep sweep,
            Counters counters,
            String enforcement,
            Consumer<RunningProcess> forget,
            Consumer<Group> remains) {}

    RunningProcess(Parts parts) {
        this.parts = parts;
        meter = new Meter(parts.table(), parts.group(), parts.child().pid());
        killer = new ProcessTreeKiller(parts, ended);
    }

    @Override
    public long pid() {
        return parts.child().pid();
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
        return last != null ? last : meter.read();
    }

    boolean wasKilled() {
        return killed;
    }

    /**
     * The waiting thread says how it ended, once.
     *
     * @param cpuMillis processor time of its first process; -1 if unknown
     */
    void end(ExitReport how, long cpuMillis) {
        lock.lock();
        try {
            report = how;
            reapable = true;
            if (closed) {
                parts.child().reap();
            } else {
                lastUsage = parts.group().isPresent() ? null : meter.ended(cpuMillis);
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
        clean = left == 0 && ended.getCount() == 0;
        return left;
    }

    @Override
    public String enforcement() {
        return parts.enforcement();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            killLocked();
            if (closed) {
                return; // by another thread, while this one waited for the end
            }
            if (lastUsage == null) {
                lastUsage = meter.read();
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
        parts.census().ifPresent(Census::close);
        parts.supervisor().ifPresent(Supervisor::close);
        if (parts.status() != null) {
            parts.status().close();
        }
        parts.group().filter(group -> !group.remove(REMOVE_MILLIS)).ifPresent(parts.remains());
        parts.forget().accept(this);
    }
}

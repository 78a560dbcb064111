package palyra.sandbox.internal.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.internal.git.GitProtection;
import palyra.sandbox.internal.output.CapturedOutput;
import palyra.sandbox.internal.output.OutputSignal;

/**
 * One command while it runs. The thread that started it must call {@link #await}: launchers tie a
 * sandbox to the thread that started it. Everything else may be called from any thread.
 */
public final class LiveRun {
    private static final Logger LOG = LoggerFactory.getLogger(LiveRun.class);

    /** Most processes that {@link #leftRunning} counts. */
    public static final int MOST_LEFT = 200;

    /** The fact of an enforcement in which each command has a limit of memory by itself. */
    private static final String MEASURED = " memory=measured";

    /** How long the end of a session's sandbox may take to be told. */
    private static final long VERDICT_MILLIS = 5_000;

    /** Each takes three threads of the gateway. */
    private static final int MOST_HELD_OUTPUTS = 32;

    private final RunOrder order;
    private final Optional<DiskMonitor> disk;
    private volatile OnlyChild helper; // of a session; null when it is not known
    private volatile GitProtection.Call git = GitProtection.Call.NONE;
    private final String executor;
    private final OutputSignal signal = new OutputSignal();
    private final CapturedOutput stdout;
    private final CapturedOutput stderr;
    private final long startedAtMillis = System.currentTimeMillis();
    private final long startedNanos = System.nanoTime();
    private final BiConsumer<LiveRun, RunResult> ended;

    private final Semaphore heldOutputs = new Semaphore(MOST_HELD_OUTPUTS); // of a session

    private final ReentrantLock lock = new ReentrantLock();
    private Stop stop; // guarded by lock; null until its end is requested
    private SandboxProcess process; // guarded by lock; null before it was started
    private RunResult refused; // guarded by lock; how it ended when it never started
    private String enforcement; // guarded by lock
    private final CompletableFuture<Verdict> verdict = new CompletableFuture<>();

    /**
     * @param disk watches what it writes; empty when nothing does
     * @param ended called once, on the waiting thread, when nothing is left of it
     */
    LiveRun(
            RunOrder order,
            Optional<DiskMonitor> disk,
            String executor,
            BiConsumer<LiveRun, RunResult> ended) {
        this.order = order;
        this.disk = disk;
        this.executor = executor;
        this.ended = ended;
        this.stdout = captured("out");
        this.stderr = captured("err");
        this.enforcement = Enforcement.notStarted(order.spec().egress());
    }

    private CapturedOutput captured(String stream) {
        return new CapturedOutput(
                stream, order.spec().limits().outputBytes(), order.output(), signal);
    }

    /** Returns its call id. */
    public String callId() {
        return order.spec().callId();
    }

    /** Returns whether a process was started; false when its result says why not. */
    public boolean spawned() {
        lock.lock();
        try {
            return process != null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns its process; null before {@link #spawned}. */
    public SandboxProcess process() {
        lock.lock();
        try {
            return process;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether the first process of a session's sandbox has other children than those that
     * it starts itself: those that lost their parent. Where that is not known they count as there.
     */
    public boolean hasOthers() {
        OnlyChild known = helper;
        return known == null || !known.isAlone();
    }

    /** Call it before the first command. */
    private static OnlyChild helper(SandboxProcess started) {
        try {
            return new OnlyChild(started.innerPid(0));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /**
     * Returns how many processes lost their parent in a session's sandbox, with those that they
     * have started, up to {@link #MOST_LEFT}; 0 where that is not known. Costs a look at one small
     * file for each of them, and for the first process.
     */
    public int leftRunning() {
        try {
            Deque<String> ahead = new ArrayDeque<>(takenUp(firstProcess()));
            int left = 0;
            while (!ahead.isEmpty() && left < MOST_LEFT) {
                left++;
                ahead.addAll(childrenIfThere(ahead.pop()));
            }
            return left;
        } catch (IOException e) {
            return 0;
        }
    }

    private String firstProcess() throws IOException {
        try {
            SandboxProcess running = process();
            return Long.toString(running == null ? 0 : running.innerPid(0)); // 0 is in no /proc
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while asking for the first process.", e);
        }
    }

    private static List<String> childrenIfThere(String pid) {
        try {
            return children(pid);
        } catch (IOException e) {
            return List.of(); // it has ended
        }
    }

    private static List<String> children(String pid) throws IOException {
        String listed = Files.readString(Path.of("/proc", pid, "task", pid, "children")).strip();
        return listed.isEmpty() ? List.of() : List.of(listed.split(" ", -1));
    }

    /** A process that leads no session, as without namespaces, has its first child for its own. */
    private static List<String> takenUp(String first) throws IOException {
        Optional<List<String>> others = new OnlyChild(Long.parseLong(first)).others();
        if (others.isPresent()) {
            return others.get();
        }
        List<String> all = children(first);
        return all.subList(Math.min(1, all.size()), all.size());
    }

    /**
     * Takes in the output of a command that has ended in the sandbox that this one holds, and that
     * processes hold open which it left; returns false when there are too many.
     */
    boolean admitsHeldOutput() {
        return heldOutputs.tryAcquire();
    }

    /** Such an output has ended. */
    void heldOutputEnded() {
        heldOutputs.release();
    }

    boolean trial() {
        return order.trial();
    }

    /** Returns what was asked for. */
    public RunOrder order() {
        return order;
    }

    Optional<DiskMonitor> disk() {
        return disk;
    }

    /** Tells of a workspace that was over its quota at the start; empty when it was not. */
    public String noteOfFull() {
        return disk.map(DiskMonitor::noteOfFull).orElse("");
    }

    /** Returns what runs it. */
    public String executor() {
        return executor;
    }

    /** Returns the enforcement evidence. */
    public String enforcement() {
        lock.lock();
        try {
            return enforcement;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what it has written to standard output. */
    public CapturedOutput stdout() {
        return stdout;
    }

    /** Returns what it has written to standard error. */
    public CapturedOutput stderr() {
        return stderr;
    }

    /** Has what it makes in repositories looked at when it ends; before it starts. */
    void protect(GitProtection.Call call) {
        git = call;
    }

    /** It never started. */
    void withdraw() {
        git.end();
    }

    /** Returns what is raised whenever it has written more. */
    public OutputSignal signal() {
        return signal;
    }

    /** Returns how long ago it began, in milliseconds. */
    public long elapsedMillis() {
        return (System.nanoTime() - startedNanos) / 1_000_000;
    }

    /** Returns how many bytes of its output a result holds. */
    public long outputBytes() {
        return order.spec().limits().outputBytes();
    }

    /** Takes the process over; ends it at once when its end was requested meanwhile. */
    void attach(SandboxProcess started, String proof) {
        boolean unwanted;
        helper = order.holds() ? helper(started) : null;
        lock.lock();
        try {
            process = started;
            enforcement =
                    started.enforcement()
                            + Enforcement.ownPorts(order.spec().egress(), trial())
                            + (proof.isEmpty() ? "" : " " + proof);
            unwanted = stop != null;
        } finally {
            lock.unlock();
        }
        if (unwanted) {
            kill(started);
        }
    }

    /** Notes that it never started. */
    void refuse(RunOutcome outcome, String problem) {
        RunResult result = result(new Verdict(outcome, problem), -1, NO_USAGE, 0);
        lock.lock();
        try {
            refused = result;
        } finally {
            lock.unlock();
        }
    }

    private static final SandboxProcess.Usage NO_USAGE = new SandboxProcess.Usage(-1, -1, false);

    /** Ends it whole, at once; only the first request does anything, and its reason stays. */
    public void stop(Stop why) {
        SandboxProcess running;
        lock.lock();
        try {
            if (stop != null) {
                return; // the first request ends it; the waiting thread makes sure of that
            }
            stop = why;
            running = process;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            kill(running);
        }
    }

    private int kill(SandboxProcess running) {
        try {
            return running.kill();
        } catch (RuntimeException e) {
            LOG.error("The processes of run {} could not be killed", callId(), e);
            return 1;
        }
    }

    /** Returns whether its process was started and has ended by itself. */
    boolean hasEnded() {
        SandboxProcess running = process();
        try {
            return running != null && running.await(0).isPresent();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    Optional<Stop> stopped() {
        lock.lock();
        try {
            return Optional.ofNullable(stop);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for its end, makes sure that nothing of it is left, and gives everything back. An
     * interruption of the thread ends it at once and stays set.
     */
    public RunResult await() {
        RunResult result = null;
        try {
            result = refusedOrWatched();
            return result;
        } finally {
            git.end();
            verdict.complete(new Verdict(RunOutcome.SANDBOX_FAILED, "It failed.")); // unless known
            ended.accept(this, result);
        }
    }

    private RunResult refusedOrWatched() {
        SandboxProcess running;
        lock.lock();
        try {
            if (refused != null) {
                return refused;
            }
            running = process;
        } finally {
            lock.unlock();
        }
        RunSupervisor.End end = new RunSupervisor(this, running).untilGone();
        stdout.end();
        stderr.end();
        int exitCode = end.exit().map(SandboxProcess.ExitReport::exitCode).orElse(-1);
        Verdict how =
                Verdict.of(
                        order.spec().limits(),
                        stopped().map(this::verdictOf),
                        end.exit(),
                        new CpuUsage(
                                end.usage(),
                                order.tier(),
                                (System.nanoTime() - startedNanos) / 1_000_000,
                                Runtime.getRuntime().availableProcessors()),
                        end.leftBehind());
        how = order.holds() ? how.ofHolder(exitCode, memoryBytes()) : together(how);
        verdict.complete(how);
        return result(how, exitCode, end.usage(), end.leftBehind()).with(git.end());
    }

    private long memoryBytes() {
        return order.spec().limits().memoryBytes();
    }

    /** Where the sandbox of a session counts memory, its commands share a limit. */
    private Verdict together(Verdict how) {
        boolean counted = how.outcome() == RunOutcome.MEMORY_QUOTA && stopped().isEmpty();
        return counted && !enforcement().contains(MEASURED)
                ? order.holder().map(one -> Verdict.together(one.memoryBytes())).orElse(how)
                : how;
    }

    /** Says why the runner ended it, with what was measured. */
    private Verdict verdictOf(Stop why) {
        if (why == Stop.SANDBOX_ENDED) {
            return order.holder()
                    .map(LiveRun::awaitVerdict)
                    .orElseGet(() -> new Verdict(RunOutcome.KILLED, ""))
                    .ofSession();
        }
        String what = order.holds() ? "It" : "The command";
        return disk.flatMap(watching -> watching.verdict(why, what))
                .orElseGet(() -> Verdict.of(why, what, order.spec().limits()));
    }

    /** Returns why it ended or is about to end, in sentences; empty when nothing is known. */
    String ending() {
        return stopped()
                .map(this::verdictOf)
                .orElseGet(() -> verdict.getNow(new Verdict(RunOutcome.OK, "")))
                .problem();
    }

    /** Returns how it ended; what is known so far when that takes too long. */
    private Verdict awaitVerdict() {
        Optional<Stop> known = stopped();
        if (known.isPresent()) {
            return verdictOf(known.get());
        }
        return verdict.copy()
                .completeOnTimeout(
                        new Verdict(RunOutcome.KILLED, "Why is not known yet."),
                        VERDICT_MILLIS,
                        TimeUnit.MILLISECONDS)
                .join();
    }

    private RunResult result(
            Verdict how, int exitCode, SandboxProcess.Usage usage, int leftBehind) {
        return new RunResult(
                callId(),
                how.outcome(),
                exitCode,
                stdout.now(),
                stderr.now(),
                how.problem(),
                executor,
                enforcement(),
                startedAtMillis,
                (System.nanoTime() - startedNanos) / 1_000_000,
                usage.cpuMillis(),
                usage.peakMemoryBytes(),
                leftBehind,
                List.of());
    }
}

package palyra.sandbox.posix.internal.process;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;
import palyra.sandbox.posix.internal.cgroup.Cgroup;
import palyra.sandbox.posix.internal.kernel.ConfinedThread;
import palyra.sandbox.posix.internal.kernel.RemainingProcesses;
import palyra.sandbox.posix.internal.spawn.Stage;
import palyra.sandbox.posix.internal.supervise.Supervisor;

/**
 * Starts one process and waits for its end on a platform thread. The caller's thread starts it, or
 * that platform thread does: when the process dies with the thread that started it, and when the
 * caller is a virtual thread.
 */
public final class ProcessLaunch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessLaunch.class);
    private static final long REMOVE_MILLIS = 300;

    private final LaunchContext context;
    private final LaunchPlan plan;
    private final Mark mark;
    private final Consumer<RunningProcess> onStart;
    private final Consumer<RunningProcess> onClose;
    private final CountDownLatch answered = new CountDownLatch(1);
    private final PosixSpawnStarter starter;
    private volatile RunningProcess process;
    private volatile PalyraException refusal;

    /**
     * Prepares it.
     *
     * @param onStart gets the process first; throws when it must not run
     * @param onClose gets the process when it was closed
     */
    public ProcessLaunch(
            LaunchContext context,
            LaunchPlan plan,
            Mark mark,
            Consumer<RunningProcess> onStart,
            Consumer<RunningProcess> onClose) {
        this.context = context;
        this.plan = plan;
        this.mark = mark;
        this.onStart = onStart;
        this.onClose = onClose;
        starter = new PosixSpawnStarter(context, plan, mark);
    }

    /** Starts the process and returns it, or throws the reason why it does not run. */
    public RunningProcess launch() {
        if (starter.dependsOnItsThread() || Thread.currentThread().isVirtual()) {
            return launchElsewhere();
        }
        Begun begun = beginHere();
        try {
            context.threads().follow(threadName(), () -> awaitEnd(begun));
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            abandon(begun.process(), begun.child(), noThread);
        }
        return begun.process();
    }

    private String threadName() {
        return "palyra-sandbox-run-" + plan.callId();
    }

    private RunningProcess launchElsewhere() {
        try {
            context.threads().follow(threadName(), this);
        } catch (RejectedExecutionException stopping) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The process launcher is stopping; try again in a moment.",
                    stopping);
        } catch (OutOfMemoryError noThread) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The system gave no thread for the command.",
                    noThread);
        }
        awaitAnswer();
        if (refusal != null) {
            throw refusal;
        }
        return process;
    }

    private void awaitAnswer() {
        boolean interrupted = false;
        while (true) {
            try {
                answered.await();
                break;
            } catch (InterruptedException later) {
                interrupted = true; // the start is a matter of milliseconds
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private record Begun(RunningProcess process, Child child, ExitClassifier verdict) {}

    @Override
    public void run() {
        Begun begun = null;
        try {
            begun = beginHere();
            process = begun.process();
        } catch (PalyraException refused) {
            refusal = refused;
        } finally {
            answered.countDown();
        }
        if (begun != null) {
            awaitEnd(begun);
        }
    }

    private Begun beginHere() {
        try {
            return begin();
        } catch (InterruptedException | RuntimeException | LinkageError broken) {
            if (broken instanceof PalyraException refused) {
                throw refused;
            }
            throw new PalyraException(
                    ErrorCode.INTERNAL,
                    plan.argv().get(0) + " could not be started: " + broken + ".",
                    broken);
        }
    }

    private Begun begin() throws InterruptedException {
        starter.open();
        Optional<Cgroup> group = Optional.empty();
        Streams streams = null;
        ExitClassifier.Memory memory;
        Child child;
        try {
            Optional<Cgroup> shared = holder().flatMap(RunningProcess::group);
            if (plan.within().isEmpty()) {
                group =
                        plan.group()
                                .flatMap(limits -> context.groups().create(mark.cgroup(), limits));
            }
            Optional<Cgroup> joined = group.or(() -> shared);
            memory = ExitClassifier.Memory.before(joined);
            List<String> joinFiles =
                    context.spawns() ? joined.map(Cgroup::joinFiles).orElse(List.of()) : List.of();
            boolean waitsForSignal = plan.landlock().isPresent() && plan.statusDescriptor() == 0;
            streams =
                    new Streams(
                            context.libc(), context.descriptors(), plan, joinFiles, waitsForSignal);
            child =
                    context.spawns()
                            ? starter.start(streams)
                            : new ProcessBuilderStarter(context, plan, mark).start(streams, group);
        } catch (RuntimeException | LinkageError failed) {
            starter.giveUp();
            if (streams != null) {
                streams.started();
                streams.close();
            }
            group.filter(made -> !made.remove(REMOVE_MILLIS)).ifPresent(context.busyCgroups());
            throw failed;
        }
        return assemble(child, streams, group, memory);
    }

    /** Returns what holds the sandbox that is entered; empty when none is. */
    private Optional<RunningProcess> holder() {
        if (plan.within().isEmpty()) {
            return Optional.empty();
        }
        if (!(plan.within().get() instanceof RunningProcess holder) || !holder.alive()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The sandbox that the command was to share has ended; try again.");
        }
        return Optional.of(holder);
    }

    /** Returns the memory to be measured; 0 where a cgroup counts it, or it has no limit. */
    private long measuredBytes(Optional<Cgroup> joined) {
        return context.libc().os().linux() && joined.filter(Cgroup::countsMemory).isEmpty()
                ? plan.group().map(LaunchPlan.GroupLimits::memoryBytes).orElse(0L)
                : 0;
    }

    private Begun assemble(
            Child child, Streams streams, Optional<Cgroup> group, ExitClassifier.Memory memory) {
        StatusReader status =
                streams.status() == null
                        ? null
                        : new StatusReader(
                                context.libc(),
                                context.signals(),
                                streams.status(),
                                plan.within().isEmpty());
        Optional<ConfinedThread.Watch> watch = starter.watch();
        Optional<RemainingProcesses> remaining = watch.flatMap(ConfinedThread.Watch::remaining);
        Optional<Supervisor> supervisor = watch.flatMap(ConfinedThread.Watch::supervisor);
        boolean confirmed = remaining.map(RemainingProcesses::complete).orElse(false);
        RunningProcess made =
                new RunningProcess(
                        new RunningProcess.Parts(
                                child,
                                mark,
                                streams,
                                group,
                                status,
                                remaining,
                                supervisor,
                                context.table(),
                                context.sweep(),
                                context.counters(),
                                plan.enforcement()
                                        + PosixSpawnStarter.facts(context, plan, group, confirmed)
                                        + (measuredBytes(memory.group()) > 0
                                                ? " memory=measured"
                                                : ""),
                                measuredBytes(memory.group()),
                                plan.within().map(RunningProcess.class::cast),
                                onClose,
                                context.busyCgroups()));
        Optional<Stage> stage = starter.stage();
        ExitClassifier verdict = new ExitClassifier(context.table(), stage, status, memory, plan);
        try {
            if (supervisor.isPresent()) {
                context.threads().follow("palyra-sandbox-files-" + plan.callId(), supervisor.get());
            }
            if (status != null) {
                context.threads().follow("palyra-sandbox-status-" + plan.callId(), status);
            }
            if (made.parts().memoryBytes() > 0) {
                context.memory().watch(made);
            }
            onStart.accept(made);
        } catch (RuntimeException | OutOfMemoryError refused) {
            abandon(made, child, refused);
        }
        return new Begun(made, child, verdict);
    }

    /** Kills a process whose waiting thread could not be started. */
    private static void abandon(RunningProcess made, Child child, Throwable why) {
        child.killGroup();
        try {
            child.awaitEnd();
            made.end(
                    new ExitReport(
                            false,
                            -1,
                            "The command was killed at its start, because the gateway could not"
                                    + " follow it.",
                            false),
                    -1);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        made.close();
        if (why instanceof PalyraException refused) {
            throw refused;
        }
        throw new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "The system has no thread left for another command.",
                why);
    }

    private void awaitEnd(Begun begun) {
        ExitReport report;
        long cpuMillis = -1;
        try {
            Child.End end = begun.child().awaitEnd();
            cpuMillis = end.cpuMillis();
            report = begun.verdict().of(begun.child().pid(), end, begun.process().wasKilled());
            starter.ended();
        } catch (InterruptedException | RuntimeException broken) {
            LOG.warn("The end of command {} could not be followed", plan.callId(), broken);
            report =
                    new ExitReport(
                            false,
                            -1,
                            "The end of the command could not be followed: " + broken,
                            false);
        }
        begun.process().end(report, cpuMillis);
    }
}

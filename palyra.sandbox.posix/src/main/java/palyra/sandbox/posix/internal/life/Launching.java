package palyra.sandbox.posix.internal.life;

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
import palyra.sandbox.posix.internal.cgroup.Group;
import palyra.sandbox.posix.internal.kernel.Census;
import palyra.sandbox.posix.internal.kernel.OpenedThread;
import palyra.sandbox.posix.internal.spawn.Stage;
import palyra.sandbox.posix.internal.supervise.Supervisor;

/**
 * The life of one process. Its end is waited for on a platform thread. It is started by whoever
 * launches it, or on that same platform thread: when it dies with the thread that has started it,
 * and when the caller is a virtual thread.
 */
public final class Launching implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Launching.class);
    private static final long REMOVE_MILLIS = 300;

    private final Workshop shop;
    private final LaunchPlan plan;
    private final Mark mark;
    private final Consumer<RunningProcess> born;
    private final Consumer<RunningProcess> forget;
    private final CountDownLatch answered = new CountDownLatch(1);
    private final Starter starter;
    private volatile RunningProcess process;
    private volatile PalyraException refusal;

    /**
     * Prepares it.
     *
     * @param born is told of the process before anybody else; throws when it may not live
     * @param forget is told when the process was closed
     */
    public Launching(
            Workshop shop,
            LaunchPlan plan,
            Mark mark,
            Consumer<RunningProcess> born,
            Consumer<RunningProcess> forget) {
        this.shop = shop;
        this.plan = plan;
        this.mark = mark;
        this.born = born;
        this.forget = forget;
        starter = new Starter(shop, plan, mark);
    }

    /** Starts the process and returns it, or throws why nothing runs. */
    public RunningProcess launch() {
        if (starter.dependsOnItsThread() || Thread.currentThread().isVirtual()) {
            return launchElsewhere();
        }
        Begun begun = beginHere();
        try {
            shop.followers().follow(followerName(), () -> awaitEnd(begun));
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            abandon(begun.process(), begun.child(), noThread);
        }
        return begun.process();
    }

    private String followerName() {
        return "palyra-sandbox-run-" + plan.callId();
    }

    private RunningProcess launchElsewhere() {
        try {
            shop.followers().follow(followerName(), this);
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

    private record Begun(RunningProcess process, Child child, Verdict verdict) {}

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
        Optional<Group> group = Optional.empty();
        Streams streams = null;
        Child child;
        try {
            group = plan.group().flatMap(limits -> shop.groups().create(mark.cgroup(), limits));
            List<String> doors =
                    shop.spawns() ? group.map(Group::doors).orElse(List.of()) : List.of();
            boolean gated = plan.landlock().isPresent() && plan.statusDescriptor() == 0;
            streams = new Streams(shop.libc(), shop.descriptors(), plan, doors, gated);
            child =
                    shop.spawns()
                            ? starter.start(streams)
                            : new BuilderStarter(shop, plan, mark).start(streams, group);
        } catch (RuntimeException | LinkageError failed) {
            starter.giveUp();
            if (streams != null) {
                streams.started();
                streams.close();
            }
            group.filter(made -> !made.remove(REMOVE_MILLIS)).ifPresent(shop.remains());
            throw failed;
        }
        return assemble(child, streams, group);
    }

    private Begun assemble(Child child, Streams streams, Optional<Group> group) {
        StatusReader status =
                streams.status() == null
                        ? null
                        : new StatusReader(shop.libc(), shop.signals(), streams.status());
        Optional<OpenedThread.Watch> watch = starter.watch();
        Optional<Census> census = watch.flatMap(OpenedThread.Watch::census);
        Optional<Supervisor> supervisor = watch.flatMap(OpenedThread.Watch::supervisor);
        boolean confirmed = census.map(Census::complete).orElse(false);
        RunningProcess made =
                new RunningProcess(
                        new RunningProcess.Parts(
                                child,
                                mark,
                                streams,
                                group,
                                status,
                                census,
                                supervisor,
                                shop.table(),
                                shop.sweep(),
                                shop.counters(),
                                plan.enforcement() + Starter.facts(shop, plan, group, confirmed),
                                forget,
                                shop.remains()));
        Optional<Stage> stage = starter.stage();
        Verdict verdict = new Verdict(shop.table(), stage, status, group, plan);
        try {
            if (supervisor.isPresent()) {
                shop.followers().follow("palyra-sandbox-files-" + plan.callId(), supervisor.get());
            }
            if (status != null) {
                shop.followers().follow("palyra-sandbox-status-" + plan.callId(), status);
            }
            born.accept(made);
        } catch (RuntimeException | OutOfMemoryError refused) {
            abandon(made, child, refused);
        }
        return new Begun(made, child, verdict);
    }

    /** Ends a process that nobody will ever see; this thread would have waited for it. */
    private static void abandon(RunningProcess made, Child child, Throwable why) {
        child.killGroup();
        try {
            child.awaitEnd();
            made.end(new ExitReport(false, -1, "It was given up at its start.", false), -1);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        made.close();
        if (why instanceof PalyraException refused) {
            throw refused;
        }
        throw new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "The system has nothing left for another command.",
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
            report = new ExitReport(false, -1, "Its end could not be followed: " + broken, false);
        }
        begun.process().end(report, cpuMillis);
    }
}

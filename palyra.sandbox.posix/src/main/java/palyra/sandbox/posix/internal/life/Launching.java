package palyra.sandbox.posix.internal.life;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;
import palyra.sandbox.posix.internal.cgroup.Group;
import palyra.sandbox.posix.internal.spawn.Stage;

/**
 * The life of one process, on a platform thread of its own from its start to its end. Whoever
 * launches waits for the start only.
 */
public final class Launching implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Launching.class);
    private static final long STACK_BYTES = 512 << 10;
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
        try {
            thread("palyra-sandbox-run-" + plan.callId(), this).start();
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

    private static Thread thread(String name, Runnable work) {
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .inheritInheritableThreadLocals(false)
                        .stackSize(STACK_BYTES)
                        .unstarted(work);
        thread.setContextClassLoader(null);
        return thread;
    }

    private record Begun(RunningProcess process, Child child, Verdict verdict) {}

    @Override
    public void run() {
        Begun begun = null;
        try {
            begun = begin();
            process = begun.process();
        } catch (PalyraException refused) {
            refusal = refused;
        } catch (InterruptedException | RuntimeException | LinkageError broken) {
            refusal =
                    new PalyraException(
                            ErrorCode.INTERNAL,
                            plan.argv().get(0) + " could not be started: " + broken + ".",
                            broken);
        } finally {
            answered.countDown();
        }
        if (begun != null) {
            awaitEnd(begun);
        }
    }

    private Begun begin() throws InterruptedException {
        Optional<Group> group =
                plan.group().flatMap(limits -> shop.groups().create(mark.cgroup(), limits));
        Streams streams = null;
        Child child;
        try {
            List<String> doors =
                    shop.spawns() ? group.map(Group::doors).orElse(List.of()) : List.of();
            boolean gated = plan.landlock().isPresent() && plan.statusDescriptor() == 0;
            streams = new Streams(shop.libc(), shop.descriptors(), plan, doors, gated);
            child =
                    shop.spawns()
                            ? starter.start(streams)
                            : new BuilderStarter(shop, plan, mark).start(streams, group);
        } catch (InterruptedException | RuntimeException | LinkageError failed) {
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
        RunningProcess made =
                new RunningProcess(
                        new RunningProcess.Parts(
                                child,
                                mark,
                                streams,
                                group,
                                status,
                                shop.table(),
                                shop.sweep(),
                                shop.counters(),
                                plan.enforcement() + Starter.facts(shop, plan, group),
                                forget,
                                shop.remains()));
        Optional<Stage> stage = starter.stage();
        Verdict verdict = new Verdict(shop.table(), stage, status, group, plan.argv().get(0));
        try {
            if (status != null) {
                thread("palyra-sandbox-status-" + plan.callId(), status).start();
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
            made.end(new ExitReport(false, -1, "It was given up at its start.", false));
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
        try {
            Child.End end = begun.child().awaitEnd();
            report = begun.verdict().of(begun.child().pid(), end, begun.process().wasKilled());
            starter.ended();
        } catch (InterruptedException | RuntimeException broken) {
            LOG.warn("The end of command {} could not be followed", plan.callId(), broken);
            report = new ExitReport(false, -1, "Its end could not be followed: " + broken, false);
        }
        begun.process().end(report);
    }
}

package palyra.sandbox.internal.run;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;
import palyra.api.core.sandbox.SandboxProcess.Usage;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.sandbox.SharedSandbox;

/**
 * Supervises one running command on the thread that started it: deadline, processor time, proxy,
 * exit; then kills the remaining processes of the command, drains its output and closes everything.
 * For one use.
 */
final class RunSupervisor {
    private static final Logger LOG = LoggerFactory.getLogger(RunSupervisor.class);

    private static final int KILLED_CODE = 128 + 9;
    private static final long HOLDER_MILLIS = 1_000;

    /** How often processor time and proxy are looked at. */
    private static final long LOOK_MILLIS = 100;

    /** From when on the output of a command is worth a file that outlives the gateway. */
    private static final long CRASH_MILLIS = 1_000;

    /** How long output may take to end once everything that could write it is dead. */
    private static final long DRAIN_MILLIS = 2_000;

    /** How long the output of a command may take to end that left others running. */
    private static final long SOON_MILLIS = 150;

    /** How long the end of a killed command may take to show. */
    private static final long END_MILLIS = 2_000;

    private static final Usage UNKNOWN = new Usage(-1, -1, false);

    private final LiveRun run;
    private final SandboxSpec spec;
    private final SandboxProcess process;
    private final List<Pump> pumps;
    private boolean interrupted;

    /** How it ended. */
    record End(Optional<ExitReport> exit, Usage usage, int leftBehind) {}

    RunSupervisor(LiveRun run, SandboxProcess process) {
        this.run = run;
        this.spec = run.order().spec();
        this.process = process;
        this.pumps =
                List.of(
                        new Pump(process.stdout(), run.stdout()),
                        new Pump(process.stderr(), run.stderr()));
    }

    End untilGone() {
        Optional<ExitReport> exit = Optional.empty();
        int leftBehind = 0;
        Usage usage = UNKNOWN;
        try {
            startThreads();
            exit = untilEnd();
        } catch (RuntimeException e) {
            LOG.error("The sandbox of run {} failed", spec.callId(), e);
            run.stop(Stop.BROKEN);
        } finally {
            requireSession(exit.filter(RunSupervisor::mayBeKilled).isPresent());
            boolean leaves = leavesOthersRunning(exit);
            boolean held = leaves && !drained(SOON_MILLIS);
            if (held && !run.order().holder().filter(LiveRun::admitsHeldOutput).isPresent()) {
                run.stop(Stop.OUTPUT_HELD);
                leaves = false;
            }
            leftBehind = leaves ? 0 : killed();
            run.disk().flatMap(DiskMonitor::finalCheck).ifPresent(run::stop);
            exit = exit.isPresent() ? exit : lastLook();
            usage = usage();
            if (held && leaves) {
                closeAfterOthers();
            } else if (leaves) {
                close();
            } else {
                leftBehind += drained(DRAIN_MILLIS) ? 0 : Math.max(0, 1 - leftBehind);
                close();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return new End(exit, usage, leftBehind);
    }

    /**
     * A command that shared a sandbox was killed when that has ended: the exit code misleads. The
     * end of the sandbox may be seen a moment after that of the command.
     */
    private void requireSession(boolean mayBeKilled) {
        long patience = mayBeKilled ? HOLDER_MILLIS : 0;
        spec.shared()
                .flatMap(SharedSandbox::holder)
                .filter(holder -> hasEnded(holder, patience))
                .ifPresent(holder -> run.stop(Stop.SANDBOX_ENDED));
    }

    private static boolean mayBeKilled(ExitReport exit) {
        return exit.exitCode() == KILLED_CODE;
    }

    private static boolean hasEnded(SandboxProcess holder, long millis) {
        try {
            return holder.await(millis).isPresent();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** What a command of a session leaves running goes on until its sandbox ends. */
    private boolean leavesOthersRunning(Optional<ExitReport> exit) {
        return spec.shared().flatMap(SharedSandbox::holder).isPresent()
                && exit.isPresent()
                && run.stopped().isEmpty();
    }

    /** A process that goes on holds the output open, and would end when that is closed. */
    private void closeAfterOthers() {
        Threads.start(
                "rest-" + spec.callId(),
                () -> {
                    try {
                        drained(TimeUnit.DAYS.toMillis(1));
                        close();
                    } finally {
                        run.order().holder().ifPresent(LiveRun::heldOutputEnded);
                    }
                });
    }

    private void startThreads() {
        pumps.get(0).start("out-" + spec.callId());
        pumps.get(1).start("err-" + spec.callId());
        run.order().stdin().ifPresent(content -> startWriter(process.stdin(), content));
    }

    /** Writes standard input and closes it. A command that does not read it loses it. */
    private void startWriter(OutputStream stdin, byte[] content) {
        Threads.start(
                "in-" + spec.callId(),
                () -> {
                    try (stdin) {
                        stdin.write(content);
                    } catch (IOException e) {
                        return; // the command has ended or does not want it
                    }
                });
    }

    private Optional<ExitReport> untilEnd() {
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(spec.limits().wallMillis());
        while (true) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()) + 1;
            Optional<ExitReport> exit = await(Math.max(1, Math.min(LOOK_MILLIS, left)));
            if (exit.isPresent()) {
                return exit;
            }
            check(deadline);
            if (run.stopped().isPresent()) {
                return lastLook();
            }
        }
    }

    /** Waits; an interruption is a request to stop. */
    private Optional<ExitReport> await(long millis) {
        try {
            return process.await(millis);
        } catch (InterruptedException e) {
            interrupted = true;
            run.stop(Stop.CANCELLED);
            return Optional.empty();
        }
    }

    private void check(long deadline) {
        if (run.elapsedMillis() >= CRASH_MILLIS) {
            run.stdout().keepForCrash();
            run.stderr().keepForCrash();
        }
        if (System.nanoTime() - deadline >= 0) {
            run.stop(Stop.DEADLINE);
        }
        Usage now = process.usage();
        if (now.wholeTree() && now.cpuMillis() > spec.limits().cpuMillis()) {
            run.stop(Stop.CPU);
        }
        run.disk().flatMap(DiskMonitor::check).ifPresent(run::stop);
        if (run.order().proxy().filter(proxy -> !proxy.alive()).isPresent()) {
            run.stop(Stop.PROXY_LOST);
        }
    }

    private int killed() {
        try {
            return process.kill();
        } catch (RuntimeException e) {
            LOG.error("The processes of run {} could not be killed", spec.callId(), e);
            return 1;
        }
    }

    private Optional<ExitReport> lastLook() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
        try {
            while (System.nanoTime() - deadline < 0) {
                Optional<ExitReport> exit = await(LOOK_MILLIS);
                if (exit.isPresent()) {
                    return exit;
                }
            }
        } catch (RuntimeException e) {
            LOG.error("The exit of run {} cannot be observed", spec.callId(), e);
        }
        return Optional.empty();
    }

    private Usage usage() {
        try {
            return process.usage();
        } catch (RuntimeException e) {
            LOG.warn("The usage of run {} is unknown", spec.callId(), e);
            return UNKNOWN;
        }
    }

    /** Returns false when a process still holds the output open, so that one is still alive. */
    private boolean drained(long millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean all = true;
        for (Pump pump : pumps) {
            all &= joined(pump, until);
        }
        return all;
    }

    private boolean joined(Pump pump, long until) {
        while (true) {
            try {
                return pump.join(until);
            } catch (InterruptedException e) {
                interrupted = true; // it has ended already: what it wrote is still taken
            }
        }
    }

    private void close() {
        try {
            process.close();
        } catch (RuntimeException e) {
            LOG.error("The resources of run {} could not be released", spec.callId(), e);
        }
    }
}

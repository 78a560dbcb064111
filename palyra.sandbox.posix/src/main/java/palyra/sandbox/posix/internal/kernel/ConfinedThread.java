package palyra.sandbox.posix.internal.kernel;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.spawn.PosixSpawn;
import palyra.sandbox.posix.internal.spawn.Programs;
import palyra.sandbox.posix.internal.supervise.Listener;
import palyra.sandbox.posix.internal.supervise.Roots;
import palyra.sandbox.posix.internal.supervise.Supervisor;

/** A restricted thread that starts one process. For one thread at a time. */
public final class ConfinedThread implements AutoCloseable {
    private static final long GONE_NANOS = 10_000_000_000L;
    private static final long LOOK_NANOS = 20_000;

    private final Libc libc;
    private final Rulesets rulesets;
    private final RemainingProcesses.Proof proof;
    private final LaunchPlan plan;
    private final Confiner confiner;
    private final Optional<PortThreadFactory> parent;
    private final Optional<Roots> roots;
    private boolean started;
    private boolean gone;

    ConfinedThread(
            Libc libc,
            Rulesets rulesets,
            RemainingProcesses.Proof proof,
            LaunchPlan plan,
            Confiner confiner,
            Optional<PortThreadFactory> parent,
            Optional<Roots> roots) {
        this.libc = libc;
        this.rulesets = rulesets;
        this.proof = proof;
        this.plan = plan;
        this.confiner = confiner;
        this.parent = parent;
        this.roots = roots;
    }

    /**
     * Starts the process. Only for platform threads.
     *
     * @param folder working folder; its Landlock rule must be on the same folder
     * @throws PalyraException when a restriction or the execution failed; nothing runs then
     */
    public void start(PosixSpawn spawn, String program, StartFolder folder) {
        Optional<Rulesets.Lease> lease = plan.landlock().flatMap(rulesets::take);
        try {
            lease.ifPresent(folder::requireRulesOn);
            lease.ifPresent(this::requireRulesOnRoots);
            started = true;
            confiner.start(lease.map(Rulesets.Lease::descriptor).orElse(-1), spawn);
        } finally {
            lease.ifPresent(Rulesets.Lease::close);
        }
        if (confiner.errno() != 0) {
            throw failure(program);
        }
    }

    private void requireRulesOnRoots(Rulesets.Lease rules) {
        Optional<String> replaced = roots.flatMap(all -> all.findReplaced(rules::isOn));
        if (replaced.isPresent()) {
            throw StartFolder.replaced(replaced.get());
        }
    }

    private PalyraException failure(String program) {
        if (!confiner.failed().isEmpty()) {
            return new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The kernel refused "
                            + confiner.failed()
                            + " for the command: "
                            + Errno.words(confiner.errno())
                            + ".");
        }
        return confiner.refused()
                ? Confinement.noThread(null)
                : Programs.refusal(confiner.errno(), program);
    }

    /** Prepares another thread for the next call. */
    public void refill() {
        parent.ifPresent(PortThreadFactory::refill);
    }

    /**
     * Watches the processes of the call; the caller closes both.
     *
     * @param remaining knows when no process is left; empty when the kernel does not report it
     * @param supervisor makes metadata calls for them; empty when the plan does not ask for it
     */
    public record Watch(Optional<RemainingProcesses> remaining, Optional<Supervisor> supervisor)
            implements AutoCloseable {
        @Override
        public void close() {
            remaining.ifPresent(RemainingProcesses::close);
            supervisor.ifPresent(Supervisor::close);
        }
    }

    /** Returns the ports that Landlock does not keep from the processes. */
    private Set<Integer> loopbackPorts() {
        return plan.landlock()
                .filter(Landlock::restrictTcp)
                .map(Landlock::connectPorts)
                .orElse(Set.of());
    }

    /** Returns the watch of the processes; both parts are empty from the second call on. */
    public Watch watch() {
        int descriptor = confiner.takeListener();
        if (descriptor < 0) {
            return new Watch(Optional.empty(), Optional.empty());
        }
        Listener listener = new Listener(libc, descriptor, roots.isPresent() ? 2 : 1);
        return new Watch(
                Optional.of(new RemainingProcesses(proof, listener)),
                roots.map(
                        all ->
                                new Supervisor(
                                        libc, listener, all, loopbackPorts(), plan.callId())));
    }

    /**
     * Waits up to 10 seconds until the thread has ended, in the kernel too, and frees its memory.
     *
     * @return false when it still exists; never seen so far
     */
    public boolean threadIsGone() {
        long deadline = System.nanoTime() + GONE_NANOS;
        while (!gone && confiner.threadExists()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        if (!gone) {
            gone = true;
            confiner.close();
        }
        return true;
    }

    /** Ends a thread that was not used or that failed. */
    @Override
    public void close() {
        if (!started) {
            started = true;
            confiner.giveUp();
        }
        Watch watch = watch();
        watch.close();
        if (watch.supervisor().isEmpty()) {
            roots.ifPresent(Roots::close);
        }
        threadIsGone();
    }
}

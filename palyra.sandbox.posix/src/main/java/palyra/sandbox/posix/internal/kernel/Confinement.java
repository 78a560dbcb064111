package palyra.sandbox.posix.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.spawn.PosixSpawn;
import palyra.sandbox.posix.internal.spawn.Programs;

/**
 * Starts a process under kernel restrictions, by a thread that restricts itself and goes.
 *
 * <p>That thread is in the same Landlock scope as the process, so while it exists the process could
 * send it a signal by tgkill(2), and SIGKILL to one thread ends the whole gateway. So the caller
 * keeps the process from becoming the command until {@link Started#threadIsGone} was waited for. A
 * thread that has to stay is out of reach only for processes in a pid namespace of their own.
 */
public final class Confinement {
    private static final long STACK_BYTES = 256 << 10;
    private static final long GONE_NANOS = 10_000_000_000L;
    private static final int FILTER_ENTRY = 8;
    private static final int MOST_ENTRIES = 4096;

    private final Libc libc;
    private final LandlockRules rules;
    private final PortParents parents;
    private final boolean filters;

    /** Creates it; {@code filters} says whether this kernel has seccomp filters. */
    public Confinement(Libc libc, LandlockRules rules, PortParents parents, boolean filters) {
        this.filters = filters;
        this.libc = libc;
        this.rules = rules;
        this.parents = parents;
    }

    /** Returns whether a plan needs it. */
    public static boolean needed(LaunchPlan plan) {
        return plan.landlock().isPresent() || plan.seccomp().isPresent();
    }

    /** Returns what of a plan this kernel does not have: {@code tcp}, {@code scope}. */
    public List<String> leftOut(LaunchPlan plan) {
        List<String> all = new ArrayList<>();
        if (plan.landlock().isPresent()) {
            Landlock wanted = plan.landlock().get();
            if (wanted.restrictTcp() && rules.version() < LandlockRules.TCP) {
                all.add("tcp");
            }
            if (wanted.scoped() && rules.version() < LandlockRules.SCOPES) {
                all.add("scope");
            }
        }
        return all;
    }

    /**
     * Checks whether this kernel has what a plan needs.
     *
     * @throws PalyraException TOOL_UNAVAILABLE or INVALID_ARGUMENT
     */
    public void check(LaunchPlan plan) {
        if (plan.landlock().isPresent()) {
            checkLandlock(plan.landlock().get());
        }
        if (plan.seccomp().isPresent()) {
            if (!filters) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE,
                        "The command needs a seccomp filter, and this kernel takes none; use a"
                                + " kernel with CONFIG_SECCOMP_FILTER.");
            }
            int length = plan.seccomp().get().length;
            boolean fits =
                    length > 0
                            && length % FILTER_ENTRY == 0
                            && length / FILTER_ENTRY <= MOST_ENTRIES;
            if (!fits) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "A seccomp filter of "
                                + length
                                + " bytes is not one: it needs 1 to 4096 entries of 8 bytes.");
            }
        }
    }

    private void checkLandlock(Landlock wanted) {
        boolean tcp = wanted.restrictTcp() && rules.version() >= LandlockRules.TCP;
        boolean scoped = wanted.scoped() && rules.version() >= LandlockRules.SCOPES;
        boolean files = wanted.handleFiles() && rules.version() > 0;
        if (!tcp && !scoped && !files) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The command needs Landlock, and this kernel has "
                            + (rules.version() == 0
                                    ? "none; use Linux 5.13 or newer with landlock in its list"
                                            + " of security modules."
                                    : "version "
                                            + rules.version()
                                            + " of it, which restricts none of what was asked;"
                                            + " use Linux 6.12 or newer."));
        }
    }

    /** A process that was started, and the thread that did it. */
    public static final class Started {
        private final Thread thread;
        private final Confiner confiner;

        Started(Thread thread, Confiner confiner) {
            this.thread = thread;
            this.confiner = confiner;
        }

        /**
         * Waits until the thread has ended, in the kernel too, and gives its memory back.
         *
         * @return false when it exists after all, which nobody has seen yet
         */
        public boolean threadIsGone() throws InterruptedException {
            thread.join();
            long deadline = System.nanoTime() + GONE_NANOS;
            while (confiner.threadExists()) {
                if (System.nanoTime() - deadline > 0) {
                    return false;
                }
                Thread.sleep(0, 50_000);
            }
            confiner.close();
            return true;
        }
    }

    /**
     * Starts a process. Only for platform threads.
     *
     * @param stays whether the thread lives as long as the process
     * @throws PalyraException when a restriction or the execution failed; nothing runs then
     */
    public Started start(LaunchPlan plan, PosixSpawn spawn, boolean stays, String program)
            throws InterruptedException {
        int ruleset = plan.landlock().isPresent() ? rules.ofCall(plan.landlock().get()) : -1;
        Confiner confiner = null;
        try {
            byte[] filter = plan.seccomp().orElse(new byte[0]);
            confiner = new Confiner(libc, ruleset, filter, spawn, stays);
            Thread thread = thread(confiner, plan.callId());
            startThread(plan, thread);
            confiner.awaitStart();
            if (confiner.errno() != 0) {
                thread.join();
                throw failure(confiner, program);
            }
            Started started = new Started(thread, confiner);
            confiner = null;
            return started;
        } finally {
            if (ruleset >= 0) {
                libc.close(ruleset);
            }
            if (confiner != null) {
                confiner.close();
            }
        }
    }

    private static Thread thread(Runnable work, String callId) {
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("palyra-sandbox-start-" + callId)
                        .inheritInheritableThreadLocals(false)
                        .stackSize(STACK_BYTES)
                        .unstarted(work);
        thread.setContextClassLoader(null);
        return thread;
    }

    private void startThread(LaunchPlan plan, Thread thread) throws InterruptedException {
        Optional<Set<Integer>> ports =
                plan.landlock()
                        .filter(wanted -> wanted.restrictTcp())
                        .filter(wanted -> rules.version() >= LandlockRules.TCP)
                        .map(Landlock::connectPorts);
        if (ports.isPresent()) {
            parents.start(ports.get(), thread);
            return;
        }
        try {
            thread.start();
        } catch (OutOfMemoryError noThread) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The system gave no thread to start a sandbox from.",
                    noThread);
        }
    }

    private static PalyraException failure(Confiner confiner, String program) {
        if (confiner.failed().isEmpty()) {
            return Programs.refusal(confiner.errno(), program);
        }
        return new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "The kernel refused "
                        + confiner.failed()
                        + " for the command: "
                        + Errno.words(confiner.errno())
                        + ".");
    }
}

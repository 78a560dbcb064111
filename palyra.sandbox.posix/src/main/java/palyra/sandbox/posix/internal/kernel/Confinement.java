package palyra.sandbox.posix.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Os;
import palyra.sandbox.posix.internal.supervise.Roots;
import palyra.shared.seccomp.Architecture;
import palyra.shared.seccomp.SeccompFilter;

/**
 * Starts a process under kernel restrictions, by a thread that restricts itself and ends.
 *
 * <p>That thread is in the same Landlock scope as the process, so while it exists the process could
 * send it a signal by tgkill(2), and SIGKILL to one thread ends the whole gateway. So the caller
 * keeps the process from becoming the command until {@link ConfinedThread#threadIsGone} was waited
 * for. A thread that has to stay is out of reach only for processes in a pid namespace of their
 * own.
 */
public final class Confinement {
    private static final int FILTER_ENTRY = 8;
    private static final int MOST_ENTRIES = 4096;

    private final Libc libc;
    private final LandlockRules rules;
    private final Rulesets rulesets;
    private final PortThreadFactories parents;
    private final RemainingProcesses.Proof proof;
    private final boolean filters;

    /** Creates it; {@code filters} says whether this kernel has seccomp filters. */
    public Confinement(
            Libc libc,
            LandlockRules rules,
            Rulesets rulesets,
            PortThreadFactories parents,
            RemainingProcesses.Proof proof,
            boolean filters) {
        this.filters = filters;
        this.rulesets = rulesets;
        this.proof = proof;
        this.libc = libc;
        this.rules = rules;
        this.parents = parents;
    }

    /** Returns whether a plan needs it. */
    public static boolean needed(LaunchPlan plan) {
        return plan.landlock().isPresent() || plan.seccomp().isPresent();
    }

    /**
     * Opens the folder in which a process starts.
     *
     * @throws PalyraException as {@link StartFolder#open}
     */
    public StartFolder startFolder(LaunchPlan plan) {
        return StartFolder.open(libc, rules.version(), plan);
    }

    /** Returns the restrictions of a plan that this kernel lacks: {@code tcp}, {@code scope}. */
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
     * Checks whether this kernel can enforce a plan.
     *
     * @throws PalyraException TOOL_UNAVAILABLE or INVALID_ARGUMENT
     */
    public void check(LaunchPlan plan) {
        if (plan.landlock().isPresent()) {
            checkLandlock(plan.landlock().get());
        }
        if (plan.landlock().filter(Landlock::metadata).isPresent()) {
            checkSupervision(plan);
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
                                + " bytes is invalid: it needs 1 to 4096 entries of 8 bytes.");
            }
        }
    }

    /** Without rules for files, and without a filter, there would be other ways to a file. */
    private static void checkSupervision(LaunchPlan plan) {
        if (plan.seccomp().isEmpty()
                || !plan.landlock().get().handleFiles()
                || plan.statusDescriptor() != 0) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Metadata of files is supervised for commands that have Landlock rules for"
                            + " files, a seccomp filter and no status descriptor.");
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
                                            + " of it, which has none of the requested"
                                            + " restrictions;"
                                            + " use Linux 6.12 or newer."));
        }
    }

    /**
     * Starts a thread for a plan; meanwhile the caller prepares the rest. Only for platform
     * threads. The caller starts or closes the returned thread.
     *
     * @throws PalyraException when there is no thread, or the kernel refuses its ports
     */
    public ConfinedThread open(LaunchPlan plan, boolean stays) {
        byte[] filter = plan.seccomp().orElse(new byte[0]);
        String name = "palyra-sandbox-start-" + plan.callId();
        Optional<Roots> roots = plan.landlock().filter(Landlock::metadata).map(this::roots);
        byte[] listening = filters && !stays ? listening(roots.isPresent()) : new byte[0];
        Confiner confiner = new Confiner(libc, name, filter, listening, roots.isPresent(), stays);
        try {
            return new ConfinedThread(
                    libc, rulesets, proof, plan, confiner, startThread(plan, confiner), roots);
        } catch (RuntimeException noThread) {
            confiner.close();
            roots.ifPresent(Roots::close);
            throw noThread;
        }
    }

    private Roots roots(Landlock wanted) {
        return Roots.open(libc, wanted);
    }

    private static byte[] listening(boolean supervised) {
        return supervised
                ? Architecture.of(Os.archName())
                        .map(SeccompFilter::ofMetadata)
                        .map(SeccompFilter::bytes)
                        .orElseThrow()
                : Confiner.allowing();
    }

    /** Returns the parent of the thread; empty when it has none. */
    private Optional<PortThreadFactory> startThread(LaunchPlan plan, Confiner confiner) {
        Optional<Landlock> ports =
                plan.landlock()
                        .filter(Landlock::restrictTcp)
                        .filter(wanted -> rules.version() >= LandlockRules.TCP);
        if (ports.isPresent()) {
            Landlock wanted = ports.get();
            return Optional.of(
                    parents.start(wanted.connectPorts(), wanted.handleFiles(), confiner));
        }
        try {
            PortThreadFactory.thread("palyra-sandbox-start", confiner).start();
            return Optional.empty();
        } catch (OutOfMemoryError noThread) {
            throw noThread(noThread);
        }
    }

    static PalyraException noThread(Throwable cause) {
        return new PalyraException(
                ErrorCode.RESOURCE_EXHAUSTED,
                "The system gave no thread to start a sandbox from.",
                cause);
    }
}

package palyra.sandbox.internal.run;

import java.util.List;
import java.util.Optional;
import palyra.api.Require;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.egress.EgressProxies.EgressProxy;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.internal.output.OutputStore;

/**
 * One command that is to run.
 *
 * @param tier the sandbox, exactly this one
 * @param spec what runs and what it may use; its call id names the run
 * @param stdin what it reads; empty exactly when the specification pipes none
 * @param proxy its egress proxy, closed by the caller that opened it; absent for no network
 * @param trial whether it tests the sandbox itself: only then may that be one that did not prove
 *     itself
 * @param output where the whole output goes when it is more than memory keeps
 * @param holder what holds the sandbox that it shares, and knows why that ended; absent when it has
 *     one of its own
 * @param permitted protected paths that a person allowed this command to write, relative to the
 *     workspace
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as they are fed, never compared
public record RunOrder(
        Tier tier,
        SandboxSpec spec,
        Optional<byte[]> stdin,
        Optional<EgressProxy> proxy,
        boolean trial,
        OutputStore output,
        Optional<LiveRun> holder,
        List<String> permitted) {
    /** Largest file that a command may write in a workspace that holds too much. */
    static final long SMALL_FILE_BYTES = 1L << 20;

    /** Checks. */
    public RunOrder {
        Require.present(tier, "tier");
        Require.present(spec, "specification of a command");
        Require.present(stdin, "standard input");
        Require.present(proxy, "egress proxy");
        Require.that(
                stdin.isPresent() == spec.stdinPiped(),
                "standard input is given exactly when it is piped");
        Require.that(
                proxy.isPresent() == spec.proxyFolder().isPresent(),
                "a proxy is given exactly when its folder is");
        Require.present(output, "store of output");
        Require.present(holder, "holder of a shared sandbox");
        permitted = List.copyOf(permitted);
    }

    /** Creates an order of which only the output is kept that memory holds. */
    public RunOrder(
            Tier tier,
            SandboxSpec spec,
            Optional<byte[]> stdin,
            Optional<EgressProxy> proxy,
            boolean trial) {
        this(tier, spec, stdin, proxy, trial, OutputStore.NONE, Optional.empty(), List.of());
    }

    /** Returns whether it makes a sandbox that commands share, and runs none itself. */
    public boolean holds() {
        return spec.shared().filter(shared -> shared.holder().isEmpty()).isPresent();
    }

    /** Returns an order without standard input and without a proxy. */
    public static RunOrder of(Tier tier, SandboxSpec spec) {
        return new RunOrder(tier, spec, Optional.empty(), Optional.empty(), false);
    }

    /**
     * Returns the same for a workspace that holds too much: no file can be written that is larger
     * than {@link #SMALL_FILE_BYTES}, which is enough for what cleans up.
     */
    RunOrder writingLittle() {
        SandboxLimits limits = spec.limits();
        SandboxLimits none =
                new SandboxLimits(
                        limits.wallMillis(),
                        limits.cpuMillis(),
                        limits.memoryBytes(),
                        limits.processes(),
                        Math.min(SMALL_FILE_BYTES, limits.fileBytes()),
                        limits.openFiles(),
                        limits.outputBytes(),
                        limits.scratchBytes());
        return new RunOrder(
                tier, spec.withLimits(none), stdin, proxy, trial, output, holder, permitted);
    }

    /** Returns an order for a command that tests the sandbox itself. */
    public static RunOrder trial(Tier tier, SandboxSpec spec) {
        return new RunOrder(tier, spec, Optional.empty(), Optional.empty(), true);
    }
}

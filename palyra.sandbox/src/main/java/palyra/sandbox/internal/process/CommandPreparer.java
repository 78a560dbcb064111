package palyra.sandbox.internal.process;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressProxies;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.api.core.egress.EgressProxies.EgressProxy;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.tools.ToolOrder;
import palyra.sandbox.internal.guard.GuardVerdict;
import palyra.sandbox.internal.guard.ResolvedCommand;
import palyra.sandbox.internal.output.OutputFiles;
import palyra.sandbox.internal.run.Backends;
import palyra.sandbox.internal.run.MemoryBounds;
import palyra.sandbox.internal.run.OwnPorts;
import palyra.sandbox.internal.run.RunOrder;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.shared.gate.Gate;

/**
 * Makes of a decided call what a sandbox can run: looks at the command again, compares it with what
 * was decided on, asks about its hosts, and opens its way to the network. Thread-safe.
 */
public final class CommandPreparer {
    private static final long MARGIN_MILLIS = 500;

    private final Preflight preflight;
    private final Gate<EgressProxies> proxies;
    private final OwnPorts ownPorts;
    private final MemoryBounds memory;
    private final WorkspaceBinding binding;
    private final OutputFiles outputs;

    /**
     * Creates it.
     *
     * @param binding compares the workspace with what was decided on
     * @param outputs where the whole output of commands goes
     */
    public CommandPreparer(
            Preflight preflight,
            Gate<EgressProxies> proxies,
            OwnPorts ownPorts,
            Backends backends,
            WorkspaceBinding binding,
            OutputFiles outputs) {
        this.binding = binding;
        this.outputs = outputs;
        this.memory = new MemoryBounds(backends);
        this.preflight = preflight;
        this.proxies = proxies;
        this.ownPorts = ownPorts;
    }

    /**
     * Prepares a call.
     *
     * @param limits what it may use at most
     * @throws PalyraException DENIED when a guard refuses it, it differs from the command that was
     *     decided, or one of its hosts is not allowed; TOOL_UNAVAILABLE when it needs a proxy and
     *     none is available. Nothing was started
     */
    public PreparedCommand prepare(
            ToolOrder order,
            ProcessInput input,
            CommandExaminer examiner,
            SandboxSettings settings,
            SandboxLimits limits) {
        ResolvedCommand command = resolved(order, input, examiner);
        Confinement where = order.confinement();
        requirePossible(where, input);
        binding.requireUnchanged(order.factsSha256(), command); // before hosts are asked about
        Optional<EgressProxy> proxy =
                where.egress() == Egress.NONE
                        ? Optional.empty()
                        : network(order, input, command, settings.egressBytes());
        try {
            SandboxSpec spec = spec(order, input, command, settings, limits, proxy);
            Optional<byte[]> stdin =
                    input.stdin().map(text -> text.getBytes(StandardCharsets.UTF_8));
            binding.requireUnchanged(order.factsSha256(), command); // as late as can be
            return new PreparedCommand(
                    new RunOrder(
                            where.tier(),
                            spec,
                            stdin,
                            proxy,
                            false,
                            outputs.of(order.agentId(), spec.callId())),
                    command.programSha256());
        } catch (RuntimeException e) {
            proxy.ifPresent(EgressProxy::close);
            throw e;
        }
    }

    /** Returns where the whole output of commands goes. */
    OutputFiles outputs() {
        return outputs;
    }

    /** Returns what binds answers to workspaces. */
    WorkspaceBinding binding() {
        return binding;
    }

    private static ResolvedCommand resolved(
            ToolOrder order, ProcessInput input, CommandExaminer examiner) {
        return switch (examiner.examine(input, order.agentId())) {
            case GuardVerdict.Refused refused ->
                    throw new PalyraException(ErrorCode.DENIED, refused.reason());
            case GuardVerdict.Accepted accepted -> accepted.command();
        };
    }

    private static void requirePossible(Confinement where, ProcessInput input) {
        if (where.tier() == Tier.B && where.egress() == Egress.STRICT && !input.hosts().isEmpty()) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The command requests hosts, but tier B with strict egress has no network;"
                            + " only tier C can allow single hosts.");
        }
    }

    /** Asks about the hosts of a command; opens a proxy when it is to reach some of them. */
    private Optional<EgressProxy> network(
            ToolOrder order, ProcessInput input, ResolvedCommand command, long maxBytes) {
        Set<AllowedHost> named = Preflight.named(command.facts(), input.allowedHosts());
        if (named.isEmpty()) {
            return Optional.empty();
        }
        EgressContext who = circumstances(order);
        preflight.require(who, named, maxBytes);
        boolean allowList =
                order.confinement().egress() == Egress.STRICT && !input.hosts().isEmpty();
        List<AllowedHost> hosts = input.allowedHosts();
        if (!allowList) {
            return Optional.empty();
        }
        EgressProxies opener = proxies.call(present -> present); // it outlives the short lease:
        // a proxy whose opener goes is dead, and the runner looks at that
        return Optional.of(opener.open(who, hosts, maxBytes));
    }

    private static EgressContext circumstances(ToolOrder order) {
        if (order.invocation().principalId().isEmpty()) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The command names hosts, but its principal is unknown, so no connection can"
                            + " be authorized.");
        }
        return new EgressContext(
                order.invocation().principalId(),
                order.groups(),
                order.agentId(),
                order.invocation().runId(),
                order.invocation().callId(),
                order.toolName());
    }

    private SandboxSpec spec(
            ToolOrder order,
            ProcessInput input,
            ResolvedCommand command,
            SandboxSettings settings,
            SandboxLimits limits,
            Optional<EgressProxy> proxy) {
        return new SandboxSpec(
                CallIds.of(order.invocation()),
                command.argv(),
                Map.of(),
                command.workspace().toString(),
                command.workingFolder().toString(),
                settings.protectedPaths().ofCommands(),
                readable(settings, order.agentId()),
                order.confinement().egress(),
                proxy.map(EgressProxy::folder),
                ownPorts.all(),
                memory.of(limits, order.confinement().tier(), settings.addressSpaceFactor()),
                settings.permitMissing(),
                input.stdin().isPresent());
    }

    private List<String> readable(SandboxSettings settings, String agentId) {
        List<String> paths = new ArrayList<>(settings.guard().readOnlyPaths());
        outputs.readable(agentId).ifPresent(paths::add);
        return paths;
    }

    /**
     * Returns the limits of a call: those configured, or less time when the call asks for that or
     * its deadline comes sooner; a moment is left to tell what it wrote.
     *
     * @param usualMillis time of a call that asks for none
     * @param mostMillis most time, whatever it asks for
     */
    public static SandboxLimits withinTime(
            SandboxLimits limits,
            long usualMillis,
            long mostMillis,
            ProcessInput input,
            long deadlineMillis) {
        long requestedMillis = input.timeoutMillis() == 0 ? usualMillis : input.timeoutMillis();
        long left = deadlineMillis - System.currentTimeMillis() - MARGIN_MILLIS;
        return new SandboxLimits(
                Math.max(1, Math.min(Math.min(requestedMillis, mostMillis), left)),
                limits.cpuMillis(),
                limits.memoryBytes(),
                limits.processes(),
                limits.fileBytes(),
                limits.openFiles(),
                limits.outputBytes(),
                limits.scratchBytes());
    }
}

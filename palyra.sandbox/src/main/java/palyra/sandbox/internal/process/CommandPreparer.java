package palyra.sandbox.internal.process;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
import palyra.sandbox.internal.run.OwnPorts;
import palyra.sandbox.internal.run.RunOrder;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.run.SessionSandboxes;
import palyra.shared.gate.Gate;

/**
 * Makes of a decided call what a sandbox can run: looks at the command again, compares it with what
 * was decided on, asks about its hosts, and opens its way to the network. Thread-safe.
 */
public final class CommandPreparer {
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[?::1\\]?");

    private static final long MARGIN_MILLIS = 500;

    /** Fact of the enforcement of a session's sandbox. */
    private static final String UNIX_SOCKETS = "network=loopback,unix";

    private final Preflight preflight;
    private final Gate<EgressProxies> proxies;
    private final OwnPorts ownPorts;
    private final Backends backends;
    private final WorkspaceBinding binding;
    private final SessionSandboxes sessions;
    private final OutputFiles outputs;

    /**
     * Creates it.
     *
     * @param sessions sandboxes that the commands of a session share
     * @param binding compares the workspace with what was decided on
     * @param outputs where the whole output of commands goes
     */
    public CommandPreparer(
            Preflight preflight,
            Gate<EgressProxies> proxies,
            OwnPorts ownPorts,
            Backends backends,
            WorkspaceBinding binding,
            SessionSandboxes sessions,
            OutputFiles outputs) {
        this.binding = binding;
        this.sessions = sessions;
        this.outputs = outputs;
        this.backends = backends;
        this.preflight = preflight;
        this.proxies = proxies;
        this.ownPorts = ownPorts;
    }

    /**
     * Prepares a call.
     *
     * @param limits what it may use at most
     * @throws PalyraException DENIED when a guard refuses it, its sandbox does not hold what it
     *     seems to do, it differs from the command that was decided, or one of its hosts is not
     *     allowed; TOOL_UNAVAILABLE when it needs a proxy and none is available. Nothing was
     *     started
     * @throws InterruptedException when the thread was interrupted while the sandbox of the session
     *     was made
     */
    public PreparedCommand prepare(
            ToolOrder order,
            ProcessInput input,
            CommandExaminer examiner,
            SandboxSettings settings,
            SandboxLimits limits)
            throws InterruptedException {
        ResolvedCommand command = resolved(order, input, examiner);
        Confinement where = order.confinement();
        requireHeld(command, order, settings);
        List<String> permitted = permitted(order, command, settings);
        requirePossible(where, input);
        binding.requireUnchanged(order.factsSha256(), command); // before hosts are asked about
        Optional<EgressProxy> proxy =
                where.egress() == Egress.NONE
                        ? Optional.empty()
                        : network(order, input, command, settings);
        boolean reachesHosts = proxy.isPresent();
        boolean prepared = false;
        try {
            SandboxSpec plain = spec(order, input, command, settings, limits, proxy, permitted);
            Optional<byte[]> stdin =
                    input.stdin().map(text -> text.getBytes(StandardCharsets.UTF_8));
            binding.requireUnchanged(order.factsSha256(), command); // as late as can be
            Optional<SessionSandboxes.Use> session =
                    input.session() ? Optional.of(session(order, plain)) : Optional.empty();
            if (proxy.isEmpty() && session.filter(this::canHaveProxy).isPresent()) {
                proxy = refusing(order, settings);
            }
            SandboxSpec spec = spec(order, input, command, settings, limits, proxy, permitted);
            SandboxSpec placed = session.map(use -> spec.in(use.sandbox())).orElse(spec);
            prepared = true;
            return new PreparedCommand(
                    new RunOrder(
                            where.tier(),
                            placed,
                            stdin,
                            proxy,
                            false,
                            outputs.of(order.agentId(), spec.callId()),
                            session.map(SessionSandboxes.Use::holder),
                            permitted),
                    command.programSha256(),
                    reachesHosts,
                    session);
        } finally {
            if (!prepared) {
                proxy.ifPresent(EgressProxy::close);
            }
        }
    }

    /**
     * Returns the protected paths that the command writes as its caller says or as is known, when a
     * person was asked about that and allowed it.
     */
    private static List<String> permitted(
            ToolOrder order, ResolvedCommand command, SandboxSettings settings) {
        Set<String> written =
                command.concerns().stream()
                        .flatMap(concern -> concern.paths().stream())
                        .collect(Collectors.toSet());
        return order.allowedByPerson()
                ? settings.protectedPaths().ofCommandsAt(command.workspace(), written)
                : List.of();
    }

    private SessionSandboxes.Use session(ToolOrder order, SandboxSpec spec)
            throws InterruptedException {
        return sessions.use(
                new SessionSandboxes.Key(
                        order.invocation().sessionId(),
                        order.agentId(),
                        order.invocation().principalId(),
                        spec.workspace()),
                spec);
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

    private static void requireHeld(
            ResolvedCommand command, ToolOrder order, SandboxSettings settings) {
        Confinement where = order.confinement();
        Boundary.notHeld(command, where, settings.permitMissing(), order.allowedByPerson())
                .ifPresent(
                        concern -> {
                            throw new PalyraException(
                                    ErrorCode.DENIED,
                                    concern.reason()
                                            + " Tier "
                                            + where.tier()
                                            + " would not hold that by itself ("
                                            + concern.reasonCode()
                                            + ").");
                        });
    }

    private static void requirePossible(Confinement where, ProcessInput input) {
        if (input.session() && (where.tier() != Tier.C || where.egress() != Egress.STRICT)) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The sandbox of a session is there in tier C with strict egress only, and this"
                            + " call was decided for tier "
                            + where.tier()
                            + " with egress "
                            + where.egress()
                            + "; run it without session.");
        }
        if (where.tier() != Tier.C && input.terminal()) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The line asks for a terminal (pty), which only tier C has; it was decided to"
                            + " run in tier "
                            + where.tier()
                            + ". Run it without pty.");
        }
        if (where.tier() == Tier.B && where.egress() == Egress.STRICT && !input.hosts().isEmpty()) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The command requests hosts, but tier B with strict egress has no network;"
                            + " only tier C can allow single hosts.");
        }
    }

    /** Asks about the hosts of a command; opens a proxy when it is to reach some of them. */
    private Optional<EgressProxy> network(
            ToolOrder order,
            ProcessInput input,
            ResolvedCommand command,
            SandboxSettings settings) {
        boolean strict = order.confinement().egress() == Egress.STRICT;
        Set<AllowedHost> named = // strict: others that its arguments seem to name are out of reach
                strict
                        ? Set.copyOf(input.allowedHosts())
                        : Preflight.named(command.facts(), input.allowedHosts());
        if (named.isEmpty()) {
            return strict ? usual(order, settings) : Optional.empty();
        }
        EgressContext who = circumstances(order);
        preflight.require(who, named, settings.egressBytes());
        return strict ? Optional.of(open(who, input.allowedHosts(), settings)) : Optional.empty();
    }

    /**
     * Opens the way to the hosts that an operator allows to every command which names none. Policy
     * is asked on each connection. Without a principal nothing is opened.
     */
    private Optional<EgressProxy> usual(ToolOrder order, SandboxSettings settings) {
        boolean open =
                order.confinement().tier() == Tier.C
                        && !settings.allowedHosts().isEmpty()
                        && !order.invocation().principalId().isEmpty();
        return open
                ? Optional.of(open(circumstances(order), settings.allowedHosts(), settings))
                : Optional.empty();
    }

    /**
     * Opens a way that leads nowhere, for a command that has none: what looks for the network is
     * refused at once, in place of waiting for names, and the result names the hosts. A command
     * does without it when it cannot be had.
     */
    private Optional<EgressProxy> refusing(ToolOrder order, SandboxSettings settings) {
        if (order.invocation().principalId().isEmpty() || !proxies.isPresent()) {
            return Optional.empty();
        }
        try {
            return Optional.of(open(circumstances(order), List.of(), settings));
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }

    /** The way to a proxy is a Unix socket, and a program of the host leads to it. */
    private boolean canHaveProxy(SessionSandboxes.Use session) {
        return session.holder().enforcement().contains(UNIX_SOCKETS)
                && !backends.awaited(Tier.C)
                        .status()
                        .facts()
                        .getOrDefault("socat.path", "none")
                        .equals("none");
    }

    private EgressProxy open(EgressContext who, List<AllowedHost> hosts, SandboxSettings settings) {
        EgressProxies opener = proxies.call(present -> present); // it outlives the short lease:
        // a proxy whose opener goes is dead, and the runner looks at that
        return opener.open(who, hosts, settings.egressBytes());
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
            Optional<EgressProxy> proxy,
            List<String> permitted) {
        List<String> kept =
                new ArrayList<>(settings.protectedPaths().ofCommands(command.workspace()));
        kept.removeAll(permitted);
        return new SandboxSpec(
                CallIds.of(order.invocation()),
                input.terminal()
                        ? PseudoTerminal.around(command.argv(), settings.guard().searchPath())
                        : command.argv(),
                environment(order, input, settings),
                command.workspace().toString(),
                command.workingFolder().toString(),
                settings.git().frozen(kept),
                readable(settings, order.agentId()),
                order.confinement().egress(),
                proxy.map(EgressProxy::folder),
                ownPorts.all(),
                limits,
                settings.permitMissing(),
                input.stdin().isPresent());
    }

    /**
     * Returns the variables of a command. A server that it starts itself is reached without the
     * proxy, unless it is to reach the loopback of the host.
     */
    private Map<String, String> environment(
            ToolOrder order, ProcessInput input, SandboxSettings settings) {
        Map<String, String> environment =
                new TreeMap<>(outputs.git(order.agentId(), settings.git()));
        List<AllowedHost> hosts =
                input.allowedHosts().isEmpty() ? settings.allowedHosts() : input.allowedHosts();
        if (hosts.stream().anyMatch(host -> LOOPBACK.matcher(host.host()).matches())) {
            environment.put("NO_PROXY", "");
        }
        return environment;
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

package palyra.sandbox.internal.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import palyra.api.ErrorCode;
import palyra.api.core.access.Access;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.egress.EgressContext;
import palyra.api.core.egress.EgressProxies;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tool.ToolInvocation;
import palyra.sandbox.internal.guard.CommandRequest;
import palyra.sandbox.internal.guard.Concern;
import palyra.sandbox.internal.guard.GuardVerdict;
import palyra.sandbox.internal.guard.ResolvedCommand;
import palyra.sandbox.internal.output.OutputFiles;
import palyra.sandbox.internal.run.Backends;
import palyra.sandbox.internal.run.FakeBackend;
import palyra.sandbox.internal.run.FakeProxy;
import palyra.sandbox.internal.run.OwnPorts;
import palyra.sandbox.internal.run.Runner;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.run.SessionSandboxes;
import palyra.sandbox.internal.run.Stop;
import palyra.sandbox.internal.workspace.WorkspaceStates;
import palyra.shared.files.FileTree;
import palyra.shared.gate.Gate;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;

/** A process desk over ordinary processes: what a guard would say is said by this class. */
public final class ProcessToolFixture implements AutoCloseable {
    public final Path folder;
    public final FakeBackend tierB;
    public final FakeBackend tierC;
    public final FakeAccess access = new FakeAccess(Use.READ, Use.TOOL);
    public final Access policy = access;
    public final Gate<Access> accessGate = new Gate<>("access", ErrorCode.POLICY_UNAVAILABLE, 0);
    public final Gate<EgressProxies> proxyGate =
            new Gate<>("the proxy", ErrorCode.TOOL_UNAVAILABLE, 0);
    public final List<List<EgressProxies.AllowedHost>> opened = new CopyOnWriteArrayList<>();
    public final List<FakeProxy> proxies = new CopyOnWriteArrayList<>();
    public volatile List<String> refusals = List.of(); // of proxies that are opened
    public final OwnPorts ports = new OwnPorts();
    public final Backends backends = new Backends(() -> 100);
    public final Runner runner;
    public final BackgroundProcesses backgrounds;
    public final SessionSandboxes sessions;
    public final ProcessToolService service;
    public final List<Boolean> interpretersAllowed = new ArrayList<>();
    public volatile Set<String> hosts = Set.of();
    public volatile List<Concern> concerns = List.of();
    public volatile Set<String> written = Set.of();
    public volatile Set<String> protectedPaths = Set.of(); // of the last command
    public volatile String digest = "d1";
    private volatile SandboxSettings settings;

    public ProcessToolFixture(Path folder, Map<String, ?> configuration) {
        this.folder = folder;
        this.settings = Configurations.settings(beside("-workspaces"), configuration);
        this.tierB = new FakeBackend(Tier.B, folder);
        this.tierC = new FakeBackend(Tier.C, folder);
        backends.add(tierB, Map.of());
        backends.add(tierC, Map.of());
        runner = new Runner(backends, any -> "canary=test", () -> settings.maxRunning(), ports);
        backgrounds = new BackgroundProcesses(runner, () -> settings, this::over);
        sessions = new SessionSandboxes(runner, () -> settings, () -> {}, any -> false);
        service =
                new ProcessToolService(
                        runner,
                        new CommandPreparer(
                                new Preflight(accessGate),
                                proxyGate,
                                ports,
                                backends,
                                new WorkspaceBinding(
                                        new WorkspaceStates(states(), settings::approvalMaxFiles),
                                        runner),
                                sessions,
                                new OutputFiles(settings::workspaces, settings::output)),
                        backgrounds,
                        settings,
                        (with, agent, workspace, interpreters) -> {
                            interpretersAllowed.add(interpreters);
                            return new CommandExaminer(this::look);
                        });
        accessGate.add(policy, Map.of());
        proxyGate.add(this::open, Map.of());
    }

    /** Beside the workspace, which is the test's folder. */
    private Path states() {
        return beside("-states");
    }

    private Path beside(String name) {
        return folder.resolveSibling(folder.getFileName() + name);
    }

    /** Runs and sessions, by their ids, that have ended. */
    public final Set<String> over = ConcurrentHashMap.newKeySet();

    private Optional<Stop> over(String runId, String sessionId, boolean outlivesRun) {
        return over.contains(outlivesRun ? sessionId : runId)
                ? Optional.of(outlivesRun ? Stop.SESSION_ENDED : Stop.RUN_ENDED)
                : Optional.empty();
    }

    private GuardVerdict look(CommandRequest request, String agentId) {
        protectedPaths = request.protectedPaths();
        if (request.command().equals("forbidden")) {
            return new GuardVerdict.Refused("sandbox.command_not_allowed", "It is forbidden.");
        }
        List<String> argv = new ArrayList<>();
        argv.add(request.command().equals("missing") ? "/no/such" : "/bin/" + request.command());
        argv.addAll(request.arguments());
        CallFacts facts =
                new CallFacts(
                        argv.get(0),
                        digest,
                        folder.toString(),
                        "",
                        Set.of(),
                        argv.size() - 1,
                        hosts,
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        written,
                        Set.of());
        return new GuardVerdict.Accepted(
                new ResolvedCommand(
                        Path.of(argv.get(0)),
                        digest,
                        argv,
                        folder,
                        folder,
                        false,
                        facts,
                        concerns));
    }

    private EgressProxies.EgressProxy open(
            EgressContext who, List<EgressProxies.AllowedHost> allowed, long maxBytes) {
        opened.add(allowed);
        FakeProxy proxy = new FakeProxy(true);
        proxy.refusals = refusals;
        proxies.add(proxy);
        return proxy;
    }

    /** Returns an order of a tool. */
    public static ToolOrder order(
            String tool, String callId, String runId, String json, Tier tier, Egress egress) {
        return order(tool, callId, runId, "user:anna", json, tier, egress, "");
    }

    /** Returns an order of a tool. */
    public static ToolOrder order(
            String tool,
            String callId,
            String runId,
            String principal,
            String json,
            Tier tier,
            Egress egress,
            String factsSha256) {
        return new ToolOrder(
                tool,
                new ToolInvocation(
                        callId,
                        1,
                        runId,
                        "session",
                        principal,
                        json,
                        System.currentTimeMillis() + 600_000),
                "agent",
                Set.of("operator"),
                new Confinement(tier, egress),
                factsSha256,
                false);
    }

    @Override
    public void close() {
        backgrounds.close();
        sessions.close();
        runner.close();
        try {
            FileTree.remove(states());
            FileTree.remove(beside("-workspaces"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

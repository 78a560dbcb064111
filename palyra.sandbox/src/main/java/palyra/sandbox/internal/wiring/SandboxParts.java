package palyra.sandbox.internal.wiring;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.command.Command;
import palyra.api.core.access.Access;
import palyra.api.core.egress.EgressProxies;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.LoopView;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.sandbox.WorkspaceFiles;
import palyra.api.core.tools.EnvironmentSource;
import palyra.api.tool.Tool;
import palyra.sandbox.internal.canary.Canaries;
import palyra.sandbox.internal.canary.CanaryJournal;
import palyra.sandbox.internal.canary.CanaryReport;
import palyra.sandbox.internal.canary.CanaryTrial;
import palyra.sandbox.internal.command.CommandServices;
import palyra.sandbox.internal.environment.PresentPrograms;
import palyra.sandbox.internal.environment.SandboxEnvironment;
import palyra.sandbox.internal.environment.SystemName;
import palyra.sandbox.internal.files.FileTools;
import palyra.sandbox.internal.git.GitChoice;
import palyra.sandbox.internal.git.GitProtection;
import palyra.sandbox.internal.guard.HostPrograms;
import palyra.sandbox.internal.output.OutputFiles;
import palyra.sandbox.internal.process.BackgroundProcesses;
import palyra.sandbox.internal.process.CommandExaminer;
import palyra.sandbox.internal.process.CommandPreparer;
import palyra.sandbox.internal.process.OwnerLife;
import palyra.sandbox.internal.process.Preflight;
import palyra.sandbox.internal.process.ProcessToolService;
import palyra.sandbox.internal.process.WorkspaceBinding;
import palyra.sandbox.internal.run.Backends;
import palyra.sandbox.internal.run.LiveRun;
import palyra.sandbox.internal.run.OwnPorts;
import palyra.sandbox.internal.run.Runner;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.run.SessionSandboxes;
import palyra.sandbox.internal.run.Stop;
import palyra.sandbox.internal.run.Threads;
import palyra.sandbox.internal.workspace.WorkspaceStates;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.gate.Gate;

/** Everything about sandboxed commands, put together without any framework. Thread-safe. */
public final class SandboxParts implements AutoCloseable {
    /**
     * How long a command waits whose sandbox is tested again just before its start. Its call has
     * waited for a test under way as long as its time allows.
     */
    private static final long SECOND_TEST_MILLIS = 20_000;

    /** How long a call waits for a sandbox whose bundle starts or is replaced. */
    private static final long EXPECTED_MILLIS = 20_000;

    private static final long SHORT_MILLIS = 2_000;

    private final Gate<Access> access =
            new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, SHORT_MILLIS);
    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, SHORT_MILLIS);
    private final Gate<Keys> keys =
            new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, SHORT_MILLIS);
    private final Gate<EgressProxies> proxies =
            new Gate<>("The egress proxy", ErrorCode.TOOL_UNAVAILABLE, SHORT_MILLIS);
    private final Gate<FolderCalls> folders =
            new Gate<>(
                    "What opens folders (palyra.sandbox.posix)",
                    ErrorCode.TOOL_UNAVAILABLE,
                    SHORT_MILLIS);
    private final OwnPorts ownPorts = new OwnPorts();
    private final HostPrograms programs = new HostPrograms();
    private final Backends backends;
    private final Canaries canaries;
    private final Runner runner;
    private final GitProtection git;
    private final OutputFiles outputs;
    private final BackgroundProcesses backgrounds;
    private final SessionSandboxes sessions;
    private final ProcessToolService service;
    private final CanaryTrial trial;
    private final WarmUp warmUp;
    private final PresentPrograms present = new PresentPrograms();
    private final FileTools files;
    private final List<Path> gatewayFolders;
    private volatile SandboxSettings settings;

    /**
     * Puts it together; nothing runs before {@link #begin}.
     *
     * @param gatewayFolders folders that no workspace may touch; the first holds the targets that
     *     canaries must not reach
     */
    public SandboxParts(
            SandboxSettings settings,
            List<Path> gatewayFolders,
            Map<String, String> ownEnvironment) {
        this.settings = settings;
        this.gatewayFolders = List.copyOf(gatewayFolders);
        this.backends = new Backends(() -> this.settings.graceMillis(), EXPECTED_MILLIS);
        this.canaries =
                new Canaries(
                        backends,
                        new CanaryJournal(journal, keys),
                        () -> this.settings.canaryMillis(),
                        System::currentTimeMillis,
                        SECOND_TEST_MILLIS);
        this.git =
                new GitProtection(
                        gatewayFolders.get(0).resolve("workspace-git"),
                        work -> Threads.start("repositories", work));
        this.runner =
                new Runner(
                        backends,
                        canaries,
                        () -> this.settings.maxRunning(),
                        ownPorts,
                        () -> this.settings.workspaceQuota(),
                        () -> this.settings.sessions().quota(),
                        this::protectGit);
        this.files =
                new FileTools(
                        this::workspaces,
                        () -> this.settings.protectedPaths(),
                        folders,
                        runner::requireRoom);
        this.sessions =
                new SessionSandboxes(
                        runner,
                        () -> this.settings,
                        () -> git.look(path -> runner.stopIn(path, Stop.PATH_REPLACED)),
                        id -> OwnerLife.of(journal).over("", id, true).isPresent());
        this.trial =
                new CanaryTrial(
                        runner,
                        () -> this.settings,
                        gatewayFolders.get(0).resolve("run"),
                        ownEnvironment);
        this.warmUp = new WarmUp(programs, () -> this.settings.guard());
        this.outputs =
                new OutputFiles(() -> this.settings.workspaces(), () -> this.settings.output());
        this.backgrounds =
                new BackgroundProcesses(runner, () -> this.settings, OwnerLife.of(journal));
        this.service =
                new ProcessToolService(
                        runner,
                        new CommandPreparer(
                                new Preflight(access),
                                proxies,
                                ownPorts,
                                backends,
                                new WorkspaceBinding(states(), runner),
                                sessions,
                                outputs),
                        backgrounds,
                        settings,
                        CommandExaminer.maker(gatewayFolders, programs));
    }

    private GitProtection.Call protectGit(LiveRun run) {
        SandboxSpec spec = run.order().spec();
        Path workspace = Path.of(spec.workspace());
        return run.order().holds()
                ? git.hold(workspace, run::hasOthers)
                : git.begin(
                        workspace,
                        GitChoice.others(spec.protectedPaths()),
                        run.order().permitted());
    }

    private WorkspaceStates states() {
        return new WorkspaceStates(
                gatewayFolders.get(0).resolve("workspace-states"),
                () -> settings.approvalMaxFiles());
    }

    /**
     * Looks at what commands left when a gateway ended without their end, and begins to test
     * sandboxes, once the gateway is up or a caller waits for a test.
     */
    public void begin() {
        sessions.removeLeftovers();
        git.recover();
        canaries.begin(this::tested, warmUp::begin);
    }

    private CanaryReport tested(SandboxBackend backend, BackendStatus status) {
        CanaryReport report = trial.of(backend, status);
        if (report.passed()) {
            present.look(backend, status.fingerprint(), names -> trial.programs(backend, names));
        }
        return report;
    }

    /** The gateway is up: sandboxes are tested and the host's programs are looked at. */
    public void gatewayIsUp() {
        outputs.removeOld();
        canaries.gatewayIsUp();
    }

    /**
     * Takes a changed configuration: it counts from the next call on; sandboxes are tested again.
     * One that says the same, as when a file was refused and the last good one stays, changes
     * nothing.
     */
    public void use(SandboxSettings changed) {
        if (changed.equals(settings)) {
            return;
        }
        settings = changed;
        service.use(changed);
        sessions.endAll();
        canaries.testAll();
    }

    /** Returns the tools. */
    public List<Tool> tools() {
        List<Tool> tools = new ArrayList<>(files.tools());
        tools.addAll(service.tools());
        return tools;
    }

    /** Returns what reads and writes files of workspaces for other bundles. */
    WorkspaceFiles files() {
        return files.files();
    }

    /** Returns what describes the place of commands and files to models. */
    EnvironmentSource environment() {
        return new SandboxEnvironment(
                () -> settings, this::workspaces, backends, present, SystemName.now());
    }

    private Workspaces workspaces() {
        SandboxSettings now = settings;
        return new Workspaces(now.workspaces(), now.agentWorkspaces(), gatewayFolders);
    }

    /** Returns the commands. */
    public List<Command> commands() {
        return new CommandServices(service, backends, canaries, access, journal, keys).commands();
    }

    SandboxReport report() {
        return new SandboxReport(service, backends, canaries, sessions);
    }

    /** Returns how the threads are. */
    List<LoopView> loops() {
        return List.of(canaries.loop(), backgrounds.loop(), sessions.loop());
    }

    /** Returns the seam to sandboxes. */
    public Backends backends() {
        return backends;
    }

    /** Returns who decides. */
    public Gate<Access> access() {
        return access;
    }

    /** Returns where tests and runs are recorded. */
    public Gate<Journal> journal() {
        return journal;
    }

    /** Returns what signs the records. */
    public Gate<Keys> keys() {
        return keys;
    }

    /** Returns what opens ways to the network. */
    public Gate<EgressProxies> proxies() {
        return proxies;
    }

    /** What opens ways to the network goes, and with it the ways that it has opened. */
    void withdraw(EgressProxies leaving) {
        runner.withdrawProxies();
        proxies.remove(leaving);
    }

    /** Returns what opens folders. */
    public Gate<FolderCalls> folders() {
        return folders;
    }

    /** Returns the ports that no command may reach. */
    public OwnPorts ownPorts() {
        return ownPorts;
    }

    /** Ends everything and waits for it. */
    @Override
    public void close() {
        canaries.close();
        backgrounds.close();
        sessions.close();
        runner.close();
        warmUp.close();
    }
}

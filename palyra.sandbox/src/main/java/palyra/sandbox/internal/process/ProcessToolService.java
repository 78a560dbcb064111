package palyra.sandbox.internal.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tool.Tool;
import palyra.sandbox.internal.run.LiveRun;
import palyra.sandbox.internal.run.RunResult;
import palyra.sandbox.internal.run.Runner;
import palyra.sandbox.internal.run.SandboxSettings;

/** What the process tools and commands work with. Thread-safe. */
public final class ProcessToolService {
    /** How often a command gets another sandbox of its session because the one it got is lost. */
    static final int NEW_SANDBOXES = 3;

    private final Runner runner;
    private final CommandPreparer preparer;
    private final BackgroundProcesses backgrounds;
    private final CommandExaminer.Maker maker;
    private volatile Current current;

    private record Current(SandboxSettings settings, CommandExaminer examiner) {}

    /**
     * Creates it.
     *
     * @param maker makes what looks at commands, the ordinary one for an empty agent id
     */
    public ProcessToolService(
            Runner runner,
            CommandPreparer preparer,
            BackgroundProcesses backgrounds,
            SandboxSettings settings,
            CommandExaminer.Maker maker) {
        this.runner = Require.present(runner, "runner");
        this.preparer = Require.present(preparer, "preparer");
        this.backgrounds = Require.present(backgrounds, "background processes");
        this.maker = Require.present(maker, "maker of examiners");
        use(settings);
    }

    /** Takes a changed configuration; it counts from the next call on. */
    public final void use(SandboxSettings settings) {
        current = new Current(settings, maker.make(settings, "", null, false));
    }

    /**
     * Returns what looks at commands of one agent that an operator says something special about.
     *
     * @param workspace the agent's workspace; null means as configured
     */
    public CommandExaminer special(String agentId, Path workspace, boolean allowInterpreters) {
        return maker.make(settings(), agentId, workspace, allowInterpreters);
    }

    /** Returns the configuration. */
    public SandboxSettings settings() {
        return current.settings();
    }

    /** Returns what looks at commands. */
    public CommandExaminer examiner() {
        return current.examiner();
    }

    /** Returns what runs commands. */
    public Runner runner() {
        return runner;
    }

    /** Returns what makes runs of decided calls. */
    public CommandPreparer preparer() {
        return preparer;
    }

    /** Returns what binds answers to workspaces. */
    WorkspaceBinding binding() {
        return preparer.binding();
    }

    /** Returns the processes that go on after their call. */
    public BackgroundProcesses backgrounds() {
        return backgrounds;
    }

    /** Returns the tools {@code palyra.process.…}. */
    public List<Tool> tools() {
        return List.of(
                new ProcessRunTool(this),
                new ProcessStartTool(this),
                new ShellTool(this),
                new ProcessStatusTool(backgrounds),
                new ProcessStopTool(backgrounds));
    }

    /**
     * What came of a command.
     *
     * @param result how it ended
     * @param programSha256 digest of the program
     * @param blockedHosts what its egress proxy refused, as sentences
     * @param note what a model has to know besides; empty for nothing
     */
    public record Ran(
            RunResult result, String programSha256, List<String> blockedHosts, String note) {}

    /**
     * Runs a decided command and waits for it.
     *
     * @param by what looks at it
     * @param most what it may use at most
     * @param usualMillis its time when it asks for none
     * @throws palyra.api.PalyraException when nothing was started: it names the reason
     * @throws InterruptedException when the thread was interrupted before it was started
     */
    public Ran run(
            ToolOrder order,
            ProcessInput input,
            CommandExaminer by,
            SandboxLimits most,
            long usualMillis)
            throws InterruptedException {
        awaitTest(order, most, usualMillis, input);
        SandboxLimits limits = limits(order, most, usualMillis, input);
        for (int left = NEW_SANDBOXES; ; left--) {
            try (PreparedCommand prepared =
                    preparer.prepare(order, input, by, settings(), limits)) {
                Optional<Ran> ran = ran(prepared, left > 0);
                if (ran.isPresent()) {
                    return ran.get();
                }
            }
        }
    }

    /**
     * Waits while the sandbox of a call is being tested, for at most the time that the command may
     * take; the wait is not part of that time.
     */
    void awaitTest(ToolOrder order, SandboxLimits most, long usualMillis, ProcessInput input) {
        runner.awaitTest(
                order.confinement().tier(), limits(order, most, usualMillis, input).wallMillis());
    }

    private static SandboxLimits limits(
            ToolOrder order, SandboxLimits most, long usualMillis, ProcessInput input) {
        return CommandPreparer.withinTime(
                most, usualMillis, most.wallMillis(), input, order.invocation().deadlineMillis());
    }

    /** Returns what came of it; empty when it has to be tried in another sandbox. */
    private Optional<Ran> ran(PreparedCommand prepared, boolean again) {
        LiveRun live;
        int leftBefore = prepared.leftInSession();
        try {
            live = runner.start(prepared.order());
        } catch (PalyraException e) {
            if (again && hasLostSession(prepared)) {
                return Optional.empty();
            }
            throw e;
        }
        RunResult result = live.await();
        if (again && !live.spawned() && hasLostSession(prepared)) {
            return Optional.empty();
        }
        return Optional.of(
                new Ran(
                        result,
                        prepared.programSha256(),
                        prepared.blockedHosts(),
                        Stream.of(
                                        prepared.noteOfSession(),
                                        live.noteOfFull(),
                                        ReadOnlyNote.of(prepared.order().spec(), result),
                                        NetworkNote.of(prepared, result),
                                        ProcessResults.noteOfFile(result, live.order()),
                                        noteOfLeft(
                                                leftBefore,
                                                prepared.leftInSession(),
                                                prepared.reachesHosts()))
                                .filter(note -> !note.isEmpty())
                                .collect(Collectors.joining(" "))));
    }

    /**
     * Tells of processes that a command left in the sandbox of its session.
     *
     * @param reachedHosts whether the command had a way to hosts, which ends with it: those hosts
     *     were allowed to that call
     */
    static String noteOfLeft(int before, int now, boolean reachedHosts) {
        if (now <= before) {
            return "";
        }
        String left =
                now == 1
                        ? "1 process is still running in the session."
                        : (now == LiveRun.MOST_LEFT ? "At least " : "")
                                + now
                                + " processes are still running in the session.";
        return left
                + (reachedHosts
                        ? " What this command left running answers on 127.0.0.1 and reaches no"
                                + " other host any more, since its network was that of this call."
                                + " If it needs hosts, stop it and run it as a call of its own with"
                                + " background, which keeps them as long as it runs."
                        : "");
    }

    /**
     * Returns whether a command that was not started cannot enter the sandbox of its session any
     * more; the session gets a new one then.
     */
    boolean hasLostSession(PreparedCommand prepared) {
        return prepared.session().filter(use -> runner.isLost(use.holder())).isPresent();
    }
}

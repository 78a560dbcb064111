package palyra.sandbox.internal.process;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolProposed;
import palyra.sandbox.internal.guard.CommandGuard;
import palyra.sandbox.internal.guard.CommandRequest;
import palyra.sandbox.internal.guard.GuardSettings;
import palyra.sandbox.internal.guard.GuardVerdict;
import palyra.sandbox.internal.guard.HostPrograms;
import palyra.sandbox.internal.guard.ResolvedCommand;
import palyra.sandbox.internal.output.OutputFiles;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.shape.CommandCall;
import palyra.sandbox.internal.shape.CommandMarks;
import palyra.sandbox.internal.shape.CommandRows;
import palyra.sandbox.internal.shape.CommandShape;
import palyra.sandbox.internal.shape.ProgramTrust;
import palyra.sandbox.internal.workspace.Workspaces;

/**
 * Examines a command before it is decided: the workspace, the program, the effects. Replaced when
 * the configuration changes. Thread-safe.
 */
public final class CommandExaminer {
    /** Resolves a command of an agent. */
    public interface Look {
        /** Returns what it is, or why it is refused. */
        GuardVerdict at(CommandRequest request, String agentId);
    }

    /** Makes examiners for agents that an operator says something special about. */
    public interface Maker {
        /**
         * Makes one.
         *
         * @param workspace the agent's workspace; null means as configured
         */
        CommandExaminer make(
                SandboxSettings settings,
                String agentId,
                Path workspace,
                boolean allowInterpreters);
    }

    /** The engine leaves the sentence out that names a tool which the agent has not. */
    private static final String LINES =
            "For a line of shell, and for a program of the workspace, use "
                    + ShellTool.NAME
                    + ". If no tool of yours runs lines of shell, ask the operator.";

    private final Look look;
    private final CommandShape shape;

    /** Makes one of what resolves commands. */
    public CommandExaminer(Look look) {
        this(look, ProgramTrust.ROOT, CommandRows.SHIPPED);
    }

    private CommandExaminer(Look look, ProgramTrust trust, CommandRows rows) {
        this.look = look;
        this.shape = new CommandShape(trust, rows);
    }

    private CommandExaminer(
            CommandGuard guard,
            Workspaces workspaces,
            ProgramTrust trust,
            SandboxSettings settings) {
        this(
                (request, agentId) ->
                        CommandMarks.withUsualHosts(
                                settings.allowedHosts(),
                                request.hosts(),
                                CommandMarks.marked(
                                        settings.commandRows(),
                                        request.command(),
                                        request.arguments(),
                                        guard.examine(request, workspaces.of(agentId)))),
                trust,
                settings.commandRows());
    }

    /**
     * Returns what makes them of the guard and the workspaces.
     *
     * @param gatewayFolders folders that no workspace may touch
     * @param host the programs of this host
     */
    public static Maker maker(List<Path> gatewayFolders, HostPrograms host) {
        return maker(gatewayFolders, host, ProgramTrust.ROOT);
    }

    /**
     * Returns what makes them.
     *
     * @param trust whose programs may be allowed for longer than one call
     */
    public static Maker maker(List<Path> gatewayFolders, HostPrograms host, ProgramTrust trust) {
        return (settings, agentId, workspace, allowInterpreters) ->
                new CommandExaminer(
                        new CommandGuard(guard(settings, allowInterpreters), host),
                        new Workspaces(
                                settings.workspaces(),
                                workspace == null
                                        ? settings.agentWorkspaces()
                                        : Map.of(agentId, workspace),
                                gatewayFolders),
                        trust,
                        settings);
    }

    /**
     * Files with output may be named; which of them a command can read is the sandbox's business.
     */
    private static GuardSettings guard(SandboxSettings settings, boolean allowInterpreters) {
        GuardSettings configured = settings.guard();
        List<String> readable = new ArrayList<>(configured.readOnlyPaths());
        readable.add(settings.workspaces().resolve(OutputFiles.FOLDER).toString());
        return new GuardSettings(
                configured.allowedCommands(),
                configured.allowInterpreters() || allowInterpreters,
                configured.searchPath(),
                readable,
                configured.protectedPaths());
    }

    /** Resolves a command; PalyraException when the agent can have no workspace. */
    public GuardVerdict examine(ProcessInput input, String agentId) {
        return look.at(input.request(), agentId);
    }

    /** Returns what an executor tells about a command that a tool was asked for. */
    ToolExamination toExamination(
            String tool, ProcessInput input, ToolProposed proposed, WorkspaceBinding binding) {
        return switch (examine(input, proposed.agentId())) {
            case GuardVerdict.Accepted accepted -> {
                ResolvedCommand command = accepted.command();
                CallDescription said = shape.describe(call(tool, input), command);
                yield proposed.bindsWorkspace()
                        ? binding.bound(command, said, proposed.comparedWith())
                        : ToolExamination.facts(command.facts(), said);
            }
            case GuardVerdict.Refused refused ->
                    ToolExamination.refused(
                            refused.reasonCode(),
                            refused.reasonCode().equals(CommandGuard.NAME_UNUSABLE)
                                    ? refused.reason() + " " + LINES
                                    : refused.reason());
        };
    }

    private static CommandCall call(String tool, ProcessInput input) {
        return new CommandCall(
                tool,
                input.command(),
                input.arguments(),
                input.stdin().map(text -> text.getBytes(StandardCharsets.UTF_8).length).orElse(-1),
                input.allowedHosts().stream()
                        .map(host -> host.host() + ":" + host.port())
                        .collect(Collectors.toSet()),
                input.timeoutMillis(),
                input.background(),
                input.session());
    }
}

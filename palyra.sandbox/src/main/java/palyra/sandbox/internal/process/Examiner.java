package palyra.sandbox.internal.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import palyra.api.core.tools.ToolExamination;
import palyra.sandbox.internal.guard.CommandGuard;
import palyra.sandbox.internal.guard.CommandRequest;
import palyra.sandbox.internal.guard.GuardSettings;
import palyra.sandbox.internal.guard.GuardVerdict;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.workspace.Workspaces;

/**
 * Looks at a command before anybody decides about it: whose workspace, which program, what it would
 * do. Made anew when the configuration changes. Thread-safe.
 */
public final class Examiner {
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
        Examiner make(
                SandboxSettings settings,
                String agentId,
                Path workspace,
                boolean allowInterpreters);
    }

    private final Look look;

    /** Makes one of what resolves commands. */
    public Examiner(Look look) {
        this.look = look;
    }

    private Examiner(CommandGuard guard, Workspaces workspaces) {
        this((request, agentId) -> guard.examine(request, workspaces.of(agentId)));
    }

    /**
     * Returns what makes them of the guard and the workspaces.
     *
     * @param gatewayFolders folders that no workspace may touch
     */
    public static Maker maker(List<Path> gatewayFolders) {
        return (settings, agentId, workspace, allowInterpreters) ->
                new Examiner(
                        new CommandGuard(guard(settings.guard(), allowInterpreters)),
                        new Workspaces(
                                settings.workspaces(),
                                workspace == null
                                        ? settings.agentWorkspaces()
                                        : Map.of(agentId, workspace),
                                gatewayFolders));
    }

    private static GuardSettings guard(GuardSettings configured, boolean allowInterpreters) {
        return new GuardSettings(
                configured.allowedCommands(),
                configured.allowInterpreters() || allowInterpreters,
                configured.searchPath(),
                configured.readOnlyPaths());
    }

    /** Resolves a command; PalyraException when the agent can have no workspace. */
    public GuardVerdict examine(ProcessInput input, String agentId) {
        return look.at(input.request(), agentId);
    }

    /** Returns what an executor tells about a command. */
    public ToolExamination tell(ProcessInput input, String agentId) {
        return switch (examine(input, agentId)) {
            case GuardVerdict.Accepted accepted ->
                    ToolExamination.facts(accepted.command().facts());
            case GuardVerdict.Refused refused ->
                    ToolExamination.refused(refused.reasonCode(), refused.reason());
        };
    }
}

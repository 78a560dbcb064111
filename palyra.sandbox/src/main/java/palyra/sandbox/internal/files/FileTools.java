package palyra.sandbox.internal.files;

import java.util.List;
import java.util.function.Supplier;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.tools.ConfinedTool;
import palyra.sandbox.internal.workspace.ProtectedPaths;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.gate.Gate;

/** All file tools. */
public final class FileTools {
    private FileTools() {}

    /**
     * Returns the tools.
     *
     * @param protectedPaths what they must not write; asked for at each call
     * @param folders what makes folders relative to open ones
     */
    public static List<ConfinedTool> of(
            Supplier<Workspaces> workspaces,
            Supplier<ProtectedPaths> protectedPaths,
            Gate<FolderCalls> folders) {
        WorkspaceChanges changes =
                new WorkspaceChanges(protectedPaths, folders, new PatchStepListener());
        return List.of(
                new ReadFileTool(workspaces),
                new ListDirTool(workspaces),
                new SearchTool(workspaces),
                new WriteFileTool(workspaces, changes),
                new EditFileTool(workspaces, changes),
                new ApplyPatchTool(workspaces, changes));
    }
}

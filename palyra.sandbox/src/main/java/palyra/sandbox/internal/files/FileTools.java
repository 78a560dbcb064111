package palyra.sandbox.internal.files;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.WorkspaceFiles;
import palyra.api.core.tools.ConfinedTool;
import palyra.sandbox.internal.workspace.ProtectedPaths;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.gate.Gate;

/** All file tools, and what other bundles use of them. */
public final class FileTools {
    private final List<ConfinedTool> tools;
    private final WorkspaceFiles files;

    /**
     * Creates them.
     *
     * @param protectedPaths what they must not write; asked for at each call
     * @param folders what makes folders relative to open ones
     * @param room refuses a number of bytes that a workspace has no room for: RESOURCE_EXHAUSTED
     */
    public FileTools(
            Supplier<Workspaces> workspaces,
            Supplier<ProtectedPaths> protectedPaths,
            Gate<FolderCalls> folders,
            BiConsumer<Path, Long> room) {
        WorkspaceChanges changes =
                new WorkspaceChanges(protectedPaths, folders, new PatchStepListener());
        tools =
                List.of(
                        new ReadFileTool(workspaces),
                        new ListDirTool(workspaces),
                        new SearchTool(workspaces),
                        new WriteFileTool(workspaces, changes),
                        new EditFileTool(workspaces, changes),
                        new ApplyPatchTool(workspaces, changes));
        files = new FileService(workspaces, changes, room::accept);
    }

    /** Returns the tools. */
    public List<ConfinedTool> tools() {
        return tools;
    }

    /** Returns the service. */
    public WorkspaceFiles files() {
        return files;
    }
}

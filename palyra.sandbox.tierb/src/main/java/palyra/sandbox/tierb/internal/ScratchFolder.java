package palyra.sandbox.tierb.internal;

import palyra.api.core.sandbox.FolderCalls;
import palyra.shared.confine.FolderIdentity;
import palyra.shared.confine.ScratchName;

/**
 * The folder for a call's temporary files, inside its workspace. It is newly made, so no other
 * process can have prepared it, and removed in the end. Both happen relative to the open workspace,
 * so neither happens elsewhere when another folder or a link replaces the workspace. A {@code
 * .gitignore} in it says that git leaves it out.
 */
final class ScratchFolder implements AutoCloseable {
    private final OpenWorkspace workspace;
    private final String name;

    private ScratchFolder(OpenWorkspace workspace, String name) {
        this.workspace = workspace;
        this.name = name;
    }

    /** Makes the folder, for its owner only. Close it when the call has ended. */
    static ScratchFolder make(FolderCalls calls, FolderIdentity workspace, String callId) {
        return make(OpenWorkspace.open(calls, workspace), callId);
    }

    /** Makes it in an open workspace and takes that over. */
    static ScratchFolder make(OpenWorkspace workspace, String callId) {
        ScratchFolder made = new ScratchFolder(workspace, ScratchName.of(callId));
        try {
            workspace.make(made.name);
            workspace.ignoreByGit(made.name);
        } catch (RuntimeException refused) {
            workspace.close();
            throw refused;
        }
        return made;
    }

    /** Returns its path. */
    String text() {
        return workspace.text() + "/" + name;
    }

    /** Removes it if it is empty; returns whether it is gone. Never follows a link. */
    boolean removeEmpty() {
        return workspace.removeEmpty(name);
    }

    /** Removes it with all that is in it; returns whether it is gone. Never follows a link. */
    boolean removeAll(long millis) {
        return removeEmpty() || workspace.removeTree(name, millis);
    }

    /** Closes the workspace. Content that was not removed stays. */
    @Override
    public void close() {
        workspace.close();
    }
}

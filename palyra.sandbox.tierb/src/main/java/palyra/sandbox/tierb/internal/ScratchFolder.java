package palyra.sandbox.tierb.internal;

import palyra.api.core.sandbox.FolderCalls;
import palyra.shared.confine.FolderIdentity;
import palyra.shared.confine.ScratchName;

/**
 * The folder for a call's temporary files, inside its workspace. It is made afresh, so nobody can
 * have prepared it, and removed in the end. Both are asked of the workspace that is held open, so
 * neither happens anywhere else when another folder, or a link, takes the workspace's place.
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

    /** Makes it in a workspace that is open, and takes that over. */
    static ScratchFolder make(OpenWorkspace workspace, String callId) {
        ScratchFolder made = new ScratchFolder(workspace, ScratchName.of(callId));
        try {
            workspace.make(made.name);
        } catch (RuntimeException refused) {
            workspace.close();
            throw refused;
        }
        return made;
    }

    /** Returns where it is. */
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

    /** Lets the workspace go. What was not removed stays. */
    @Override
    public void close() {
        workspace.close();
    }
}

package palyra.sandbox.tierb.internal;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.confine.FolderIdentity;
import palyra.shared.confine.Refusals;

/**
 * The folder for a call's temporary files, inside its workspace. It is made afresh, so nobody can
 * have prepared it, and removed in the end. Both are asked of the workspace that is held open, so
 * neither happens anywhere else when another folder, or a link, takes the workspace's place.
 */
final class ScratchFolder implements AutoCloseable {
    private static final String PREFIX = ".palyra-tmp-";

    private final HeldFolder workspace;
    private final String name;

    private ScratchFolder(HeldFolder workspace, String name) {
        this.workspace = workspace;
        this.name = name;
    }

    /** Makes the folder, for its owner only. Close it when the call has ended. */
    static ScratchFolder make(FolderCalls calls, FolderIdentity workspace, String callId) {
        return make(HeldFolder.open(calls, workspace), callId);
    }

    /** Makes it in a folder that is open, and takes that over. */
    static ScratchFolder make(HeldFolder workspace, String callId) {
        ScratchFolder made = new ScratchFolder(workspace, PREFIX + callId);
        int result = callId.indexOf('/') < 0 ? workspace.make(made.name) : -FolderCalls.ENOENT;
        if (result < 0) {
            workspace.close();
            throw made.refusal(-result);
        }
        return made;
    }

    private PalyraException refusal(int errno) {
        if (errno == FolderCalls.EEXIST) {
            return new PalyraException(
                    ErrorCode.CONFLICT,
                    "The folder "
                            + text()
                            + " for temporary files of the call is there already: remove it, or use"
                            + " another call id.");
        }
        return Refusals.unavailable(
                "The folder " + text() + " cannot be made (error " + errno + ").",
                "Make room, and let the gateway's user write the workspace.");
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

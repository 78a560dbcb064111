package palyra.api.core.access;

import java.util.Set;
import palyra.api.Require;

/**
 * What a workspace held at one moment, as far as a person's answer is bound to it: an answer for
 * one call counts for the files that were there when the person was asked.
 *
 * @param sha256 digest of every name, kind, size, mode, inode and time of change in it, lower-case
 *     hex; empty when the call depends on no workspace
 * @param entries how many files and folders it held
 * @param running ids of what ran in it at that moment and may go on changing files
 */
public record WorkspaceState(String sha256, int entries, Set<String> running) {
    /** The call depends on no workspace. */
    public static final WorkspaceState NONE = new WorkspaceState("", 0, Set.of());

    /** Checks and copies. */
    public WorkspaceState {
        sha256 = Require.orEmpty(sha256);
        running = Set.copyOf(running);
        Require.that(entries >= 0, "a workspace holds " + entries + " entries: use 0 or more");
    }

    /** Returns whether there is a workspace. */
    public boolean known() {
        return !sha256.isEmpty();
    }
}

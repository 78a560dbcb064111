package palyra.sandbox.internal.git;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names of the files that git, and programs that only keep notes, have at the top of a folder of
 * git. Others are what a program could run or obey, as lazygit does with {@code lazygit.yml}.
 * Folders of other programs, such as {@code lfs} and {@code annex}, are theirs. Pure.
 */
final class GitOwnFiles {
    /**
     * Single references and messages: HEAD, MERGE_MSG, COMMIT_EDITMSG and the copies of editors.
     */
    private static final Pattern IN_CAPITALS =
            Pattern.compile("[#.]?[A-Z][A-Z0-9_-]*(?:[~#]|\\.sw[a-z]|\\.save|\\.patch|\\.diff)?");

    private static final Pattern NUMBERED =
            Pattern.compile(
                    "index\\.stash\\.[0-9]+|next-index-[0-9]+|shallow_[A-Za-z0-9]{6}"
                            + "|sharedindex[._][A-Za-z0-9]+|\\.palyra-[0-9a-f]+");

    private static final Set<String> NAMES =
            Set.of(
                    "config",
                    "config.worktree",
                    "description",
                    "index",
                    "packed-refs",
                    "packed-refs.new",
                    "shallow",
                    "gitdir",
                    "commondir",
                    "locked",
                    "gc.pid",
                    "gc.log",
                    "addp-hunk-edit.diff",
                    "rebased-patches",
                    "git-daemon-export-ok",
                    "cloneurl",
                    // Identifiers and caches of programs that run nothing from there.
                    "opencode",
                    "gitk.cache",
                    "sourcetreeconfig",
                    "sourcetreeconfig.json");

    private static final String LOCK = ".lock";

    private GitOwnFiles() {}

    /** Returns whether a file of that name is known. */
    static boolean isKnown(String name) {
        String bare = name.endsWith(LOCK) ? name.substring(0, name.length() - LOCK.length()) : name;
        return NAMES.contains(bare)
                || IN_CAPITALS.matcher(bare).matches()
                || NUMBERED.matcher(bare).matches()
                || Quarantine.isOne(name);
    }
}

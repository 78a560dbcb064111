package palyra.sandbox.internal.files;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Places in a workspace that other programs run code from when a person opens it: what versions it,
 * editors' settings, tool servers, start files of shells. The same at any depth, and in any case of
 * letters because some file systems do not tell them apart.
 */
final class ProtectedPaths {
    private static final Set<String> NAMES =
            Set.of(
                    ".git", // hooks, config and what points to them
                    ".gitmodules",
                    ".hg",
                    ".svn",
                    ".vscode",
                    ".idea",
                    ".mcp.json",
                    ".bashrc",
                    ".bash_profile",
                    ".bash_login",
                    ".bash_logout",
                    ".bash_aliases",
                    ".profile",
                    ".zshrc",
                    ".zshenv",
                    ".zprofile",
                    ".zlogin",
                    ".zlogout",
                    ".kshrc",
                    ".mkshrc",
                    ".cshrc",
                    ".tcshrc",
                    ".login",
                    ".logout",
                    ".inputrc",
                    ".envrc",
                    ".gitconfig");

    private static final List<String> FISH = List.of(".config", "fish");

    private ProtectedPaths() {}

    /** Refuses to write at a protected path or below one. */
    static void check(BeneathPath path) throws FileRefusal {
        List<String> names =
                path.names().stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        boolean fish = java.util.Collections.indexOfSubList(names, FISH) >= 0;
        if (fish || names.stream().anyMatch(NAMES::contains) || PatchFolder.isOne(path)) {
            throw new FileRefusal(
                    FileRefusal.PROTECTED,
                    "'"
                            + FileRefusal.shown(path.toString())
                            + "' is protected, because other programs run what is in it; ask a"
                            + " person to change it.");
        }
    }
}

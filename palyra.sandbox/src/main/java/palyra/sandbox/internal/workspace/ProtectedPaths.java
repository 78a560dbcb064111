package palyra.sandbox.internal.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import palyra.api.Require;

/**
 * Places in a workspace that other programs run code from when a person opens it: what versions it,
 * editors' settings, tool servers, start files of shells. The one list that guards, sandboxes and
 * file tools heed; its entries are compared in any case of letters, because some file systems do
 * not tell them apart.
 *
 * <p>A plain entry, such as {@code .git/hooks}, applies to commands at the top of the workspace:
 * guards refuse programs that are known to write what their arguments name, and sandboxes that can
 * do that keep it read-only where it exists; what commands make where it does not is set aside at
 * their end. File tools refuse to write it at any depth. An entry that begins with two stars and a
 * slash is for file tools alone: programs such as git have to write there.
 *
 * <p>A workspace that the gateway made for an agent is the agent's: of what commands and file tools
 * must not write there, only git's own is left, and that of its like, since a person may look at
 * its work with git.
 *
 * @param entries as configured
 * @param made folder of the workspaces that the gateway makes
 */
public record ProtectedPaths(List<String> entries, Path made) {
    /** Protects nothing. */
    public static final ProtectedPaths NONE = new ProtectedPaths(List.of());

    private static final String OF_GIT = ".git/";

    private static final String ANYWHERE = "**/";

    private static final Set<String> OF_VERSIONS = Set.of(".git", ".gitmodules", ".hg", ".svn");

    /** What only programs read that find it in their user's home folder. */
    private static final Set<String> OF_HOMES =
            Set.of(
                    ".bashrc",
                    ".bash_profile",
                    ".profile",
                    ".zshrc",
                    ".zprofile",
                    ".gitconfig",
                    ".ripgreprc");

    /**
     * Checks and copies.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT naming an entry that is no path within a
     *     workspace
     */
    public ProtectedPaths {
        Require.present(made, "folder of workspaces");
        entries = List.copyOf(entries);
        entries.forEach(ProtectedPaths::requireWithin);
    }

    /** Creates it for workspaces none of which the gateway made. */
    public ProtectedPaths(List<String> entries) {
        this(entries, Path.of(""));
    }

    private static void requireWithin(String entry) {
        String text = bare(entry);
        boolean within;
        try {
            Path path = Path.of(text);
            within =
                    !text.isBlank()
                            && text.indexOf('*') < 0
                            && !path.isAbsolute()
                            && path.normalize().toString().equals(text)
                            && !text.equals(".")
                            && !path.startsWith("..");
        } catch (InvalidPathException e) {
            within = false;
        }
        Require.that(
                within,
                "protectedPaths has '"
                        + entry
                        + "': use paths within a workspace without . and .., such as .git/hooks, or"
                        + " **/.git for file tools alone");
    }

    private static String bare(String entry) {
        return entry.startsWith(ANYWHERE) ? entry.substring(ANYWHERE.length()) : entry;
    }

    /** Returns the paths, relative to the workspace, that commands must not write. */
    public List<String> ofCommands() {
        return entries.stream().filter(entry -> !entry.startsWith(ANYWHERE)).toList();
    }

    /**
     * Returns the paths that commands must not write in a workspace. Start files of shells and the
     * settings that git keeps in a home folder are read from a home folder alone, so that in
     * another workspace links are left out: repositories of such files are full of them. What does
     * not exist counts: a file that a command made there would be held against the next one.
     *
     * @param workspace absolute real path
     */
    public List<String> ofCommands(Path workspace) {
        boolean home = HomeFolders.mayBe(workspace);
        if (!home && isMade(workspace)) {
            return ofCommands().stream().filter(entry -> entry.startsWith(OF_GIT)).toList();
        }
        return ofCommands().stream()
                .filter(entry -> home || !OF_HOMES.contains(entry) || !isLink(workspace, entry))
                .toList();
    }

    private static boolean isLink(Path workspace, String entry) {
        return Files.isSymbolicLink(workspace.resolve(entry));
    }

    private boolean isMade(Path workspace) {
        try {
            return !made.toString().isEmpty()
                    && workspace.getParent() != null
                    && workspace.getParent().equals(made.toRealPath());
        } catch (IOException e) {
            return false; // none was made
        }
    }

    /**
     * Returns what tells whether commands must not write a path in a workspace: an absolute one,
     * without {@code .} and {@code ..}.
     *
     * @param workspace absolute real path
     */
    public Predicate<String> keptFromCommands(Path workspace) {
        List<List<String>> kept =
                ofCommands(workspace).stream().map(ProtectedPaths::names).toList();
        String inside = workspace + "/";
        return path ->
                path.startsWith(inside)
                        && kept.stream()
                                .anyMatch(
                                        entry ->
                                                begins(
                                                        names(path.substring(inside.length())),
                                                        entry));
    }

    /**
     * Returns the entries for commands at which, or below which, some paths are.
     *
     * @param paths absolute, without {@code .} and {@code ..}
     */
    public List<String> ofCommandsAt(Path workspace, Set<String> paths) {
        String inside = workspace + "/";
        return ofCommands(workspace).stream()
                .filter(
                        entry ->
                                paths.stream()
                                        .filter(path -> path.startsWith(inside))
                                        .map(path -> names(path.substring(inside.length())))
                                        .anyMatch(path -> begins(path, names(entry))))
                .toList();
    }

    private static boolean begins(List<String> names, List<String> entry) {
        return names.size() >= entry.size() && names.subList(0, entry.size()).equals(entry);
    }

    /**
     * Whether file tools must not write a path.
     *
     * @param workspace absolute real path
     * @param names lead there from the workspace
     */
    public boolean keepsFromFileTools(Path workspace, List<String> names) {
        List<String> lower = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        boolean own = !HomeFolders.mayBe(workspace) && isMade(workspace);
        return entries.stream()
                .filter(entry -> !own || OF_VERSIONS.contains(names(bare(entry)).getFirst()))
                .anyMatch(entry -> Collections.indexOfSubList(lower, names(bare(entry))) >= 0);
    }

    private static List<String> names(String path) {
        List<String> names = new ArrayList<>();
        for (String name : path.toLowerCase(Locale.ROOT).split("/", -1)) {
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }
}

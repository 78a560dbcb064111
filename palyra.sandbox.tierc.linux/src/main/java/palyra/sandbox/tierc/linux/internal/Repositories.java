package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The repositories of git in a workspace, beside the one at its top, and the paths of each to
 * protect: the same as of the one at the top, the file that says where another folder of git is,
 * and that which says where the folder is that several work trees share. See
 * gitrepository-layout(5).
 *
 * <p>Searches a bounded number of folders near the top, because it runs before each start. Not
 * thread-safe.
 */
final class Repositories {
    private static final String GIT = ".git";
    private static final int DEEPEST = 4; // folders, from the workspace
    private static final int MOST_FOLDERS = 2_000;
    private static final int MOST_REPOSITORIES = 32;
    private static final int LONGEST_LINK = 4_096;
    private static final Set<String> PASSED_BY = Set.of(GIT, "node_modules");
    private static final String LINK = "gitdir:";

    private final Path workspace;
    private final List<String> protectedInGit = new ArrayList<>();
    private final boolean wholeGit;
    private final Set<String> found = new LinkedHashSet<>();
    private final Set<Path> known = new LinkedHashSet<>();
    private int folders;
    private boolean bounded;

    private Repositories(Path workspace, List<String> paths) {
        this.workspace = workspace;
        this.wholeGit = paths.contains(GIT);
        for (String path : paths) {
            if (path.startsWith(GIT + "/")) {
                protectedInGit.add(path.substring(GIT.length() + 1));
            }
        }
    }

    /**
     * Result of a search.
     *
     * @param paths further paths to protect, relative to the workspace
     * @param words the {@code repositories=} fact of an enforcement: how many there are beside the
     *     one at the top; with a plus when not all folders were looked at
     */
    record Found(List<String> paths, String words) {}

    /** Searches for them if any path of git is protected. */
    static Found in(String workspace, List<String> paths) {
        Repositories repositories = new Repositories(Path.of(workspace), paths);
        if (repositories.wholeGit || !repositories.protectedInGit.isEmpty()) {
            repositories.folder(repositories.workspace, 0);
        }
        int nested = Math.max(0, repositories.known.size());
        return new Found(
                List.copyOf(repositories.found), nested + (repositories.bounded ? "+" : ""));
    }

    private void folder(Path folder, int depth) {
        if (++folders > MOST_FOLDERS) {
            bounded = true;
            return;
        }
        git(folder.resolve(GIT));
        List<Path> below = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (!PASSED_BY.contains(entry.getFileName().toString())
                        && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    below.add(entry);
                }
            }
        } catch (IOException e) {
            bounded = true; // an unreadable folder may contain some
        }
        if (depth == DEEPEST) {
            bounded |= !below.isEmpty();
            return;
        }
        below.forEach(one -> folder(one, depth + 1));
    }

    private void git(Path git) {
        boolean top = git.getParent().equals(workspace);
        if (Files.isDirectory(git, LinkOption.NOFOLLOW_LINKS)) {
            if (wholeGit && !top) {
                add(git, "");
            } else if (!wholeGit) {
                gitFolder(git, top);
            }
        } else if (Files.isRegularFile(git, LinkOption.NOFOLLOW_LINKS)) {
            if (!top) {
                add(git, ""); // at the top it is protected already, as a file in the way
            }
            gitFolderOf(git).ifPresent(folder -> gitFolder(folder, false));
        } else if (Files.isSymbolicLink(git) && !top) {
            bounded = true; // a link cannot be kept from being replaced
        }
    }

    /** Returns the folder of git that a file names, when it is a real one in the workspace. */
    private java.util.Optional<Path> gitFolderOf(Path file) {
        try {
            if (Files.size(file) > LONGEST_LINK) {
                return java.util.Optional.empty();
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
            if (!text.startsWith(LINK)) {
                return java.util.Optional.empty();
            }
            Path folder = file.resolveSibling(text.substring(LINK.length()).strip()).toRealPath();
            return java.util.Optional.of(folder)
                    .filter(one -> one.startsWith(workspace) && !one.equals(workspace));
        } catch (IOException | InvalidPathException e) {
            return java.util.Optional.empty();
        }
    }

    private void gitFolder(Path git, boolean top) {
        if (!top) {
            protectedInGit.forEach(path -> add(git, path));
        }
        for (String name : List.of("commondir", "config.worktree")) {
            existing(git, name, top);
        }
        try (DirectoryStream<Path> trees = Files.newDirectoryStream(git.resolve("worktrees"))) {
            for (Path tree : trees) {
                for (String name : List.of("commondir", "gitdir", "config.worktree")) {
                    existing(tree, name, top);
                }
            }
        } catch (IOException e) {
            return; // no work trees
        }
    }

    private void existing(Path folder, String name, boolean top) {
        if (Files.isRegularFile(folder.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
            if (top) {
                found.add(workspace.relativize(folder.resolve(name)).toString());
            } else {
                add(folder, name);
            }
        }
    }

    private void add(Path git, String name) {
        if (!known.contains(git) && known.size() >= MOST_REPOSITORIES) {
            bounded = true;
            return;
        }
        known.add(git);
        found.add(workspace.relativize(git.resolve(name)).toString());
    }
}

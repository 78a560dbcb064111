package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.shared.files.ClosedEntries;

/**
 * Finds what git itself makes nowhere among its own files: links, files that have another name, and
 * special files. Git run by a person would write through them, such as a name of a committer into
 * what a shell runs. Objects are shared by clones and never changed in place. Bounded in entries.
 * Not thread-safe.
 */
final class GitInner {
    /** Most of them that are kept of one look. */
    static final int MOST_FOUND = 10_000;

    private static final int MOST_ENTRIES = 1_000_000;

    private static final String OBJECTS = "objects";

    /** Folders that git has in its own; others, such as work trees in a bare one, are not its. */
    private static final Set<String> OWN =
            Set.of(
                    OBJECTS,
                    "refs",
                    "logs",
                    "info",
                    "hooks",
                    "modules",
                    "worktrees",
                    "rebase-merge",
                    "rebase-apply",
                    "sequencer",
                    "remotes",
                    "branches",
                    "reftable",
                    "rr-cache",
                    "lost-found",
                    "lfs",
                    "svn");

    private final Path workspace;
    private final Set<String> folders;
    private final Map<String, GitFile> found = new TreeMap<>();
    private final Deque<String> next = new ArrayDeque<>();
    private int looked;
    private boolean bounded;

    /**
     * @param folders folders of git, relative to the workspace
     */
    GitInner(Path workspace, Set<String> folders) {
        this.workspace = workspace;
        this.folders = folders;
    }

    /** Returns what was found, by path; call it once. */
    Map<String, GitFile> all() {
        for (String folder : folders) {
            entries(folder, true, false);
            while (!next.isEmpty() && !bounded) {
                String below = next.poll();
                String own = below.substring(folder.isEmpty() ? 0 : folder.length() + 1);
                entries(below, false, own.equals(OBJECTS) || own.startsWith(OBJECTS + "/"));
            }
        }
        return found;
    }

    /** Returns whether not all was looked at. */
    boolean isBounded() {
        return bounded;
    }

    private void entries(String folder, boolean top, boolean objects) {
        Path at = workspace.resolve(GitPaths.path(folder));
        bounded |= ClosedEntries.openFolder(at);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(at)) {
            for (Path entry : entries) {
                if (++looked > MOST_ENTRIES || found.size() >= MOST_FOUND) {
                    bounded = true;
                    return;
                }
                entry(folder, entry, top, objects);
            }
        } catch (IOException | DirectoryIteratorException e) {
            bounded |= ClosedEntries.isOwn(at);
        }
    }

    private void entry(String folder, Path entry, boolean top, boolean objects) {
        String name = GitPaths.name(entry.getFileName());
        String path = folder.isEmpty() ? name : folder + "/" + name;
        try {
            BasicFileAttributes is =
                    Files.readAttributes(
                            entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (is.isDirectory()) {
                if (!folders.contains(path) && (!top || OWN.contains(name))) {
                    next.add(path);
                }
            } else if (is.isSymbolicLink()) {
                GitFile link =
                        file(GitFile.Kind.LINK, GitPaths.text(Files.readSymbolicLink(entry)));
                found.put(path, link.at(GitPlaces.of(workspace, path, link)));
            } else if (!is.isRegularFile() || (!objects && isShared(entry))) {
                found.put(path, file(GitFile.Kind.OTHER, String.valueOf(is.fileKey())));
            }
        } catch (IOException e) {
            return; // it has gone meanwhile
        }
    }

    private static boolean isShared(Path entry) throws IOException {
        return (Integer) Files.getAttribute(entry, "unix:nlink", LinkOption.NOFOLLOW_LINKS) > 1;
    }

    private static GitFile file(GitFile.Kind kind, String what) {
        return new GitFile(kind, what.getBytes(StandardCharsets.UTF_8), false, false);
    }
}

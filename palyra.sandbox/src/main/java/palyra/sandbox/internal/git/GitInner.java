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
import java.util.TreeSet;
import palyra.shared.files.ClosedEntries;

/**
 * Finds what git itself makes nowhere among its own files: links, files that have another name, and
 * special files. Git run by a person would write through them, such as a name of a committer into
 * what a shell runs. Objects are shared by clones and never changed in place. A folder among git's
 * own that looks like another repository is looked through like the rest: its look may be made up.
 * Bounded in entries. Not thread-safe.
 */
final class GitInner {
    /** Most of them that are kept of a look that is recorded. */
    static final int MOST_RECORDED = 100_000;

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
    private final Set<String> repositories;
    private final Omitted omitted;
    private final int most;
    private final Map<String, GitFile> found = new TreeMap<>();
    private final Deque<Below> next = new ArrayDeque<>();
    private int looked;
    private boolean bounded;

    /** Where a folder is among those of a repository. */
    private enum Part {
        TOP,
        OBJECTS,
        OTHER,
        /** In what looks like another repository where git has none. */
        MADE_UP
    }

    /** A folder that is to be looked at. */
    private record Below(String folder, Part part) {}

    /** What is neither kept nor counted. */
    interface Omitted {
        /** Nothing is. */
        Omitted NOTHING = (path, what, madeUp) -> false;

        /**
         * Returns whether something is not kept.
         *
         * @param madeUp whether it is in what looks like a repository where git has none
         */
        boolean test(String path, GitFile what, boolean madeUp);
    }

    /**
     * @param folders folders of git, relative to the workspace
     * @param most how many are kept; a look that keeps so many may have more to find
     */
    GitInner(Path workspace, Set<String> folders, Omitted omitted, int most) {
        this.workspace = workspace;
        this.folders = folders;
        this.repositories = repositories(folders);
        this.omitted = omitted;
        this.most = most;
    }

    /** Returns what was found, by path; call it once. */
    Map<String, GitFile> all() {
        for (String folder : repositories) {
            next.add(new Below(folder, Part.TOP));
            while (!next.isEmpty() && !isFull()) {
                entries(next.poll());
            }
        }
        return found;
    }

    /** Returns whether not all was looked at, of which no further look finds more. */
    boolean isBounded() {
        return bounded;
    }

    /** A folder that cannot be opened hides nothing of the others. */
    private boolean isFull() {
        return looked > MOST_ENTRIES || found.size() >= most;
    }

    /** Returns those folders that are not among the own ones of another. */
    private static Set<String> repositories(Set<String> folders) {
        Set<String> all = new TreeSet<>();
        for (String folder : new TreeSet<>(folders)) { // what is above comes first
            String above = above(folder);
            while (!above.isEmpty() && !all.contains(above)) {
                above = above(above);
            }
            boolean within = all.contains(above) && !above.equals(folder);
            if (!within
                    || isApart(above.isEmpty() ? folder : folder.substring(above.length() + 1))) {
                all.add(folder);
            }
        }
        return all;
    }

    /**
     * Returns whether git looks for a repository there, or for nothing.
     *
     * @param below path below a folder of git
     */
    private static boolean isApart(String below) {
        String[] names = below.split("/");
        return !OWN.contains(names[0])
                || (names[0].equals("modules") && names.length > 1)
                || (names[0].equals("worktrees") && names.length == 2);
    }

    private static String above(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    private void entries(Below below) {
        Path at = workspace.resolve(GitPaths.path(below.folder()));
        bounded |= ClosedEntries.openFolder(at);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(at)) {
            for (Path entry : entries) {
                if (++looked > MOST_ENTRIES) {
                    bounded = true;
                    return;
                }
                entry(below, entry);
                if (isFull()) {
                    return;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            bounded |= ClosedEntries.isOwn(at);
        }
    }

    private void entry(Below in, Path entry) {
        String name = GitPaths.name(entry.getFileName());
        String path = in.folder().isEmpty() ? name : in.folder() + "/" + name;
        boolean madeUp = in.part() == Part.MADE_UP;
        try {
            BasicFileAttributes is =
                    Files.readAttributes(
                            entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (is.isDirectory()) {
                boolean own = in.part() != Part.TOP || OWN.contains(name);
                if (own && !repositories.contains(path)) {
                    next.add(new Below(path, part(in.part(), name, path)));
                }
            } else if (is.isSymbolicLink()) {
                GitFile link =
                        file(GitFile.Kind.LINK, GitPaths.text(Files.readSymbolicLink(entry)));
                found(path, link.at(GitPlaces.of(workspace, path, link)), madeUp);
            } else if (!is.isRegularFile() || (in.part() != Part.OBJECTS && isShared(entry))) {
                found(path, file(GitFile.Kind.OTHER, String.valueOf(is.fileKey())), madeUp);
            }
        } catch (IOException e) {
            return; // it has gone meanwhile
        }
    }

    private Part part(Part above, String name, String path) {
        if (folders.contains(path)) {
            return Part.MADE_UP;
        }
        return above != Part.TOP ? above : name.equals(OBJECTS) ? Part.OBJECTS : Part.OTHER;
    }

    private void found(String path, GitFile what, boolean madeUp) {
        if (!omitted.test(path, what, madeUp)) {
            found.put(path, what);
        }
    }

    private static boolean isShared(Path entry) throws IOException {
        return (Integer) Files.getAttribute(entry, "unix:nlink", LinkOption.NOFOLLOW_LINKS) > 1;
    }

    private static GitFile file(GitFile.Kind kind, String what) {
        return new GitFile(kind, what.getBytes(StandardCharsets.UTF_8), false, false);
    }
}

package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import palyra.shared.files.ClosedEntries;
import palyra.shared.files.MediumFailure;

/**
 * Finds what git itself makes nowhere among its own files: links, files that have another name,
 * special files, and files at the top whose names are not known. Git run by a person would write
 * through them, such as a name of a committer into what a shell runs. Objects are shared by clones
 * and never changed in place. A folder among git's own that looks like another repository is looked
 * through like the rest: its look may be made up. Bounded in entries. Not thread-safe.
 */
final class GitInner {
    /** Most of them that are kept of a look that is recorded. */
    static final int MOST_RECORDED = 100_000;

    /** Folders that are opened on the way to what has a path that is too long to be named. */
    private static final int MOST_STEPS = 500_000;

    /** No repository is asked for longer names below its folder, whatever their letters. */
    private static final int LONGEST = 4 * 4_096;

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
    private final int mostEntries;
    private String top = ""; // the folder of git that is looked at
    private int looked;
    private int steps;
    private String cut = "";

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
     * @param mostEntries how many are passed
     */
    GitInner(Path workspace, Set<String> folders, Omitted omitted, int most, int mostEntries) {
        this.workspace = workspace;
        this.folders = folders;
        this.repositories = repositories(folders);
        this.omitted = omitted;
        this.most = most;
        this.mostEntries = mostEntries;
    }

    /** Returns what was found, by path; call it once. */
    Map<String, GitFile> all() {
        for (String folder : repositories) {
            top = folder;
            next.add(new Below(folder, Part.TOP));
            while (!next.isEmpty() && !isFull()) {
                entries(next.poll());
            }
        }
        return found;
    }

    /**
     * Returns why not all was looked at, as a clause; empty when all was, or a further look finds
     * more.
     */
    String cut() {
        return cut;
    }

    /** A folder that cannot be opened hides nothing of the others. */
    private boolean isFull() {
        return looked > mostEntries || found.size() >= most;
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
        if (ClosedEntries.openFolder(at)) {
            cutAt(below, "it is closed to this user");
        }
        List<Below> folders = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(at)) {
            for (Path entry : entries) {
                if (isPassed()) {
                    return;
                }
                entry(below, entry, folders);
                if (isFull()) {
                    return;
                }
            }
            next.addAll(folders);
        } catch (IOException | DirectoryIteratorException e) {
            if (!GitScan.isGone(e) && !GitScan.isOfOthers(e, at)) {
                byNames(below);
            }
        }
    }

    /** Counts an entry; returns whether no more are looked at. */
    private boolean isPassed() {
        if (++looked <= mostEntries) {
            return false;
        }
        cut =
                "git's own folders in it have more than "
                        + mostEntries
                        + " files, among which links could be. Pack its objects (git gc), or remove"
                        + " what git does not need";
        return true;
    }

    private void entry(Below in, Path entry, List<Below> folders) throws IOException {
        String name = GitPaths.name(entry.getFileName());
        String path = in.folder().isEmpty() ? name : in.folder() + "/" + name;
        boolean madeUp = in.part() == Part.MADE_UP;
        try {
            BasicFileAttributes is =
                    Files.readAttributes(
                            entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (is.isDirectory()) {
                folder(in, name, path, folders);
            } else if (is.isSymbolicLink()) {
                GitFile link =
                        file(GitFile.Kind.LINK, GitPaths.text(Files.readSymbolicLink(entry)));
                found(path, link.at(GitPlaces.of(workspace, path, link)), madeUp);
            } else if (is.isRegularFile() && isUnknown(in.part(), name)) {
                Object time = Files.getAttribute(entry, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
                String what = is.fileKey() + " " + is.size() + " " + time;
                found(path, file(GitFile.Kind.FILE, what), madeUp);
            } else if (!is.isRegularFile() || (in.part() != Part.OBJECTS && isShared(entry))) {
                found(path, file(GitFile.Kind.OTHER, String.valueOf(is.fileKey())), madeUp);
            }
        } catch (IOException e) {
            if (!GitScan.isGone(e) && !GitScan.isOfOthers(e, entry)) {
                throw e;
            }
        }
    }

    /** What only looks like a folder of git may be a project of a person. */
    private boolean isUnknown(Part part, String name) {
        return part == Part.TOP
                && !GitOwnFiles.isKnown(name)
                && Stream.of(top.split("/")).anyMatch(above -> above.equalsIgnoreCase(".git"));
    }

    private void folder(Below in, String name, String path, Collection<Below> folders) {
        boolean own = in.part() != Part.TOP || OWN.contains(name);
        if (own && !repositories.contains(path)) {
            folders.add(new Below(path, part(in.part(), name, path)));
        }
    }

    /**
     * Looks at a folder by opening one after the other on the way to it: paths below are too long
     * for the system, but not for one who works there by a shorter way. What cannot be told of a
     * file counts as if it was so: where a link leads, and whether a file has other names.
     */
    private void byNames(Below below) {
        steps += 1 + (int) below.folder().chars().filter(c -> c == '/').count();
        if (below.folder().length() - top.length() > LONGEST) {
            return;
        }
        if (steps > MOST_STEPS) {
            cutAt(below, "too many folders are below paths that are too long to be named");
            return;
        }
        try (GitFolder folder = GitFolder.open(workspace, below.folder())) {
            for (String name : folder.names(any -> true, mostEntries)) {
                if (isPassed()) {
                    return;
                }
                String path = below.folder() + "/" + name;
                PosixFileAttributes is = folder.attributes(name).orElse(null);
                if (is == null) {
                    continue; // it has gone meanwhile
                }
                boolean link = is.isSymbolicLink();
                if (is.isDirectory()) {
                    folder(below, name, path, next);
                } else if (link
                        || !is.isRegularFile()
                        || (below.part() != Part.OBJECTS && mayBeShared(path))) {
                    GitFile.Kind kind = link ? GitFile.Kind.LINK : GitFile.Kind.OTHER;
                    found(
                            path,
                            file(kind, String.valueOf(is.fileKey())),
                            below.part() == Part.MADE_UP);
                }
                if (isFull()) {
                    return;
                }
            }
        } catch (IOException e) {
            if (!GitScan.isGone(e)) {
                cutAt(below, MediumFailure.reason(e));
            }
        }
    }

    private boolean mayBeShared(String path) {
        try {
            return isShared(workspace.resolve(GitPaths.path(path)));
        } catch (IOException e) {
            return !GitScan.isGone(e);
        }
    }

    private void cutAt(Below below, String why) {
        cut = GitReview.shown(below.folder()) + " cannot be looked at: " + why + ". Remove it";
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

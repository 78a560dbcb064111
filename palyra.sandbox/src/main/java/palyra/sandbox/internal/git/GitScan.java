package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import palyra.shared.files.ClosedEntries;

/**
 * Finds the repositories of a workspace, nearest its top first: folders that git takes for one,
 * under whatever name, with their work trees and sub-modules, see gitrepository-layout(5). Bounded
 * in folders and bytes. Not thread-safe.
 */
final class GitScan {
    /** Most bytes of one file that can be put back. */
    static final int MOST_FILE_BYTES = 256 << 10;

    /** Most folders that are looked at. */
    static final int MOST_FOLDERS = 50_000;

    /** Deepest level that is looked at. */
    static final int DEEPEST = 512;

    /** Most that one look finds of what is to be removed. */
    static final int MOST_FOUND = 10_000;

    private static final int MOST_BYTES = 4 << 20;

    /** Files of Mercurial that name what it runs, or where they are. */
    private static final Set<String> OF_MERCURIAL = Set.of("hgrc", "hgrc-not-shared", "sharedpath");

    private static final String GIT = ".git";

    /** Folders in which older versions of git look for remotes that no setting names. */
    static final List<String> REMOTES = List.of("remotes", "branches");

    private static final List<String> KEPT =
            List.of(
                    "config",
                    "config.worktree",
                    "commondir",
                    "gitdir",
                    "hooks",
                    "remotes",
                    "branches");

    /**
     * Git needs two of them at least: a folder that another one sends it to needs no HEAD, one that
     * sends it elsewhere needs nothing else.
     */
    private static final List<String> MARKS = List.of("HEAD", "objects", "refs", "commondir");

    private static final int ENOUGH_MARKS = 2;
    private static final Set<String> LATER = Set.of("node_modules", "objects");

    private final Path workspace;
    private final Deque<String> next = new ArrayDeque<>();
    private final Deque<String> later = new ArrayDeque<>();
    private final Deque<String> named = new ArrayDeque<>(); // to which something sends git
    private final Map<String, String> folders = new TreeMap<>();
    private final Map<String, GitFile> files = new TreeMap<>();
    private final Map<String, String> links = new TreeMap<>();
    private int looked;
    private int bytes;
    private int indexParts;
    private boolean bounded;

    private final int mostLinks;
    private final int mostEntries;

    private GitScan(Path workspace, GitProtection.Bounds bounds) {
        this.workspace = workspace;
        this.mostLinks = bounds.most();
        this.mostEntries = bounds.entries();
    }

    /** Looks at a workspace in which nothing is to be undone, see the other. */
    static GitSnapshot of(Path workspace, Collection<String> names) {
        return of(workspace, names, GitProtection.Bounds.USUAL);
    }

    /** The same in other bounds, of which that of what is found does not apply. */
    static GitSnapshot of(Path workspace, Collection<String> names, GitProtection.Bounds bounds) {
        return new GitScan(workspace, bounds)
                .look(names, files -> GitInner.Omitted.NOTHING, GitInner.MOST_RECORDED);
    }

    /**
     * Looks at a workspace in which commands may have made something. What a command closed to this
     * user is opened again: git run by another one, such as root, would read it.
     *
     * @param before what was there before; the names of it are noted at which nothing is
     * @param isPermitted whether something may be at a path
     * @param bounds how many links, and how many among git's own files, are kept of what is new
     */
    static GitSnapshot of(
            Path workspace,
            GitSnapshot before,
            Predicate<String> isPermitted,
            GitProtection.Bounds bounds) {
        return new GitScan(workspace, bounds)
                .look(
                        before.absent(),
                        files ->
                                (path, what, madeUp) ->
                                        what.isLike(
                                                        before.inner()
                                                                .getOrDefault(path, GitFile.ABSENT))
                                                || isPermitted.test(path)
                                                || (!madeUp && isPutBack(path, files.get(path))),
                        bounds.most());
    }

    /** Whether it has a review of its own, which puts back what was there. */
    private static boolean isPutBack(String path, GitFile file) {
        boolean idle = // git does not run it
                file != null
                        && (!file.executable() || file.kind() == GitFile.Kind.OTHER)
                        && GitReview.last(GitReview.above(path)).equals("hooks");
        return file != null && !idle && !GitIndexes.isOne(GitReview.last(path));
    }

    private GitSnapshot look(
            Collection<String> names,
            Function<Map<String, GitFile>, GitInner.Omitted> omitted,
            int mostInner) {
        next.add("");
        while (!next.isEmpty() || !later.isEmpty()) {
            String folder = next.isEmpty() ? later.poll() : next.poll();
            if (++looked > MOST_FOLDERS) {
                bounded = true;
                break;
            }
            folder(folder);
        }
        while (!named.isEmpty()) {
            repository(named.poll());
        }
        GitInner inner =
                new GitInner(
                        workspace,
                        Set.copyOf(folders.keySet()),
                        omitted.apply(files),
                        mostInner,
                        mostEntries);
        Map<String, GitFile> found = inner.all();
        return new GitSnapshot(
                folders,
                files,
                found,
                links,
                Quarantine.absent(workspace, names),
                bounded,
                inner.cut());
    }

    private void folder(String folder) {
        Path at = workspace.resolve(GitPaths.path(folder));
        List<String> below = new ArrayList<>();
        Set<String> names = new HashSet<>();
        bounded |= ClosedEntries.openFolder(at);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(at)) {
            for (Path entry : entries) {
                String name = GitPaths.name(entry.getFileName());
                names.add(name);
                String lower = name.toLowerCase(Locale.ROOT);
                boolean isFolder = isFolder(folder, name, entry);
                if (isFolder) {
                    below.add(name);
                }
                if (lower.equals(GIT) && isFolder) {
                    repository(path(folder, name));
                } else if (lower.equals(GIT)
                        || lower.equals(".gitmodules")
                        || (OF_MERCURIAL.contains(lower) && at.endsWith(".hg"))
                        || (lower.equals("alternates") && at.endsWith("info"))) {
                    keep(folder, name);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            bounded |= !isGone(e) && !isOfOthers(e, at);
            return; // what cannot be read is new when it can be
        }
        if (MARKS.stream().filter(names::contains).count() >= ENOUGH_MARKS) {
            repository(folder);
        }
        if (folder.chars().filter(c -> c == '/').count() >= DEEPEST) {
            bounded |= !below.isEmpty();
            return;
        }
        below.forEach(name -> (LATER.contains(name) ? later : next).add(path(folder, name)));
    }

    /** Whether something is closed to this user by another one. */
    static boolean isOfOthers(Exception e, Path at) {
        return e instanceof AccessDeniedException && !ClosedEntries.isOwn(at);
    }

    /** Looks at an entry; a link is noted when it leads to where nothing may lead. */
    private boolean isFolder(String folder, String name, Path entry) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(
                            entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (found.isSymbolicLink()) {
                Path target = Files.readSymbolicLink(entry);
                if (links.size() < mostLinks
                        && GitPlaces.isForbidden(workspace, entry.getParent(), target)) {
                    links.put(path(folder, name), GitPaths.text(target));
                }
            }
            return found.isDirectory();
        } catch (IOException e) {
            bounded |= !isGone(e);
            return false;
        }
    }

    private static String path(String folder, String name) {
        return folder.isEmpty() ? name : folder + "/" + name;
    }

    /** Keeps what a folder of git has; its sub-modules and work trees are such folders as well. */
    private void repository(String folder) {
        if (folders.containsKey(folder)) {
            return;
        }
        bounded |= ClosedEntries.openFolder(workspace.resolve(GitPaths.path(folder)));
        try (GitFolder git = GitFolder.open(workspace, folder)) {
            folders.put(folder, git.key());
            for (String name : KEPT) {
                keep(git, folder, name);
            }
        } catch (IOException e) {
            bounded |= !isGone(e) && !isOfOthers(e, workspace.resolve(GitPaths.path(folder)));
            return;
        }
        indexes(folder);
        hooks(path(folder, "hooks"), true);
        REMOTES.forEach(name -> hooks(path(folder, name), false));
        for (String name : GitTodo.FOLDERS) {
            String list = path(folder, name);
            if (Files.isSymbolicLink(workspace.resolve(GitPaths.path(list)))) {
                keep(folder, name);
            } else {
                GitTodo.NAMES.forEach(file -> keep(list, file));
            }
        }
        GitOptions.FILES.forEach(
                (name, all) -> all.forEach(file -> keep(path(folder, name), file)));
    }

    /** Keeps what tells whether indexes have changed; the content of those is not put back. */
    private void indexes(String folder) {
        try (GitFolder git = GitFolder.open(workspace, folder)) {
            List<String> names = git.names(GitIndexes::isOne, GitIndexes.MOST_KNOWN + 1);
            indexParts += names.size();
            boolean all = names.size() <= GitIndexes.MOST_KNOWN && indexParts <= MOST_FOUND;
            for (String name : all ? names : List.of(GitIndexes.INDEX)) {
                files.put(path(folder, name), git.read(name, 0));
            }
        } catch (IOException e) {
            return; // what is not known counts as new
        }
    }

    /**
     * Whether it has changed meanwhile; what is closed, or too long to be named, is there still.
     */
    static boolean isGone(Exception e) {
        Throwable why = e instanceof DirectoryIteratorException ? e.getCause() : e;
        return why instanceof NoSuchFileException
                || why instanceof NotDirectoryException
                || why instanceof NotLinkException;
    }

    /** Keeps the files of a folder; of hooks those alone that git runs. */
    private void hooks(String folder, boolean run) {
        if (!Files.isDirectory(
                workspace.resolve(GitPaths.path(folder)), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        files.remove(folder); // a real folder
        bounded |= ClosedEntries.openFolder(workspace.resolve(GitPaths.path(folder)));
        try (GitFolder hooks = GitFolder.open(workspace, folder)) {
            List<String> names = hooks.names();
            if (names.size() > GitFolder.MOST_ENTRIES) {
                bounded = true;
                files.put(folder, hooks.whole());
                return;
            }
            for (String name : names) {
                if (!run) {
                    keep(folder, name);
                } else if (!name.endsWith(".sample") && !Quarantine.isOne(name)) {
                    hook(folder, name);
                }
            }
        } catch (IOException e) {
            bounded = true; // what cannot be read is new when it can be
        }
    }

    /** Of a file that is not executed no content is kept: others need the room. */
    private void hook(String folder, String name) throws IOException {
        try (GitFolder hooks = GitFolder.open(workspace, folder)) {
            if (hooks.isExecutable(name)) {
                keep(hooks, folder, name);
            } else {
                GitFile file = hooks.read(name, 0);
                if (file.isThere()) {
                    files.put(path(folder, name), file);
                }
            }
        }
    }

    private void keep(String folder, String name) {
        try (GitFolder opened = GitFolder.open(workspace, folder)) {
            keep(opened, folder, name);
        } catch (IOException e) {
            files.remove(path(folder, name));
        }
    }

    private void keep(GitFolder opened, String folder, String name) throws IOException {
        Path at = workspace.resolve(GitPaths.path(path(folder, name)));
        if (Files.isRegularFile(at, LinkOption.NOFOLLOW_LINKS)) {
            bounded |= ClosedEntries.openFile(at);
        }
        GitFile file = opened.read(name, Math.min(MOST_FILE_BYTES, MOST_BYTES - bytes));
        if (file.isThere()) {
            bytes += file.content().length;
            String path = path(folder, name);
            GitFile placed = file.at(GitPlaces.of(workspace, path, file));
            files.put(path, placed);
            if (name.toLowerCase(Locale.ROOT).equals(GIT) || name.equals("commondir")) {
                pointed(placed.place());
            }
        }
    }

    /** Where something sends git is a folder of git, whatever is in it. */
    private void pointed(String place) {
        if (!place.startsWith("/")) {
            return; // nothing, or forbidden
        }
        Path target = GitPaths.path(place);
        if (target.startsWith(workspace) && Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            named.add(GitPaths.text(workspace.relativize(target)));
        }
    }
}

package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * Goes through a folder of the workspace, in the order of names, each folder before its content.
 * Links are reported and never followed; a folder that vanishes meanwhile is left out.
 */
final class TreeWalk {
    private static final int MAX_LOOKED_AT = 200_000;
    private static final int MAX_DEPTH = 64;

    private final int depth;
    private final Optional<GitIgnore> ignore;
    private final Visitor visitor;
    private int lookedAt;

    /** Receives the entries. */
    interface Visitor {
        /**
         * Takes an entry.
         *
         * @param folder the open folder that it is in
         * @param path path below the workspace
         * @return whether to go on
         */
        boolean entry(OpenFolder folder, BeneathPath path, PosixFileAttributes found)
                throws IOException, FileRefusal, InterruptedException;

        /** Takes an entry that is left out, with what is in it; returns whether to go on. */
        default boolean ignored(BeneathPath path, PosixFileAttributes found) {
            return true;
        }

        /** Returns whether to look into a folder. */
        default boolean enter(BeneathPath path) {
            return true;
        }
    }

    /**
     * Walks {@code depth} folders deep; 1 is the folder alone.
     *
     * @param ignoring whether what {@code .gitignore} files leave out is only told
     */
    TreeWalk(int depth, boolean ignoring, Visitor visitor) {
        this.depth = Math.min(depth, MAX_DEPTH);
        this.ignore = ignoring ? Optional.of(new GitIgnore()) : Optional.empty();
        this.visitor = visitor;
    }

    /** Returns whether all was seen: not stopped by the visitor, nor by a number. */
    boolean walk(Path workspace, BeneathPath start)
            throws IOException, FileRefusal, InterruptedException {
        try (OpenFolder top = OpenFolder.workspace(workspace);
                OpenFolder folder = top.at(start)) {
            if (ignore.isPresent()) {
                ignore.get().above(top, start);
            }
            return walk(folder, start, depth);
        }
    }

    private boolean walk(OpenFolder folder, BeneathPath path, int depthLeft)
            throws IOException, FileRefusal, InterruptedException {
        List<String> names = folder.names();
        if (ignore.isPresent()) {
            ignore.get().enter(folder, path);
        }
        for (String name : names) {
            if (Thread.interrupted()) {
                throw new InterruptedException("looking through " + path + " was asked to stop");
            }
            if (++lookedAt > MAX_LOOKED_AT) {
                return false;
            }
            Optional<PosixFileAttributes> found = folder.attributes(name);
            if (found.isPresent() && !entry(folder, path.child(name), found.get(), depthLeft)) {
                return false;
            }
        }
        ignore.ifPresent(GitIgnore::leave);
        return true;
    }

    private boolean entry(
            OpenFolder folder, BeneathPath entry, PosixFileAttributes found, int depthLeft)
            throws IOException, FileRefusal, InterruptedException {
        if (PatchFolder.isOne(entry)) {
            return true;
        }
        if (ignore.isPresent() && ignore.get().ignores(entry, found.isDirectory())) {
            return visitor.ignored(entry, found);
        }
        return visitor.entry(folder, entry, found)
                && (!found.isDirectory()
                        || depthLeft <= 1
                        || !visitor.enter(entry)
                        || into(folder, entry, depthLeft - 1));
    }

    private boolean into(OpenFolder folder, BeneathPath entry, int depthLeft)
            throws IOException, FileRefusal, InterruptedException {
        OpenFolder child;
        try {
            child = folder.child(entry.name(), entry);
        } catch (IOException | FileRefusal e) {
            return true; // it went away, became a link, or may not be read
        }
        try (child) {
            return walk(child, entry, depthLeft);
        }
    }

    /** Compares in the order of this walk. */
    static int compare(BeneathPath one, BeneathPath other) {
        int common = Math.min(one.names().size(), other.names().size());
        for (int i = 0; i < common; i++) {
            int order = one.names().get(i).compareTo(other.names().get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.names().size(), other.names().size());
    }

    /** Whether a path is in a folder, or the folder. */
    static boolean isIn(BeneathPath path, BeneathPath folder) {
        int size = folder.names().size();
        return path.names().size() >= size && path.names().subList(0, size).equals(folder.names());
    }
}

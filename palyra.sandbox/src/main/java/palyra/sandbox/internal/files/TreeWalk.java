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

        /** Returns whether to look into a folder. */
        default boolean enter(BeneathPath path) {
            return true;
        }
    }

    /** Walks {@code depth} folders deep; 1 is the folder alone. */
    TreeWalk(int depth, Visitor visitor) {
        this.depth = Math.min(depth, MAX_DEPTH);
        this.visitor = visitor;
    }

    /** Walks; returns whether nothing was left out at the visitor's wish or for their number. */
    boolean walk(Path workspace, BeneathPath start)
            throws IOException, FileRefusal, InterruptedException {
        try (OpenFolder folder = OpenFolder.at(workspace, start)) {
            return walk(folder, start, depth);
        }
    }

    private boolean walk(OpenFolder folder, BeneathPath path, int depthLeft)
            throws IOException, FileRefusal, InterruptedException {
        List<String> names = folder.names();
        for (String name : names) {
            if (Thread.interrupted()) {
                throw new InterruptedException("looking through " + path + " was asked to stop");
            }
            if (++lookedAt > MAX_LOOKED_AT) {
                return false;
            }
            BeneathPath entry = path.child(name);
            Optional<PosixFileAttributes> found = folder.attributes(name);
            if (found.isEmpty() || PatchFolder.isOne(entry)) {
                continue;
            }
            if (!visitor.entry(folder, entry, found.get())) {
                return false;
            }
            if (found.get().isDirectory() && depthLeft > 1 && visitor.enter(entry)) {
                if (!into(folder, entry, depthLeft - 1)) {
                    return false;
                }
            }
        }
        return true;
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

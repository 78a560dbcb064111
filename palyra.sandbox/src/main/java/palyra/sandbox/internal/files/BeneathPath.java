package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A path below the workspace, as names from there down. Holds neither {@code .} nor {@code ..}; no
 * names at all stand for the workspace itself.
 *
 * @param names the names
 */
record BeneathPath(List<String> names) {
    private static final int MAX_CHARACTERS = 4_095; // PATH_MAX
    private static final int MAX_NAME_BYTES = 255; // NAME_MAX
    private static final int MAX_NAMES = 200; // no project is deeper, and each is opened

    /** Copies. */
    BeneathPath {
        names = List.copyOf(names);
    }

    /**
     * Reads a path as tools show it, see {@link FileName#shown}.
     *
     * @throws FileRefusal when it leads outside of the workspace
     */
    static BeneathPath ofShown(Path workspace, String shown) throws FileRefusal {
        return of(workspace, FileName.read(shown));
    }

    /**
     * Reads a path that is relative to the workspace, or absolute and in it by name.
     *
     * @throws FileRefusal when it leads outside of the workspace
     */
    static BeneathPath of(Path workspace, String text) throws FileRefusal {
        if (text.length() > MAX_CHARACTERS || text.indexOf('\0') >= 0) {
            throw new FileRefusal(FileRefusal.INPUT, "The path is too long or holds a NUL.");
        }
        if (text.equals("~") || text.startsWith("~/")) {
            throw new FileRefusal(
                    FileRefusal.OUTSIDE,
                    "The path '"
                            + FileRefusal.shown(FileName.shown(text))
                            + "' is one of a home folder, and ~ is not expanded here; send one that is"
                            + " relative to the workspace. A folder that is called ~ is ./~.");
        }
        String relative = text;
        if (text.startsWith("/")) {
            String root = workspace.toString();
            if (!text.equals(root) && !text.startsWith(root + "/")) {
                throw outside(text);
            }
            relative = text.substring(root.length());
        }
        List<String> names = new ArrayList<>();
        for (String name : relative.split("/", -1)) {
            if (name.equals("..")) {
                if (names.isEmpty()) {
                    throw outside(text);
                }
                names.remove(names.size() - 1);
            } else if (!name.isEmpty() && !name.equals(".")) {
                if (FileName.bytes(name).length > MAX_NAME_BYTES) {
                    throw new FileRefusal(FileRefusal.INPUT, "A name in the path is too long.");
                }
                names.add(name);
            }
        }
        if (names.size() > MAX_NAMES
                || FileName.bytes(workspace + "/" + String.join("/", names)).length
                        > MAX_CHARACTERS) {
            throw new FileRefusal(
                    FileRefusal.INPUT,
                    "The path has "
                            + names.size()
                            + " names; send one of at most "
                            + MAX_NAMES
                            + " that has at most "
                            + MAX_CHARACTERS
                            + " bytes with the path of the workspace.");
        }
        return new BeneathPath(names);
    }

    private static FileRefusal outside(String text) {
        return new FileRefusal(
                FileRefusal.OUTSIDE,
                "The path '"
                        + FileRefusal.shown(FileName.shown(text))
                        + "' is outside of the workspace; send one that is relative to it.");
    }

    boolean isRoot() {
        return names.isEmpty();
    }

    String name() {
        return names.get(names.size() - 1);
    }

    BeneathPath parent() {
        return new BeneathPath(names.subList(0, names.size() - 1));
    }

    BeneathPath child(String name) {
        List<String> longer = new ArrayList<>(names);
        longer.add(name);
        return new BeneathPath(longer);
    }

    /** Returns the path as the system knows it. */
    Path under(Path workspace) throws IOException {
        Path path = workspace;
        for (String name : names) {
            path = path.resolve(FileName.path(name));
        }
        return path;
    }

    /** Returns the path in an absolute form, as it is shown, for facts. */
    String in(Path workspace) {
        return isRoot() ? workspace.toString() : workspace + "/" + this;
    }

    /** Returns the path below a folder above it, not escaped. */
    String below(BeneathPath folder) {
        return String.join("/", names.subList(folder.names().size(), names.size()));
    }

    /** Returns names joined by slashes, as they are shown; {@code .} for the workspace itself. */
    @Override
    public String toString() {
        return names.isEmpty() ? "." : FileName.shown(String.join("/", names));
    }
}

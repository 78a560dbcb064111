package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A path that a call names, and where its symbolic links lead at this moment, which is in the
 * workspace. What is opened later is the latter, without following any link, so that a link that is
 * exchanged meanwhile leads nowhere.
 *
 * @param named as it was sent
 * @param real without links; what does not exist yet counts as no link
 */
record Place(BeneathPath named, BeneathPath real) {
    private static final int MAX_LINKS = 40; // as Linux has it

    /**
     * Reads a path and follows its links.
     *
     * @throws FileRefusal when it leads outside of the workspace
     */
    static Place of(Path workspace, String shown) throws FileRefusal {
        BeneathPath named = BeneathPath.ofShown(workspace, shown);
        try (OpenFolder top = OpenFolder.workspace(workspace)) {
            return new Place(named, new Walk(workspace, top, named).end());
        } catch (IOException e) {
            return new Place(named, named); // opening it will say what is wrong
        }
    }

    /** Returns where one link leads; empty when that is outside of the workspace or not known. */
    static Optional<BeneathPath> ofLink(Path workspace, BeneathPath link) {
        try (OpenFolder top = OpenFolder.workspace(workspace)) {
            return Optional.of(new Walk(workspace, top, link).end());
        } catch (IOException | FileRefusal e) {
            return Optional.empty();
        }
    }

    /** Returns both paths, for facts. */
    Set<BeneathPath> both() {
        return new LinkedHashSet<>(List.of(named, real));
    }

    boolean isLed() {
        return !named.equals(real);
    }

    /** One way down from the top of the workspace. */
    private static final class Walk {
        private final Path workspace;
        private final OpenFolder top;
        private final BeneathPath named;
        private final Deque<String> ahead;
        private BeneathPath done = new BeneathPath(List.of());
        private int links;

        Walk(Path workspace, OpenFolder top, BeneathPath named) {
            this.workspace = workspace;
            this.top = top;
            this.named = named;
            this.ahead = new ArrayDeque<>(named.names());
        }

        BeneathPath end() throws IOException, FileRefusal {
            OpenFolder folder = top.again();
            try {
                while (!ahead.isEmpty()) {
                    String name = ahead.pop();
                    boolean down = !name.isEmpty() && !name.equals(".") && !name.equals("..");
                    Optional<PosixFileAttributes> found =
                            down ? folder.attributes(name) : Optional.empty();
                    if (name.equals("..")) {
                        up();
                    } else if (down && found.isEmpty()) {
                        return rest(name);
                    } else if (down && found.get().isSymbolicLink()) {
                        follow(name);
                    } else if (down && !found.get().isDirectory()) {
                        return rest(name);
                    } else if (down) {
                        done = done.child(name);
                    }
                    folder.close();
                    folder = top.at(done);
                }
                return done;
            } finally {
                folder.close();
            }
        }

        private void up() throws FileRefusal {
            if (done.isRoot()) {
                throw outside();
            }
            done = done.parent();
        }

        /** What comes after a name that is no folder can lead no further. */
        private BeneathPath rest(String name) throws FileRefusal {
            List<String> names = new ArrayList<>(done.names());
            names.add(name);
            names.addAll(ahead);
            if (names.contains("..")) {
                throw new FileRefusal(
                        FileRefusal.NOT_FOUND,
                        "'"
                                + FileRefusal.shown(named.toString())
                                + "' leads through a symbolic link to a folder that does not"
                                + " exist.");
            }
            names.removeIf(each -> each.isEmpty() || each.equals("."));
            return new BeneathPath(names);
        }

        private void follow(String name) throws IOException, FileRefusal {
            if (++links > MAX_LINKS) {
                throw refused(
                        "leads through more than "
                                + MAX_LINKS
                                + " symbolic links, as one does that leads to itself");
            }
            Path link = done.child(name).under(workspace);
            String target = text(Files.readSymbolicLink(link));
            if (target.startsWith("/")) {
                String root = text(workspace);
                if (!target.equals(root) && !target.startsWith(root + "/")) {
                    throw outside();
                }
                target = target.substring(root.length());
                done = new BeneathPath(List.of());
            }
            String[] names = target.split("/", -1);
            for (int i = names.length - 1; i >= 0; i--) {
                ahead.push(names[i]);
            }
        }

        private static String text(Path path) {
            List<String> names = new ArrayList<>();
            path.forEach(name -> names.add(FileName.of(name)));
            return (path.isAbsolute() ? "/" : "") + String.join("/", names);
        }

        /** Where it leads is not told: that is not of the workspace. */
        private FileRefusal outside() {
            return refused(
                    "is or goes through a symbolic link that leads outside of the workspace");
        }

        private FileRefusal refused(String why) {
            return new FileRefusal(
                    FileRefusal.LINK,
                    "'" + FileRefusal.shown(named.toString()) + "' " + why + "; name another.");
        }
    }
}

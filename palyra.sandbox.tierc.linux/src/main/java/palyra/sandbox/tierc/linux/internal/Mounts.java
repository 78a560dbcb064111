package palyra.sandbox.tierc.linux.internal;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.sandbox.LaunchPlan.Opened;
import palyra.shared.confine.Refusals;

/**
 * What of the host is mounted into a sandbox, apart from what belongs to the system. bubblewrap
 * follows paths when it mounts, and a folder may have been exchanged for a link by then; so each is
 * opened before by its real path, and bubblewrap gets the descriptor. It compares what it has
 * mounted with what the descriptor holds, ends when they differ, and closes the descriptor before
 * the command runs. So every descriptor must be named by exactly one option: one that is not would
 * be open in the command. Not thread-safe.
 */
final class Mounts {
    /** Single digits are for the launcher, and those that follow for {@link FileSystemView}. */
    static final int FIRST = FileSystemView.LAST + 1;

    /** Highest number that the launcher passes on. */
    private static final int LAST = 255;

    private final BwrapArguments arguments;
    private final List<Opened> opened = new ArrayList<>();

    Mounts(BwrapArguments arguments) {
        this.arguments = arguments;
    }

    /** Mounts a file or folder for writing, at its own path. */
    void writable(String path) {
        writable(path, path);
    }

    /** Mounts a folder for writing, at another path. */
    void writable(String path, String shownAt) {
        bind("--bind-fd", path, shownAt);
    }

    /** Mounts a file or folder for reading. */
    void readOnly(String path, String shownAt) {
        bind("--ro-bind-fd", path, shownAt);
    }

    private void bind(String option, String path, String shownAt) {
        int descriptor = next(path);
        opened.add(new Opened(descriptor, path));
        arguments.add(option, Integer.toString(descriptor), shownAt);
    }

    private int next(String path) {
        int descriptor = FIRST + opened.size();
        if (descriptor > LAST) {
            throw Refusals.denied(
                    "More than "
                            + (LAST - FIRST + 1)
                            + " files and folders would have to be mounted, "
                            + path
                            + " among them: protect fewer paths, or use a smaller workspace.");
        }
        return descriptor;
    }

    /** Returns the paths to open, at the descriptors that the options name. */
    List<Opened> opened() {
        return List.copyOf(opened);
    }
}

package palyra.sandbox.internal.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The one child that a process had at some time, or that it had none, to tell whether that is so
 * still. Another that took its place is never taken for it. See proc(5). Immutable.
 */
final class OnlyChild {
    /** Place of the time of the start in {@code /proc/PID/stat}, after the name. */
    private static final int STARTED = 19;

    private static final String NONE = "none";

    private final long parent;
    private final String known; // empty when there were more, or it is not known

    /**
     * Notes the child of a process.
     *
     * @param parent its id; 0 when it is not known
     */
    OnlyChild(long parent) {
        this.parent = parent;
        this.known = found(parent);
    }

    /** Returns whether it has this child and no others; false where that is not known. */
    boolean isAlone() {
        return !known.isEmpty() && known.equals(found(parent));
    }

    /** The start is read after the list, so that the child was there all the time meanwhile. */
    private static String found(long parent) {
        try {
            Path children = Path.of("/proc/" + parent + "/task/" + parent + "/children");
            String child = Files.readString(children).strip();
            if (child.isEmpty()) {
                return NONE;
            }
            if (child.indexOf(' ') >= 0) {
                return "";
            }
            String stat = Files.readString(Path.of("/proc/" + child + "/stat"));
            return child + " " + stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[STARTED];
        } catch (IOException e) {
            return "";
        }
    }
}

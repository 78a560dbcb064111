package palyra.sandbox.internal.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells the children that the first process of a session's sandbox has started itself from those
 * that lost their parent. It leads a session of processes that no other process can join: what it
 * starts is in that session, what commands start never is. So a helper that was ended and started
 * again is still its own. See proc(5) and setsid(2). Immutable.
 */
final class OnlyChild {
    /** Places in {@code /proc/PID/stat}, after the name. */
    private static final int STATE = 0;

    private static final int SESSION = 3;

    /** Looks at a list whose processes end meanwhile. */
    private static final int MOST_LOOKS = 5;

    private final long parent;

    /**
     * Creates it.
     *
     * @param parent its id; 0 when it is not known
     */
    OnlyChild(long parent) {
        this.parent = parent;
    }

    /**
     * Returns whether it has no children but its own, in two looks: one may take up a process while
     * it is looked at. False where that is not known.
     */
    boolean isAlone() {
        boolean alone = others().filter(List::isEmpty).isPresent();
        return alone && others().filter(List::isEmpty).isPresent();
    }

    /** Returns the children that it has taken up; empty where that is not known. */
    Optional<List<String>> others() {
        for (int look = 0; look < MOST_LOOKS; look++) {
            try {
                String own = Long.toString(parent);
                if (!stat(own)[SESSION].equals(own)) {
                    return Optional.empty();
                }
                return Optional.of(found(own));
            } catch (IOException e) {
                continue; // one has ended while this looked, or the first one has
            }
        }
        return Optional.empty();
    }

    private static List<String> found(String own) throws IOException {
        Path children = Path.of("/proc/" + own + "/task/" + own + "/children");
        List<String> others = new ArrayList<>();
        String listed = Files.readString(children).strip();
        for (String child : listed.isEmpty() ? new String[0] : listed.split(" ", -1)) {
            String[] stat = stat(child);
            if (!stat[SESSION].equals(own) && !stat[STATE].equals("Z")) {
                others.add(child);
            }
        }
        return others;
    }

    private static String[] stat(String pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    }
}

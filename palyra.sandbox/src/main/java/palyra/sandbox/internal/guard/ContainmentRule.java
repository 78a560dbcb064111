package palyra.sandbox.internal.guard;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Notes each reading of an argument that does not stay inside, and counts the readings of one
 * command. Not thread-safe.
 */
final class ContainmentRule {
    private static final int MAX_PATH = PathArguments.MAX_PATH;
    private static final int MAX_PIECES = 20_000; // of one command that look like paths

    private static final Pattern DEVICE = // as a word of a line
            Pattern.compile("/dev/(?:null|zero|stdin|stdout|stderr)(?=[\\s;&|<>)\"'`}])");

    private static final Pattern NO_PATH = Pattern.compile("(?s)(?!.*\\.\\.)[^/~]*");

    private final PathBounds bounds;
    private final String folder;
    private final Concerns concerns;
    private int pieces;

    /**
     * Begins.
     *
     * @param folder where the command starts, absolute
     * @param concerns takes what leads outside
     */
    ContainmentRule(PathBounds bounds, String folder, Concerns concerns) {
        this.bounds = bounds;
        this.folder = folder;
        this.concerns = concerns;
    }

    /**
     * An argument.
     *
     * @param position which, from 0
     * @param line whether it is code of several words
     */
    record Argument(String text, int position, boolean line) {}

    /** Whether no more pieces are looked at. */
    boolean isFull() {
        return pieces > MAX_PIECES;
    }

    /**
     * Notes a piece that leads outside.
     *
     * @param rest the argument from where the piece begins
     * @param cut the piece, up to the next separator
     */
    void path(Argument it, String rest, String cut) {
        if (++pieces > MAX_PIECES) {
            concerns.unclear(
                    "Argument "
                            + (it.position() + 1)
                            + " holds too many texts that may be paths; put it into a file.");
            return;
        }
        if (PathShapes.TILDE.matcher(rest).matches() || PathShapes.TILDE.matcher(cut).matches()) {
            outside(it, cut);
            return;
        }
        if (isDeviceAlone(rest)) {
            return;
        }
        if (rest.length() > MAX_PATH) {
            follow(it, cut.length() > MAX_PATH ? "" : cut);
            return;
        }
        PathBounds.Place whole = bounds.follow(folder, rest);
        if (!whole.inside()) {
            PathBounds.Place shorter = bounds.follow(folder, cut);
            boolean list =
                    rest.startsWith("/")
                            && shorter.inside()
                            && !cut.equals(rest)
                            && !rest.matches("(?s)(?:.*/)?\\.\\.(?:/.*)?")
                            && bounds.isOnlyLonger(shorter.path(), whole.path());
            if (!list) {
                outside(it, rest);
            }
        } else if (!rest.startsWith("/")) {
            follow(it, cut);
        }
    }

    /** Of a line of shell, such as {@code x=/dev/null 2>&1}: the device is its only path. */
    private static boolean isDeviceAlone(String rest) {
        Matcher device = DEVICE.matcher(rest);
        return device.lookingAt()
                && PathBounds.isDevice(device.group())
                && NO_PATH.matcher(DEVICE.matcher(rest).replaceAll("")).matches();
    }

    /** Notes a path that leads outside; one that nothing can open leads nowhere. */
    void follow(Argument it, String path) {
        if (path.length() <= MAX_PATH && !bounds.follow(folder, path).inside()) {
            outside(it, path);
        }
    }

    private void outside(Argument it, String path) {
        String which = "Argument " + (it.position() + 1) + " '" + Refusal.shown(it.text()) + "'";
        concerns.outside(
                which
                        + " names "
                        + (path.equals(it.text()) ? "a path" : "'" + Refusal.shown(path) + "',")
                        + " outside of the workspace; use a path inside it, relative to the working"
                        + " folder.");
    }
}

package palyra.sandbox.internal.guard;

/**
 * Says of each reading of an argument whether it stays inside, and counts the readings of one
 * command. Not thread-safe.
 */
final class ContainmentRule {
    private static final int MAX_PATH = PathArguments.MAX_PATH;
    private static final int MAX_PIECES = 20_000; // of one command that look like paths

    private final PathBounds bounds;
    private final String folder;
    private int pieces;

    /**
     * Begins.
     *
     * @param folder where the command starts, absolute
     */
    ContainmentRule(PathBounds bounds, String folder) {
        this.bounds = bounds;
        this.folder = folder;
    }

    /** {@code text} is argument number {@code position}, from 0. */
    record Argument(String text, int position) {}

    /**
     * Refuses a piece that leads outside.
     *
     * @param rest the argument from where the piece begins
     * @param cut the piece, up to the next separator
     */
    void path(Argument it, String rest, String cut) throws Refusal {
        if (++pieces > MAX_PIECES) {
            throw new Refusal(
                    "sandbox.argument_unclear",
                    "Argument "
                            + (it.position() + 1)
                            + " holds too many texts that may be paths; put it into a file.");
        }
        if (PathShapes.TILDE.matcher(rest).matches() || PathShapes.TILDE.matcher(cut).matches()) {
            throw outside(it, cut);
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
                throw outside(it, rest);
            }
        } else if (!rest.startsWith("/")) {
            follow(it, cut);
        }
    }

    /** Refuses a path that leads outside; one that nothing can open leads nowhere. */
    void follow(Argument it, String path) throws Refusal {
        if (path.length() <= MAX_PATH && !bounds.follow(folder, path).inside()) {
            throw outside(it, path);
        }
    }

    private static Refusal outside(Argument it, String path) {
        String which = "Argument " + (it.position() + 1) + " '" + Refusal.shown(it.text()) + "'";
        return new Refusal(
                "sandbox.path_outside",
                which
                        + " names "
                        + (path.equals(it.text()) ? "a path" : "'" + Refusal.shown(path) + "',")
                        + " outside of the workspace; use a path inside it, relative to the working"
                        + " folder.");
    }
}

package palyra.sandbox.internal.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What the {@code .gitignore} files of a workspace leave out, see gitignore(5), and {@code .git}
 * itself. Follows a walk: folders are entered and left. For one walk.
 */
final class GitIgnore {
    private static final String FILE = ".gitignore";
    private static final int MAX_BYTES = 256 * 1_024;
    private static final int MAX_RULES = 2_000; // in effect at one time
    private static final int MAX_RULE = 1_000;

    private final Deque<Level> levels = new ArrayDeque<>(); // the deepest first
    private int rules;

    /** A line of a file. */
    private record Rule(Glob glob, boolean folders, boolean not) {}

    /** The rules of one folder, the last ones first. */
    private record Level(BeneathPath folder, List<Rule> rules) {}

    /**
     * Takes the rules of all folders from the top of the workspace to one, which is not entered.
     */
    void above(OpenFolder top, BeneathPath start) throws IOException, FileRefusal {
        for (int depth = 0; depth < start.names().size(); depth++) {
            BeneathPath at = new BeneathPath(start.names().subList(0, depth));
            try (OpenFolder folder = top.at(at)) {
                enter(folder, at);
            }
        }
    }

    void enter(OpenFolder folder, BeneathPath at) throws IOException {
        levels.push(
                new Level(at, folder.attributes(FILE).isPresent() ? read(folder, at) : List.of()));
        rules += levels.peek().rules().size();
    }

    void leave() {
        rules -= levels.pop().rules().size();
    }

    private List<Rule> read(OpenFolder folder, BeneathPath at) throws IOException {
        List<Rule> read = new ArrayList<>();
        Optional<FileState> file;
        try {
            file = FileState.read(folder, at.child(FILE), MAX_BYTES);
        } catch (FileRefusal e) {
            return read; // a link or a folder, or too large for a list of names
        }
        String text = file.map(f -> new String(f.content(), StandardCharsets.UTF_8)).orElse("");
        for (LineText line : LineText.lines(text)) {
            if (rules + read.size() < MAX_RULES && line.text().length() <= MAX_RULE) {
                rule(line.text()).ifPresent(rule -> read.add(0, rule));
            }
        }
        return read;
    }

    private static Optional<Rule> rule(String line) {
        String text = line;
        while (text.endsWith(" ") && !text.endsWith("\\ ")) {
            text = text.substring(0, text.length() - 1);
        }
        boolean not = text.startsWith("!");
        text = not ? text.substring(1) : text;
        boolean folders = text.endsWith("/");
        text = folders ? text.substring(0, text.length() - 1) : text;
        if (text.isEmpty() || line.startsWith("#")) {
            return Optional.empty();
        }
        boolean anchored = text.contains("/");
        text = text.startsWith("/") ? text.substring(1) : text;
        return Optional.of(new Rule(Glob.ofGit(anchored ? text : "**/" + text), folders, not));
    }

    /** Returns whether an entry of the folder entered last is left out. */
    boolean ignores(BeneathPath path, boolean folder) {
        if (path.name().equals(".git")) {
            return true;
        }
        for (Level level : levels) {
            String below = level.rules().isEmpty() ? "" : path.below(level.folder());
            for (Rule rule : level.rules()) {
                if ((folder || !rule.folders()) && rule.glob().matches(below)) {
                    return !rule.not();
                }
            }
        }
        return false;
    }
}

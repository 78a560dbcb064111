package palyra.sandbox.internal.files;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads unified diffs: of POSIX diff(1) {@code -u}, and with git's extended headers for new,
 * deleted and renamed files. Texts are bytes read as ISO 8859-1. For one use.
 */
final class UnifiedDiff {
    private static final int MAX_FILES = 200;
    private static final Pattern RANGE =
            Pattern.compile(
                    "@@ -(?<old>[0-9]{1,9})(?:,(?<oldCount>[0-9]{1,9}))?"
                            + " \\+(?<new>[0-9]{1,9})(?:,(?<newCount>[0-9]{1,9}))? @@.*",
                    Pattern.DOTALL);
    private static final String NOTHING = "/dev/null";

    private final List<LineText> lines;
    private final List<FilePatch> patches = new ArrayList<>();
    private int at;

    private UnifiedDiff(List<LineText> lines) {
        this.lines = lines;
    }

    /** Reads a patch of at least one file. */
    static List<FilePatch> read(String patch) throws FileRefusal {
        byte[] utf8 = patch.getBytes(StandardCharsets.UTF_8);
        String bytes = new String(utf8, StandardCharsets.ISO_8859_1);
        UnifiedDiff diff = new UnifiedDiff(LineText.lines(bytes));
        diff.read();
        return diff.patches;
    }

    private void read() throws FileRefusal {
        while (at < lines.size()) {
            String line = lines.get(at).text();
            if (line.startsWith("diff --git ") || isFileHeader()) {
                file();
            } else if (line.startsWith("@@ ")) {
                throw refused("a hunk without the two lines '--- FILE' and '+++ FILE' before it");
            } else {
                at++; // what comes before and between files is for people
            }
        }
        if (patches.isEmpty()) {
            throw refused("no file; send a unified diff with '--- a/FILE' and '+++ b/FILE'");
        }
    }

    private boolean isFileHeader() {
        return at + 1 < lines.size()
                && lines.get(at).text().startsWith("--- ")
                && lines.get(at + 1).text().startsWith("+++ ");
    }

    private void file() throws FileRefusal {
        if (patches.size() >= MAX_FILES) {
            throw refused("more than " + MAX_FILES + " files");
        }
        GitHeader header = new GitHeader();
        if (lines.get(at).text().startsWith("diff --git ")) {
            at++;
            while (at < lines.size() && !isFileHeader() && header.takes(lines.get(at).text())) {
                at++;
            }
        }
        Optional<String> from = header.renamedFrom;
        Optional<String> to = header.renamedTo;
        List<FilePatch.Hunk> hunks = new ArrayList<>();
        if (at < lines.size() && isFileHeader()) {
            String old = name(lines.get(at).text());
            String now = name(lines.get(at + 1).text());
            boolean prefixed = isPrefixed(old, "a/") && isPrefixed(now, "b/");
            from = old.equals(NOTHING) ? Optional.empty() : Optional.of(bare(old, prefixed));
            to = now.equals(NOTHING) ? Optional.empty() : Optional.of(bare(now, prefixed));
            at += 2;
            while (at < lines.size() && lines.get(at).text().startsWith("@@ ")) {
                hunks.add(hunk());
            }
        } else if (header.mode.isPresent() && from.isEmpty()) {
            throw refused("an empty file or a mere change of mode, which needs '---' and '+++'");
        }
        if (from.isEmpty() && to.isEmpty()) {
            throw refused("a file that is /dev/null both before and after");
        }
        patches.add(new FilePatch(from, to, hunks, header.mode));
    }

    /** What git writes before the two names. */
    private static final class GitHeader {
        private Optional<String> renamedFrom = Optional.empty();
        private Optional<String> renamedTo = Optional.empty();
        private Optional<Boolean> mode = Optional.empty();

        boolean takes(String line) throws FileRefusal {
            if (line.startsWith("rename from ")) {
                renamedFrom = Optional.of(unquoted(line.substring("rename from ".length())));
            } else if (line.startsWith("rename to ")) {
                renamedTo = Optional.of(unquoted(line.substring("rename to ".length())));
            } else if (line.startsWith("new file mode ") || line.startsWith("new mode ")) {
                mode = Optional.of(isExecutable(line));
            } else if (line.startsWith("copy ")
                    || line.startsWith("GIT binary patch")
                    || line.startsWith("Binary files ")) {
                throw refused("'" + FileRefusal.shown(line) + "', which is not supported");
            } else {
                return line.startsWith("index ")
                        || line.startsWith("old mode ")
                        || line.startsWith("deleted file mode ")
                        || line.startsWith("similarity index ")
                        || line.startsWith("dissimilarity index ");
            }
            return true;
        }
    }

    private static boolean isExecutable(String line) throws FileRefusal {
        String mode = line.substring(line.lastIndexOf(' ') + 1).strip();
        if (!mode.equals("100644") && !mode.equals("100755")) {
            throw refused("the mode " + FileRefusal.shown(mode) + "; files are 100644 or 100755");
        }
        return mode.equals("100755");
    }

    private static boolean isPrefixed(String name, String prefix) {
        return name.equals(NOTHING) || name.startsWith(prefix);
    }

    private static String bare(String name, boolean prefixed) {
        return prefixed ? name.substring(2) : name;
    }

    /** The name after {@code ---} or {@code +++}; a time may follow after a tab. */
    private static String name(String line) throws FileRefusal {
        String rest = line.substring(4).stripTrailing();
        if (rest.startsWith("\"")) {
            return unquoted(rest);
        }
        int tab = rest.indexOf('\t');
        String name = tab < 0 ? rest : rest.substring(0, tab);
        if (name.isEmpty()) {
            throw refused("a file without a name");
        }
        return utf8(name);
    }

    /** Names with special characters stand in quotes, as C writes them. */
    private static String unquoted(String text) throws FileRefusal {
        if (!text.startsWith("\"")) {
            return utf8(text.stripTrailing());
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                return bytes.toString(StandardCharsets.UTF_8);
            }
            if (c != '\\' || i + 1 >= text.length()) {
                bytes.write(c);
            } else if (i + 3 < text.length()
                    && text.substring(i + 1, i + 4).matches("[0-3][0-7]{2}")) {
                bytes.write(Integer.parseInt(text.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                int special = "abtnvfr".indexOf(text.charAt(++i));
                bytes.write(special < 0 ? text.charAt(i) : 7 + special);
            }
        }
        throw refused("a quoted name without a closing quote");
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private FilePatch.Hunk hunk() throws FileRefusal {
        String header = lines.get(at).text();
        Matcher range = RANGE.matcher(header);
        if (!range.matches()) {
            throw refused(
                    "'"
                            + FileRefusal.shown(header)
                            + "', which is not of the form '@@"
                            + " -1,2 +1,2 @@'");
        }
        at++;
        int oldLeft = count(range.group("oldCount"));
        int newLeft = count(range.group("newCount"));
        List<FilePatch.Line> hunk = new ArrayList<>();
        while (oldLeft > 0 || newLeft > 0) {
            if (at >= lines.size()) {
                throw refused(
                        "a hunk with fewer lines than its counts: '"
                                + FileRefusal.shown(header)
                                + "'");
            }
            FilePatch.Line line = line(lines.get(at++), header);
            oldLeft -= line.mark() == FilePatch.Mark.ADDED ? 0 : 1;
            newLeft -= line.mark() == FilePatch.Mark.REMOVED ? 0 : 1;
            hunk.add(unended(line));
        }
        if (oldLeft < 0 || newLeft < 0) {
            throw refused(
                    "a hunk with more lines than its counts: '" + FileRefusal.shown(header) + "'");
        }
        return new FilePatch.Hunk(Integer.parseInt(range.group("old")), hunk);
    }

    private static int count(String group) {
        return group == null ? 1 : Integer.parseInt(group);
    }

    private static FilePatch.Line line(LineText line, String header) throws FileRefusal {
        String end = line.end().isEmpty() ? "\n" : line.end(); // the patch's own end says nothing
        if (line.text().isEmpty()) { // an empty line whose blank got lost on the way
            return new FilePatch.Line(FilePatch.Mark.KEPT, new LineText("", end));
        }
        LineText text = new LineText(line.text().substring(1), end);
        return switch (line.text().charAt(0)) {
            case ' ' -> new FilePatch.Line(FilePatch.Mark.KEPT, text);
            case '-' -> new FilePatch.Line(FilePatch.Mark.REMOVED, text);
            case '+' -> new FilePatch.Line(FilePatch.Mark.ADDED, text);
            default ->
                    throw refused(
                            "a line that begins with neither ' ', '-' nor '+' in '"
                                    + FileRefusal.shown(header)
                                    + "'");
        };
    }

    private FilePatch.Line unended(FilePatch.Line line) {
        if (at < lines.size() && lines.get(at).text().startsWith("\\ ")) {
            at++;
            return new FilePatch.Line(line.mark(), new LineText(line.line().text(), ""));
        }
        return line;
    }

    private static FileRefusal refused(String what) {
        return new FileRefusal(FileRefusal.PATCH, "The patch has " + what + ".");
    }
}

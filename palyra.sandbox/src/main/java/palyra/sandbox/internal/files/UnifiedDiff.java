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
 * deleted and renamed files. Nothing that could be meant as a change is skipped. A hunk without
 * numbers, or with counts that do not agree with its lines, ends at the next hunk, file or the end
 * of the patch; a patch that ends before its counts are used up is refused as cut off. Texts are
 * bytes read as ISO 8859-1. For one use.
 */
final class UnifiedDiff {
    private static final int MAX_FILES = 200;
    private static final Pattern RANGE =
            Pattern.compile(
                    "@@ -(?<old>[0-9]{1,9})(?:,(?<oldCount>[0-9]{1,9}))?"
                            + " \\+(?<new>[0-9]{1,9})(?:,(?<newCount>[0-9]{1,9}))? @@.*",
                    Pattern.DOTALL);

    /** What ends the text of git format-patch(1); a version follows. */
    private static final String SIGNATURE = "-- ";

    private static final String NOTHING = "/dev/null";

    private final List<LineText> lines;
    private final List<FilePatch> patches = new ArrayList<>();
    private int at;
    private boolean prose = true; // what is between files is for people

    private UnifiedDiff(List<LineText> lines) {
        this.lines = lines;
    }

    /** Reads a patch of at least one file. */
    static List<FilePatch> read(List<LineText> lines) throws FileRefusal {
        UnifiedDiff diff = new UnifiedDiff(lines);
        diff.read();
        return diff.patches;
    }

    private void read() throws FileRefusal {
        while (at < lines.size()) {
            String line = lines.get(at).text();
            if (line.startsWith("diff --git ") || isFileHeader()) {
                file();
                prose = false;
            } else if (line.startsWith("@@")) {
                throw refused("a hunk without the two lines '--- FILE' and '+++ FILE' before it");
            } else if (!prose && isChange(line)) {
                throw refusedLine("belongs to no hunk");
            } else {
                prose |= line.equals(SIGNATURE) || line.startsWith("From ");
                at++;
            }
        }
        if (patches.isEmpty()) {
            throw refused("no file; send a unified diff with '--- a/FILE' and '+++ b/FILE'");
        }
    }

    private static boolean isChange(String line) {
        return !line.equals(SIGNATURE) && !line.isEmpty() && "+- \\".indexOf(line.charAt(0)) >= 0;
    }

    private boolean isFileHeader() {
        return isFileHeader(at);
    }

    private boolean isFileHeader(int at) {
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
            while (at < lines.size() && lines.get(at).text().startsWith("@@")) {
                hunks.add(hunk());
            }
            if (hunks.isEmpty() && from.isPresent() && from.equals(to) && header.mode.isEmpty()) {
                throw refused(
                        "no hunk for '"
                                + FileRefusal.shown(from.get())
                                + "': lines of changes come after a line '@@ -1,2 +1,2 @@'");
            }
        } else if (header.mode.isPresent() && from.isEmpty()) {
            throw refused("an empty file or a mere change of mode, which needs '---' and '+++'");
        }
        if (from.isEmpty() && to.isEmpty()) {
            throw refused("a file that is /dev/null both before and after");
        }
        patches.add(new FilePatch(from, to, hunks, header.mode, false));
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
        at++;
        int start = at;
        if (!range.matches()) {
            return new FilePatch.Hunk(FilePatch.Place.ANYWHERE, uncounted(header), start + 1);
        }
        Optional<List<FilePatch.Line>> counted =
                counted(count(range.group("oldCount")), count(range.group("newCount")));
        if (counted.isPresent()) {
            return new FilePatch.Hunk(place(range), counted.get(), start + 1);
        }
        at = start;
        List<FilePatch.Line> healed = uncounted(header);
        if (at == lines.size()) {
            requireWhole(range, healed);
        }
        return new FilePatch.Hunk(place(range), healed, start + 1, healed(range, healed, start));
    }

    /** Says how the counts of a hunk differ from its lines. */
    private static String healed(Matcher range, List<FilePatch.Line> hunk, int start) {
        return "Line %d of the patch, '%s', promises %d old and %d new lines, and the hunk has %d and %d; its lines were taken as they are."
                .formatted(
                        start,
                        FileRefusal.shown(range.group()),
                        count(range.group("oldCount")),
                        count(range.group("newCount")),
                        but(FilePatch.Mark.ADDED, hunk),
                        but(FilePatch.Mark.REMOVED, hunk));
    }

    private static long but(FilePatch.Mark mark, List<FilePatch.Line> hunk) {
        return hunk.stream().filter(one -> one.mark() != mark).count();
    }

    private static FilePatch.Place place(Matcher range) {
        return FilePatch.Place.line(Integer.parseInt(range.group("old")));
    }

    /** A patch that ends before its counts are used up may have lost its end on the way. */
    private void requireWhole(Matcher range, List<FilePatch.Line> hunk) throws FileRefusal {
        int oldCount = count(range.group("oldCount"));
        int newCount = count(range.group("newCount"));
        long old = but(FilePatch.Mark.ADDED, hunk);
        long now = but(FilePatch.Mark.REMOVED, hunk);
        if (old < oldCount || now < newCount) {
            throw new FileRefusal(
                    FileRefusal.PATCH,
                    "The patch ends after line %d, but its last hunk '%s' promises %d old and %d new lines and has %d and %d: it was cut off, or the counts are wrong. Send the whole patch, or '@@' without counts. Nothing was changed."
                            .formatted(
                                    lines.size(),
                                    FileRefusal.shown(range.group()),
                                    oldCount,
                                    newCount,
                                    old,
                                    now));
        }
    }

    /** Returns the lines that the counts tell of; empty when the counts cannot be right. */
    private Optional<List<FilePatch.Line>> counted(int oldCount, int newCount) {
        int oldLeft = oldCount;
        int newLeft = newCount;
        List<FilePatch.Line> hunk = new ArrayList<>();
        while (oldLeft > 0 || newLeft > 0) {
            Optional<FilePatch.Line> line =
                    at < lines.size() ? line(lines.get(at)) : Optional.empty();
            if (line.isEmpty()) {
                return Optional.empty();
            }
            at++;
            oldLeft -= line.get().mark() == FilePatch.Mark.ADDED ? 0 : 1;
            newLeft -= line.get().mark() == FilePatch.Mark.REMOVED ? 0 : 1;
            hunk.add(unended(line.get()));
        }
        boolean more = at < lines.size() && isChange(lines.get(at).text()) && !isFileHeader();
        return oldLeft < 0 || newLeft < 0 || more ? Optional.empty() : Optional.of(hunk);
    }

    /**
     * Returns the lines up to what can be no line of a hunk; empty ones at the end are not of it.
     */
    private List<FilePatch.Line> uncounted(String header) throws FileRefusal {
        List<FilePatch.Line> hunk = new ArrayList<>();
        int changes = 0;
        int end = at;
        while (end < lines.size() && !endsHunk(end)) {
            end++;
        }
        int last = end;
        while (last > at && lines.get(last - 1).text().isEmpty()) {
            last--;
        }
        while (at < last) {
            Optional<FilePatch.Line> line = line(lines.get(at));
            if (line.isEmpty()) {
                throw refusedLine(
                        "begins with neither ' ', '-' nor '+' in the hunk '"
                                + FileRefusal.shown(header)
                                + "'");
            }
            at++;
            changes += line.get().mark() == FilePatch.Mark.KEPT ? 0 : 1;
            hunk.add(unended(line.get()));
        }
        if (changes == 0) {
            throw refused("a hunk that changes nothing: '" + FileRefusal.shown(header) + "'");
        }
        at = end;
        return hunk;
    }

    private boolean endsHunk(int line) {
        String text = lines.get(line).text();
        return text.startsWith("@@")
                || text.startsWith("diff --git ")
                || text.equals(SIGNATURE)
                || (isFileHeader(line)
                        && line + 2 < lines.size()
                        && lines.get(line + 2).text().startsWith("@@"));
    }

    private static int count(String group) {
        return group == null ? 1 : Integer.parseInt(group);
    }

    /** Returns a line of a hunk; empty when it is not one. */
    static Optional<FilePatch.Line> line(LineText line) {
        String end = line.end().isEmpty() ? "\n" : line.end(); // the patch's own end says nothing
        if (line.text().isEmpty()) { // an empty line whose blank got lost on the way
            return Optional.of(new FilePatch.Line(FilePatch.Mark.KEPT, new LineText("", end)));
        }
        Optional<FilePatch.Mark> mark =
                switch (line.text().charAt(0)) {
                    case ' ' -> Optional.of(FilePatch.Mark.KEPT);
                    case '-' -> Optional.of(FilePatch.Mark.REMOVED);
                    case '+' -> Optional.of(FilePatch.Mark.ADDED);
                    default -> Optional.empty();
                };
        return mark.map(is -> new FilePatch.Line(is, new LineText(line.text().substring(1), end)));
    }

    private FilePatch.Line unended(FilePatch.Line line) {
        if (at < lines.size() && saysNoEnd(lines.get(at).text())) {
            at++;
            return line.unended();
        }
        return line;
    }

    /** Whether a line says of the one before it that it has no line break. */
    static boolean saysNoEnd(String line) {
        return line.startsWith("\\ ");
    }

    private FileRefusal refusedLine(String why) {
        return new FileRefusal(
                FileRefusal.PATCH,
                "Line "
                        + (at + 1)
                        + " of the patch, '"
                        + FileRefusal.shown(lines.get(at).text())
                        + "', "
                        + why
                        + ". Nothing was changed.");
    }

    private static FileRefusal refused(String what) {
        return new FileRefusal(FileRefusal.PATCH, "The patch has " + what + ".");
    }
}

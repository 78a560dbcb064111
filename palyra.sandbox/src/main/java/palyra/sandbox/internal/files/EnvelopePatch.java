package palyra.sandbox.internal.files;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads patches between {@code *** Begin Patch} and {@code *** End Patch}, as models of OpenAI
 * write them (their apply_patch tool): files are added, updated or deleted as a whole, hunks have
 * no line numbers but may name lines that come before them after {@code @@}. Texts are bytes read
 * as ISO 8859-1. For one use.
 */
final class EnvelopePatch {
    private static final String BEGIN = "*** Begin Patch";
    private static final String END = "*** End Patch";
    private static final String ADD = "*** Add File: ";
    private static final String UPDATE = "*** Update File: ";
    private static final String DELETE = "*** Delete File: ";
    private static final String MOVE = "*** Move to: ";
    private static final String END_OF_FILE = "*** End of File";
    private static final int MAX_FILES = 200;

    private final List<LineText> lines;
    private final List<FilePatch> patches = new ArrayList<>();
    private int at;

    private EnvelopePatch(List<LineText> lines) {
        this.lines = lines;
    }

    static boolean isOne(List<LineText> lines) {
        return lines.stream()
                .map(line -> line.text().strip())
                .filter(text -> !text.isEmpty())
                .findFirst()
                .filter(BEGIN::equals)
                .isPresent();
    }

    static List<FilePatch> read(List<LineText> lines) throws FileRefusal {
        EnvelopePatch patch = new EnvelopePatch(lines);
        patch.read();
        return patch.patches;
    }

    private void read() throws FileRefusal {
        while (!text().strip().equals(BEGIN)) {
            at++;
        }
        at++;
        while (!isEnd()) {
            file();
        }
        at++;
        while (at < lines.size()) {
            if (!text().isBlank()) {
                throw refused("comes after the line '" + END + "'");
            }
            at++;
        }
        if (patches.isEmpty()) {
            throw new FileRefusal(FileRefusal.PATCH, "The patch has no file. Nothing was changed.");
        }
    }

    private String text() {
        return lines.get(at).text();
    }

    private boolean isEnd() throws FileRefusal {
        if (at >= lines.size()) {
            throw new FileRefusal(
                    FileRefusal.PATCH,
                    "The patch has no line '" + END + "': it was cut off. Nothing was changed.");
        }
        return text().strip().equals(END);
    }

    private boolean isMark() throws FileRefusal {
        return isEnd() || text().startsWith("*** ");
    }

    private void file() throws FileRefusal {
        if (patches.size() >= MAX_FILES) {
            throw refused("is one file more than the " + MAX_FILES + " that a patch may have");
        }
        String line = text();
        if (line.startsWith(ADD)) {
            at++;
            patches.add(
                    new FilePatch(
                            Optional.empty(),
                            Optional.of(name(line, ADD)),
                            added(),
                            Optional.empty(),
                            false));
        } else if (line.startsWith(DELETE)) {
            at++;
            patches.add(
                    new FilePatch(
                            Optional.of(name(line, DELETE)),
                            Optional.empty(),
                            List.of(),
                            Optional.empty(),
                            true));
        } else if (line.startsWith(UPDATE)) {
            at++;
            updated(name(line, UPDATE));
        } else if (line.isBlank()) {
            at++;
        } else {
            throw refused(
                    "begins no file; a file begins with '"
                            + UPDATE
                            + "NAME', '"
                            + ADD
                            + "NAME' or '"
                            + DELETE
                            + "NAME'");
        }
    }

    private static String name(String line, String mark) throws FileRefusal {
        String name = line.substring(mark.length()).strip();
        if (name.isEmpty()) {
            throw new FileRefusal(
                    FileRefusal.PATCH, "The patch has a file without a name. Nothing was changed.");
        }
        return new String(name.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private List<FilePatch.Hunk> added() throws FileRefusal {
        int first = at + 1;
        List<FilePatch.Line> content = new ArrayList<>();
        while (!isMark()) {
            if (!text().startsWith("+")) {
                throw refused("does not begin with '+', as each line of an added file does");
            }
            content.add(line());
        }
        return content.isEmpty()
                ? List.of()
                : List.of(new FilePatch.Hunk(FilePatch.Place.line(0), content, first));
    }

    private void updated(String from) throws FileRefusal {
        String to = from;
        if (!isEnd() && text().startsWith(MOVE)) {
            to = name(text(), MOVE);
            at++;
        }
        List<FilePatch.Hunk> hunks = new ArrayList<>();
        while (!isMark()) {
            hunks.add(hunk());
        }
        if (hunks.isEmpty() && to.equals(from)) {
            throw refused("comes where changes of '" + FileRefusal.shown(from) + "' should");
        }
        patches.add(
                new FilePatch(Optional.of(from), Optional.of(to), hunks, Optional.empty(), false));
    }

    private FilePatch.Hunk hunk() throws FileRefusal {
        List<String> after = new ArrayList<>();
        while (!isEnd() && text().startsWith("@@")) {
            String named = text().substring(2).strip();
            if (!named.isEmpty()) {
                after.add(named);
            }
            at++;
        }
        int first = at + 1;
        List<FilePatch.Line> body = new ArrayList<>();
        int changes = 0;
        while (!isMark() && !text().startsWith("@@")) {
            FilePatch.Line line = line();
            changes += line.mark() == FilePatch.Mark.KEPT ? 0 : 1;
            body.add(line);
        }
        boolean atEnd = !isEnd() && text().strip().equals(END_OF_FILE);
        if (changes == 0) {
            throw refused("ends a hunk that changes nothing");
        }
        at += atEnd ? 1 : 0;
        return new FilePatch.Hunk(
                new FilePatch.Place(FilePatch.Place.NO_LINE, after, atEnd), body, first);
    }

    private FilePatch.Line line() throws FileRefusal {
        FilePatch.Line line =
                UnifiedDiff.line(lines.get(at))
                        .orElseThrow(() -> refused("begins with neither ' ', '-' nor '+'"));
        at++;
        if (at < lines.size() && UnifiedDiff.saysNoEnd(text())) {
            at++;
            return line.unended();
        }
        return line;
    }

    private FileRefusal refused(String why) {
        String shown = at < lines.size() ? lines.get(at).text() : "";
        return new FileRefusal(
                FileRefusal.PATCH,
                "Line "
                        + (at + 1)
                        + " of the patch, '"
                        + FileRefusal.shown(shown)
                        + "', "
                        + why
                        + ". Nothing was changed.");
    }
}

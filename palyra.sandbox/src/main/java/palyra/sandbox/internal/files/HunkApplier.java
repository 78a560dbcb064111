package palyra.sandbox.internal.files;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Applies hunks to a text. What a hunk keeps and removes must be there exactly; where is looked for
 * at the line it names, and else everywhere after the hunk before it, where it must fit once, or
 * after the lines that it names, where the first fit counts; it may begin with the last of these,
 * as models write it. A patch whose lines end with LF alone fits a file whose lines end with CR LF;
 * each line of the file keeps its end, and a new line gets that of its neighbours.
 */
final class HunkApplier {
    private final String shown;
    private final List<LineText> old;
    private final List<LineText> now = new ArrayList<>();
    private int done; // lines of the old text that are dealt with
    private int drift; // by how much the last hunk was off

    private HunkApplier(String shown, List<LineText> old) {
        this.shown = shown;
        this.old = old;
    }

    /** Returns the new text; {@code shown} names the file in refusals. */
    static String apply(String shown, String text, List<FilePatch.Hunk> hunks) throws FileRefusal {
        HunkApplier applier = new HunkApplier(shown, LineText.lines(text));
        for (int i = 0; i < hunks.size(); i++) {
            applier.apply(hunks.get(i), i + 1);
        }
        applier.now.addAll(applier.old.subList(applier.done, applier.old.size()));
        return LineText.joined(applier.now);
    }

    private void apply(FilePatch.Hunk hunk, int number) throws FileRefusal {
        List<LineText> wanted = hunk.old();
        int at = place(hunk, wanted, number);
        now.addAll(old.subList(done, at));
        int from = Math.max(0, now.size() - 1);
        String end = end(at, wanted.size());
        int next = at;
        for (FilePatch.Line line : hunk.lines()) {
            switch (line.mark()) {
                case KEPT -> now.add(old.get(next++));
                case REMOVED -> next++;
                case ADDED -> now.add(added(line.line(), end));
            }
        }
        endLines(from);
        done = next;
    }

    /** A line that got another after it has to end. */
    private void endLines(int from) {
        for (int i = from; i < now.size() - 1; i++) {
            if (now.get(i).end().isEmpty()) {
                now.set(i, new LineText(now.get(i).text(), "\n"));
            }
        }
    }

    private static LineText added(LineText line, String end) {
        return line.end().equals("\n") ? new LineText(line.text(), end) : line;
    }

    /** How lines end around here. */
    private String end(int at, int count) {
        for (int i = at; i < Math.min(at + Math.max(count, 1), old.size()); i++) {
            if (!old.get(i).end().isEmpty()) {
                return old.get(i).end();
            }
        }
        return at > 0 && !old.get(at - 1).end().isEmpty() ? old.get(at - 1).end() : "\n";
    }

    private int place(FilePatch.Hunk hunk, List<LineText> wanted, int number) throws FileRefusal {
        FilePatch.Place place = hunk.place();
        int from = after(place.after(), number);
        if (wanted.isEmpty()) {
            return placeOfNewLines(place, from, number);
        }
        Optional<String> anchor = place.after().reversed().stream().findFirst();
        int said = place.atEnd() ? old.size() - wanted.size() : place.line() - 1;
        boolean numbered = place.isNumbered();
        if (fits(said, wanted, numbered)) {
            drift = 0;
            return said;
        }
        int found = -1;
        for (int at = from; !place.atEnd() && at + wanted.size() <= old.size(); at++) {
            if (fits(at, wanted, numbered)) {
                if (anchor.isPresent()) {
                    requireOne(at, from - 1, wanted, number);
                    return at;
                }
                if (found >= 0) {
                    throw refused(number, "fits at more than one place; give more lines around it");
                }
                found = at;
            }
        }
        if (found < 0 && anchor.isPresent() && !place.atEnd() && fits(from - 1, wanted, false)) {
            return from - 1; // it begins with the line that was named
        }
        if (found < 0) {
            throw refused(number, "does not fit: " + new NearHunk(old, hunk, done, from).words());
        }
        drift = numbered ? found - said : 0;
        return found;
    }

    /** A hunk may begin with the line that it is said to come after. */
    private void requireOne(int at, int named, List<LineText> wanted, int number)
            throws FileRefusal {
        if (fits(named, wanted, false)) {
            throw refused(
                    number,
                    "fits at line "
                            + (named + 1)
                            + ", which is the one named after @@, and at line "
                            + (at + 1)
                            + "; name an earlier line");
        }
    }

    /** Nothing but new lines: after the line it names, or at the end. */
    private int placeOfNewLines(FilePatch.Place place, int from, int number) throws FileRefusal {
        if (place.atEnd()) {
            return old.size();
        }
        if (!place.after().isEmpty()) {
            return from;
        }
        if (!place.isNumbered()) {
            if (old.isEmpty()) {
                return 0;
            }
            throw refused(
                    number,
                    "has only new lines and names no place; give a line that is there before or"
                            + " after them");
        }
        int at = place.line() + drift;
        if (at < done || at > old.size()) {
            throw refused(number, "names line " + place.line() + ", which is not there");
        }
        return at;
    }

    /** Returns the line after those that come before a hunk. */
    private int after(List<String> before, int number) throws FileRefusal {
        int from = done;
        for (String wanted : before) {
            int at = from;
            while (at < old.size() && !old.get(at).text().strip().equals(wanted.strip())) {
                at++;
            }
            if (at == old.size()) {
                throw refused(
                        number,
                        "comes after the line '"
                                + FileRefusal.shown(NearMiss.text(wanted))
                                + "', which is not in the rest of the file; read the file again");
            }
            from = at + 1;
        }
        return from;
    }

    private boolean fits(int at, List<LineText> wanted, boolean endsCount) {
        if (at < done || at + wanted.size() > old.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            boolean last = !endsCount && at + i == old.size() - 1;
            if (!same(old.get(at + i), wanted.get(i), last)) {
                return false;
            }
        }
        return true;
    }

    private static boolean same(LineText found, LineText wanted, boolean mayLackItsEnd) {
        boolean ends =
                found.end().equals(wanted.end())
                        || (mayLackItsEnd && found.end().isEmpty())
                        || (found.end().equals("\r\n") && wanted.end().equals("\n"));
        return ends && found.text().equals(wanted.text());
    }

    private FileRefusal refused(int number, String why) {
        return new FileRefusal(
                FileRefusal.PATCH,
                "Hunk "
                        + number
                        + " for '"
                        + FileRefusal.shown(shown)
                        + "' "
                        + why
                        + ". Nothing was changed.");
    }
}

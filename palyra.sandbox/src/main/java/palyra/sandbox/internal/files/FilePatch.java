package palyra.sandbox.internal.files;

import java.util.List;
import java.util.Optional;

/**
 * What a patch does to one file.
 *
 * @param from file that it changes or deletes; empty when it makes one
 * @param to file that it makes or leaves; empty when it deletes one
 * @param hunks changes, in the order of the file; empty for a mere renaming or an empty file
 * @param executable whether the file is to be executable; empty to leave that as it is
 * @param whole whether a deletion takes the file whatever it holds; else the hunks must remove all
 */
record FilePatch(
        Optional<String> from,
        Optional<String> to,
        List<Hunk> hunks,
        Optional<Boolean> executable,
        boolean whole) {
    /** Copies. */
    FilePatch {
        hunks = List.copyOf(hunks);
    }

    /** What a line of a hunk is. */
    enum Mark {
        /** In both texts. */
        KEPT,
        /** In the old text. */
        REMOVED,
        /** In the new text. */
        ADDED
    }

    /**
     * A line of a hunk.
     *
     * @param mark what it is
     * @param line text; ends with nothing where {@code \ No newline at end of file} follows
     */
    record Line(Mark mark, LineText line) {
        /** Returns the same without a line break. */
        Line unended() {
            return new Line(mark, new LineText(line.text(), ""));
        }
    }

    /**
     * Where a hunk belongs.
     *
     * @param line line of the old text where it begins, from 1; 0 before the first; {@link
     *     #NO_LINE} when it names none
     * @param after lines that come before it in the file, one after the other; at the first place
     *     after them that fits
     * @param atEnd whether it ends where the file ends
     */
    record Place(int line, List<String> after, boolean atEnd) {
        static final int NO_LINE = -1;

        /** Wherever it fits, if that is one place. */
        static final Place ANYWHERE = new Place(NO_LINE, List.of(), false);

        /** Copies. */
        Place {
            after = List.copyOf(after);
        }

        static Place line(int line) {
            return new Place(line, List.of(), false);
        }

        boolean isNumbered() {
            return line != NO_LINE;
        }
    }

    /**
     * A hunk.
     *
     * @param place where it belongs
     * @param lines its lines
     * @param at line of the patch, from 1, that its first line is
     * @param healed what of it is not as it was written, as a sentence; empty when all is
     */
    record Hunk(Place place, List<Line> lines, int at, String healed) {
        /** Copies. */
        Hunk {
            lines = List.copyOf(lines);
        }

        Hunk(Place place, List<Line> lines, int at) {
            this(place, lines, at, "");
        }

        /** Returns the line of the patch, from 1, that one of {@link #old} is. */
        int lineOfOld(int index) {
            int number = at;
            int left = index;
            for (Line line : lines) {
                if (line.mark() != Mark.ADDED && left-- == 0) {
                    return number;
                }
                number += line.line().end().isEmpty() ? 2 : 1; // the remark about it follows
            }
            return number;
        }

        /** The lines that must be there. */
        List<LineText> old() {
            return lines.stream()
                    .filter(line -> line.mark() != Mark.ADDED)
                    .map(Line::line)
                    .toList();
        }
    }
}

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
 */
record FilePatch(
        Optional<String> from,
        Optional<String> to,
        List<Hunk> hunks,
        Optional<Boolean> executable) {
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
    record Line(Mark mark, LineText line) {}

    /**
     * A hunk.
     *
     * @param oldStart line of the old text where it begins, from 1; 0 before the first
     * @param lines its lines
     */
    record Hunk(int oldStart, List<Line> lines) {
        /** Copies. */
        Hunk {
            lines = List.copyOf(lines);
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

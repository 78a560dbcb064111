package palyra.lib.cedar.internal.text;

import java.util.Set;

/**
 * A stretch of a file that should be one policy or template.
 *
 * @param source the file
 * @param number its number in the file, from 1
 * @param start its first char
 * @param end the char after its semicolon, or after its last token
 * @param slots the slots it has; a template has at least one
 * @param nodes how large it may become
 */
public record PolicyPiece(
        SourceText source, int number, int start, int end, Set<String> slots, long nodes) {
    /** Copies the slots. */
    public PolicyPiece {
        slots = Set.copyOf(slots);
    }

    /** Returns {@code file#n}. */
    public String id() {
        return source.file() + "#" + number;
    }

    /** Returns its text. */
    public String text() {
        return source.text().substring(start, end);
    }

    /** Whether it has slots. */
    public boolean isTemplate() {
        return !slots.isEmpty();
    }
}

package palyra.lib.cedar;

import java.util.List;
import java.util.Objects;

/**
 * A text made of another one.
 *
 * @param text the new text; empty when there are errors
 * @param diagnostics the problems of the old text
 */
public record Converted(String text, List<Diagnostic> diagnostics) {
    /** Copies the list. */
    public Converted {
        Objects.requireNonNull(text, "text");
        diagnostics = List.copyOf(diagnostics);
    }

    /** Whether there are no errors. Warnings do not count. */
    public boolean ok() {
        return diagnostics.stream().noneMatch(Diagnostic::isError);
    }
}

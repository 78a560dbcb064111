package palyra.lib.cedar;

import java.util.Objects;

/**
 * Something that is wrong with a text, and where. Texts are cleared of control characters.
 *
 * @param severity how bad it is
 * @param file the name of the file; empty when it concerns a link of a template
 * @param line line, from 1; 0 when the place is not known
 * @param column column in code points, from 1; 0 when the place is not known
 * @param length how many code points it covers, line ends included; 0: one spot
 * @param message the problem
 * @param help what was expected or what to do; may be empty
 * @param policyId {@code file#n} of the policy, or the id of the link; may be empty
 * @param sourceLine the line, shortened around the place if it is very long; may be empty
 * @param caretLine blanks and carets that point at the place when printed below the line
 */
public record Diagnostic(
        Severity severity,
        String file,
        int line,
        int column,
        int length,
        String message,
        String help,
        String policyId,
        String sourceLine,
        String caretLine) {
    /** How bad it is. */
    public enum Severity {
        /** The text is refused. */
        ERROR,
        /** The text is accepted, but probably not meant. */
        WARNING
    }

    /** Checks that everything is there. */
    public Diagnostic {
        Objects.requireNonNull(severity, "severity");
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(help, "help");
        Objects.requireNonNull(policyId, "policyId");
        Objects.requireNonNull(sourceLine, "sourceLine");
        Objects.requireNonNull(caretLine, "caretLine");
    }

    /** Whether the text is refused for it. */
    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /** Returns it for a person: place, message, source line with carets, help. */
    public String render() {
        StringBuilder text = new StringBuilder();
        if (!file.isEmpty()) {
            text.append(file).append(':');
            text.append(line > 0 ? line + ":" + column + ":" : "").append(' ');
        }
        text.append(isError() ? "error: " : "warning: ").append(message);
        if (!sourceLine.isEmpty()) {
            text.append("\n  ").append(sourceLine).append("\n  ").append(caretLine);
        }
        return text.append(help.isEmpty() ? "" : "\n  help: " + help).toString();
    }
}

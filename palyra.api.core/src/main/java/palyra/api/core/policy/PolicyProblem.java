package palyra.api.core.policy;

import palyra.api.Require;

/**
 * Something that is wrong with a policy set, and where.
 *
 * @param error whether it refuses the set; otherwise a warning
 * @param file file name; empty when it concerns the set as a whole
 * @param line line, from 1; 0 when not known
 * @param column column in code points, from 1; 0 when not known
 * @param message the problem and its fix
 * @param help what to do; may be empty
 * @param sourceLine the line; may be empty
 * @param caretLine blanks and carets that point at the place when printed below the line; may be
 *     empty
 */
public record PolicyProblem(
        boolean error,
        String file,
        int line,
        int column,
        String message,
        String help,
        String sourceLine,
        String caretLine) {
    /** Checks. */
    public PolicyProblem {
        file = Require.orEmpty(file);
        Require.text(message, "problem");
        help = Require.orEmpty(help);
        sourceLine = Require.orEmpty(sourceLine);
        caretLine = Require.orEmpty(caretLine);
    }
}

package palyra.policy.internal.decide;

import palyra.api.core.policy.PolicyProblem;
import palyra.policy.internal.set.Snapshot.Origin;

/** Says where in a text something is. */
final class ProblemLocations {
    private ProblemLocations() {}

    /** Returns a problem with a policy, at the first occurrence of {@code mark} in it. */
    static PolicyProblem problem(
            boolean error, Origin origin, String mark, String message, String help) {
        int at = Math.max(0, origin.text().indexOf(mark));
        return problem(
                error,
                origin.file(),
                origin.line(),
                origin.text(),
                at,
                mark.length(),
                message,
                help);
    }

    /**
     * Returns a problem with a text.
     *
     * @param firstLine line of the file in which the text begins; 0 when not known
     * @param at offset in the text
     * @param length how many characters it covers
     */
    static PolicyProblem problem(
            boolean error,
            String file,
            int firstLine,
            String text,
            int at,
            int length,
            String message,
            String help) {
        if (firstLine == 0) {
            return new PolicyProblem(error, file, 0, 0, message, help, "", "");
        }
        int start = text.lastIndexOf('\n', at - 1) + 1;
        int end = text.indexOf('\n', start);
        String line = text.substring(start, end < 0 ? text.length() : end).stripTrailing();
        int before = text.codePointCount(start, at);
        int lines = (int) text.substring(0, start).chars().filter(c -> c == '\n').count();
        String carets = " ".repeat(before) + "^".repeat(Math.max(1, length));
        return new PolicyProblem(
                error, file, firstLine + lines, before + 1, message, help, line, carets);
    }
}

package palyra.policy.internal.set;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.Diagnostic;

/** Makes and prints problems of policy sets. */
final class PolicyProblems {
    private PolicyProblems() {}

    static PolicyProblem error(String file, String message, String help) {
        return new PolicyProblem(true, file, 0, 0, message, help, "", "");
    }

    static PolicyProblem errorAt(String file, int line, int column, String message, String help) {
        return new PolicyProblem(true, file, line, column, message, help, "", "");
    }

    static PolicyProblem warningAt(String file, int line, int column, String message, String help) {
        return new PolicyProblem(false, file, line, column, message, help, "", "");
    }

    static PolicyProblem warning(String file, String message, String help) {
        return warningAt(file, 0, 0, message, help);
    }

    static PolicyProblem of(Diagnostic found) {
        return new PolicyProblem(
                found.isError(),
                found.file(),
                found.line(),
                found.column(),
                found.message().isBlank() ? "The Cedar engine refuses it." : found.message(),
                found.help(),
                found.sourceLine(),
                found.caretLine());
    }

    /**
     * Returns the warnings that are told as long as a set is in force: those about the operator's
     * own files. That shipped cases are decided otherwise is told when the set is checked; the
     * operator means it.
     */
    static List<PolicyProblem> lasting(List<PolicyProblem> problems) {
        return problems.stream()
                .filter(problem -> !problem.error() && !SourceSet.shipped(problem.file()))
                .toList();
    }

    static boolean anyError(List<PolicyProblem> problems) {
        return problems.stream().anyMatch(PolicyProblem::error);
    }

    /** Errors first; otherwise the order stays. */
    static List<PolicyProblem> sorted(List<PolicyProblem> problems) {
        List<PolicyProblem> sorted = new ArrayList<>(problems);
        sorted.sort(Comparator.comparing(PolicyProblem::error).reversed());
        return sorted;
    }

    /** Returns it for a person: place, message, source line with carets, help. */
    static String render(PolicyProblem found) {
        StringBuilder text = new StringBuilder();
        if (!found.file().isEmpty()) {
            text.append(found.file()).append(':');
            text.append(found.line() > 0 ? found.line() + ":" + found.column() + ":" : "");
            text.append(' ');
        }
        text.append(found.error() ? "error: " : "warning: ").append(found.message());
        if (!found.sourceLine().isEmpty()) {
            text.append("\n  ").append(found.sourceLine());
            text.append("\n  ").append(found.caretLine());
        }
        return text.append(found.help().isEmpty() ? "" : "\n  help: " + found.help()).toString();
    }
}

package palyra.shell.internal.approvals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalOption;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.GrantShape;

/**
 * Answer of a user to an approval request: the number or the id of an option, and an optional
 * reason.
 *
 * @param option the chosen one
 * @param reason why; empty when none was given
 */
record ApprovalChoice(ApprovalOption option, String reason) {
    /** What a person types to see all about the request. */
    static final String EVERYTHING = "?";

    private static final int LONGEST_REASON = 1_000;
    private static final ApprovalOption NO =
            new ApprovalOption(
                    "deny_once",
                    "No",
                    "It does not run; the model gets your reason.",
                    true,
                    false,
                    ApprovalScope.ONCE,
                    GrantShape.EXACT,
                    0);

    /** Returns the options of a request; the last one is always a no. */
    static List<ApprovalOption> options(ApprovalView view) {
        List<ApprovalOption> yes =
                view.prompt().options().stream().filter(ApprovalOption::granted).toList();
        Optional<ApprovalOption> no =
                view.prompt().options().stream().filter(each -> !each.granted()).findFirst();
        List<ApprovalOption> all = new ArrayList<>(yes);
        all.add(no.orElse(NO));
        return List.copyOf(all);
    }

    /** Parses a line; an empty line is the no; the result is empty when no option matches. */
    static Optional<ApprovalChoice> of(ApprovalView view, String line) {
        List<ApprovalOption> options = options(view);
        String text = line.strip();
        if (text.isEmpty()) {
            return Optional.of(new ApprovalChoice(options.get(options.size() - 1), ""));
        }
        int gap = text.indexOf(' ');
        String word = gap < 0 ? text : text.substring(0, gap);
        String rest = gap < 0 ? "" : text.substring(gap + 1).strip();
        return find(options, word.toLowerCase(Locale.ROOT))
                .map(each -> new ApprovalChoice(each, cut(rest)));
    }

    private static String cut(String reason) {
        return reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON);
    }

    private static Optional<ApprovalOption> find(List<ApprovalOption> options, String word) {
        if (word.matches("[0-9]{1,3}")) {
            int number = Integer.parseInt(word);
            return number >= 1 && number <= options.size()
                    ? Optional.of(options.get(number - 1))
                    : Optional.empty();
        }
        if (word.equals("n") || word.equals("no") || word.equals("deny")) {
            return Optional.of(options.get(options.size() - 1));
        }
        if (word.equals("y") || word.equals("yes")) {
            return exact(options, ApprovalScope.ONCE);
        }
        if (word.equals("a")) {
            return exact(options, ApprovalScope.SESSION);
        }
        return options.stream().filter(each -> each.optionId().equals(word)).findFirst();
    }

    private static Optional<ApprovalOption> exact(
            List<ApprovalOption> options, ApprovalScope scope) {
        return options.stream()
                .filter(each -> each.granted() && each.scope() == scope)
                .filter(each -> each.shape() == GrantShape.EXACT)
                .findFirst();
    }

    /** Returns the keys that answer a request, with what they mean. */
    static String keys(ApprovalView view) {
        List<ApprovalOption> options = options(view);
        return (exact(options, ApprovalScope.ONCE).isPresent() ? "y once, " : "")
                + (exact(options, ApprovalScope.SESSION).isPresent() ? "a in this session, " : "")
                + "n or Enter for no, "
                + EVERYTHING
                + " for all about it";
    }

    /** Returns the answer. */
    ApprovalAnswer answer(ApprovalView view) {
        return option.answer(view.approvalId(), reason);
    }
}

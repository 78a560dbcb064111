package palyra.shell.internal.approvals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalOption;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.ApprovalView;
import palyra.api.tape.TapeEvent;
import palyra.shared.text.EscapedText;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Seams;

/**
 * Shows the approval requests of a run one after the other and reports how each ended. Used by one
 * thread at a time; only {@link #waiting} is thread-safe.
 */
final class ApprovalPrompter {
    private static final int LONGEST_SUMMARY = 300;
    private static final int LONGEST_WHY = 160;

    private final Seams seams;
    private final Principal principal;
    private final TerminalApprovals.Screen screen;
    private final Deque<ApprovalView> queue = new ArrayDeque<>();
    private final Set<String> announced = new HashSet<>();
    private final Set<String> open = ConcurrentHashMap.newKeySet();
    private boolean listening;
    private ApprovalView shown; // null while no request is shown

    /**
     * Creates it.
     *
     * @param listening whether a user can type an answer
     */
    ApprovalPrompter(
            Seams seams, Principal principal, TerminalApprovals.Screen screen, boolean listening) {
        this.seams = seams;
        this.principal = principal;
        this.screen = screen;
        this.listening = listening;
    }

    /** Returns whether a request of the run is pending. Thread-safe. */
    boolean waiting() {
        return !open.isEmpty();
    }

    /** A question was asked. */
    void asked(String approvalId) {
        Optional<ApprovalView> found;
        try {
            found = seams.approvals().call(a -> a.approval(principal, approvalId));
        } catch (PalyraException e) {
            screen.note("An approval request cannot be shown now: " + e.getMessage());
            screen.note(ApprovalText.elsewhere(approvalId));
            return;
        }
        if (found.isEmpty()) {
            screen.note("Approval request " + approvalId + " waits for another user's answer.");
        } else if (found.get().state() == ApprovalState.PENDING && open.add(approvalId)) {
            take(found.get());
        }
    }

    private void take(ApprovalView view) {
        if (listening && mayAnswer(view)) {
            queue.add(view);
            next();
        } else {
            announce(view);
        }
    }

    private boolean mayAnswer(ApprovalView view) {
        return view.votes().stream().noneMatch(vote -> vote.principal().equals(principal.id()))
                && view.approvers().stream()
                        .anyMatch(
                                who ->
                                        who.equals(principal.id())
                                                || (who.startsWith("group:")
                                                        && principal.in(who.substring(6))));
    }

    private void announce(ApprovalView view) {
        screen.note(
                "The run waits for an answer, at most "
                        + left(view)
                        + ": "
                        + EscapedText.line(view.prompt().title())
                        + " (risk "
                        + view.prompt().risk()
                        + ")");
        screen.note("May answer: " + ApprovalText.who(view));
        screen.note(ApprovalText.elsewhere(view.approvalId()));
    }

    private static String left(ApprovalView view) {
        return Words.duration(view.expiresAtMillis() - System.currentTimeMillis());
    }

    private void next() {
        if (shown == null && !queue.isEmpty()) {
            shown = queue.poll();
            show(shown);
        }
    }

    /** Shows what is asked in five lines, of which the last one takes the answer. */
    private void show(ApprovalView view) {
        screen.note("");
        screen.note(
                "? "
                        + EscapedText.line(view.prompt().title())
                        + " (risk "
                        + view.prompt().risk()
                        + ", open for "
                        + left(view)
                        + ")");
        screen.note("  " + Words.brief(EscapedText.line(view.requestSummary()), LONGEST_SUMMARY));
        screen.note("  " + circumstances(view));
        screen.note(
                "  why: "
                        + Words.brief(
                                EscapedText.line(view.prompt().policyExplanation()), LONGEST_WHY));
        screen.fresh();
        screen.ask("Your answer: " + ApprovalChoice.keys(view) + ": ");
    }

    private static String circumstances(ApprovalView view) {
        StringBuilder text = new StringBuilder("for " + ApprovalText.asker(view));
        Map<String, Object> facts = ApprovalDetails.of(view).facts();
        for (String fact : List.of("sandbox", "onceOnly", "notAscii")) {
            if (facts.containsKey(fact)) {
                text.append("; ").append(facts.get(fact));
            }
        }
        return text.toString();
    }

    private void showAll(ApprovalView view) {
        EscapedText.block(view.prompt().summary())
                .lines()
                .forEach(each -> screen.note("  " + each));
        ApprovalDetails.of(view)
                .facts()
                .forEach((name, fact) -> screen.note("  " + name + ": " + fact));
        EscapedText.block(view.prompt().policyExplanation())
                .lines()
                .forEach(each -> screen.note("  why: " + each));
        List<ApprovalOption> options = ApprovalChoice.options(view);
        for (int i = 0; i < options.size(); i++) {
            boolean last = i == options.size() - 1;
            screen.note(
                    "  ["
                            + (i + 1)
                            + "] "
                            + ApprovalText.option(options.get(i))
                            + (last ? " (Enter)" : ""));
        }
        screen.ask(
                "Your answer, 1 to "
                        + options.size()
                        + " or "
                        + ApprovalChoice.keys(view)
                        + ", and a reason if you like: ");
    }

    /** Handles a typed line; ignores it when no request is shown. */
    void lineTyped(String line) {
        screen.entered();
        if (shown == null) {
            return;
        }
        if (line.strip().equals(ApprovalChoice.EVERYTHING)) {
            showAll(shown);
            return;
        }
        Optional<ApprovalChoice> choice = ApprovalChoice.of(shown, line);
        if (choice.isEmpty()) {
            screen.ask("Type " + ApprovalChoice.keys(shown) + ": ");
            return;
        }
        decide(choice.get());
    }

    private void decide(ApprovalChoice choice) {
        ApprovalView asked = shown;
        try {
            ApprovalView after =
                    seams.approvals().call(a -> a.decide(principal, choice.answer(asked)));
            shown = null;
            if (after.state() == ApprovalState.PENDING) {
                screen.note(
                        "Your yes is "
                                + after.votes().size()
                                + " of "
                                + after.quorum()
                                + "; the run waits for the others.");
            } else {
                ended(after.approvalId(), ApprovalText.outcome(after));
            }
        } catch (PalyraException e) {
            refused(asked, e);
        }
        next();
    }

    private void refused(ApprovalView asked, PalyraException why) {
        screen.note(EscapedText.line(why.getMessage()));
        if (why.code() == ErrorCode.CONFLICT || why.code() == ErrorCode.NOT_FOUND) {
            announced.add(asked.approvalId());
            open.remove(asked.approvalId());
            shown = null;
        } else if (why.code() == ErrorCode.DENIED) {
            shown = null;
        } else {
            screen.ask("Your answer: " + ApprovalChoice.keys(asked) + ": ");
        }
    }

    private void ended(String approvalId, String outcome) {
        open.remove(approvalId);
        queue.removeIf(each -> each.approvalId().equals(approvalId));
        if (announced.add(approvalId)) {
            screen.note("Answered: " + outcome);
        }
    }

    /** Handles an answer, given here or elsewhere, or its timeout. */
    void answered(TapeEvent.ApprovalDecision e) {
        boolean here = shown != null && shown.approvalId().equals(e.approvalId());
        if (here) {
            shown = null;
        }
        ended(e.approvalId(), ApprovalText.outcome(e));
        next();
    }

    /** One of several people said yes. */
    void voted(TapeEvent.ApprovalVoted e) {
        if (!e.principal().equals(principal.id()) && e.votes() < e.quorum()) {
            screen.note(
                    EscapedText.line(e.principal())
                            + " said yes, "
                            + e.votes()
                            + " of "
                            + e.quorum()
                            + ".");
        }
    }

    /** Handles the end of input: pending requests stay open. */
    void inputEnded() {
        listening = false;
        if (shown != null) {
            screen.note("It stays open. " + ApprovalText.elsewhere(shown.approvalId()));
            shown = null;
        }
        queue.forEach(this::announce);
        queue.clear();
    }
}

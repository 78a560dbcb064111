package palyra.shell.internal.approvals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
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
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Seams;

/**
 * Asks a person the questions of a run, one after the other, and tells how each ended. Whatever
 * happens comes in by the methods, from one thread at a time; only {@link #waiting} is asked by
 * others.
 */
final class Prompter {
    private final Seams seams;
    private final Principal principal;
    private final TerminalApprovals.Screen screen;
    private final Deque<ApprovalView> queue = new ArrayDeque<>();
    private final Set<String> told = new HashSet<>();
    private final Set<String> open = ConcurrentHashMap.newKeySet();
    private boolean listening;
    private ApprovalView shown; // null while none is being asked

    /**
     * Creates it.
     *
     * @param listening whether somebody may type an answer
     */
    Prompter(Seams seams, Principal principal, TerminalApprovals.Screen screen, boolean listening) {
        this.seams = seams;
        this.principal = principal;
        this.screen = screen;
        this.listening = listening;
    }

    /** Returns whether a question of the run waits for an answer. Any thread. */
    boolean waiting() {
        return !open.isEmpty();
    }

    /** A question was asked. */
    void asked(String approvalId) {
        Optional<ApprovalView> found;
        try {
            found = seams.approvals().call(a -> a.approval(principal, approvalId));
        } catch (PalyraException e) {
            screen.note("A question cannot be shown now: " + e.getMessage());
            screen.note(QuestionText.elsewhere(approvalId));
            return;
        }
        if (found.isEmpty()) {
            screen.note("Question " + approvalId + " waits for somebody else's answer.");
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
                        + Visible.line(view.prompt().title())
                        + " (risk "
                        + view.prompt().risk()
                        + ")");
        screen.note("May answer: " + QuestionText.who(view));
        screen.note(QuestionText.elsewhere(view.approvalId()));
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

    private void show(ApprovalView view) {
        screen.note("");
        screen.note("? " + Visible.line(view.prompt().title()));
        screen.note("  risk: " + view.prompt().risk() + ", open for " + left(view));
        Visible.block(view.prompt().summary()).lines().forEach(each -> screen.note("  " + each));
        Details.of(view).facts().forEach((name, fact) -> screen.note("  " + name + ": " + fact));
        Visible.block(view.prompt().policyExplanation())
                .lines()
                .forEach(each -> screen.note("  why: " + each));
        List<ApprovalOption> options = Choice.options(view);
        for (int i = 0; i < options.size(); i++) {
            boolean last = i == options.size() - 1;
            screen.note(
                    "  ["
                            + (i + 1)
                            + "] "
                            + QuestionText.option(options.get(i))
                            + (last ? " (Enter)" : ""));
        }
        screen.fresh();
        screen.ask("Your answer, 1 to " + options.size() + ", and a reason if you like: ");
    }

    /** Somebody typed a line; without a question it is nothing. */
    void typed(String line) {
        screen.entered();
        if (shown == null) {
            return;
        }
        Optional<Choice> choice = Choice.of(shown, line);
        if (choice.isEmpty()) {
            screen.ask("Type a number from 1 to " + Choice.options(shown).size() + ": ");
            return;
        }
        decide(choice.get());
    }

    private void decide(Choice choice) {
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
                ended(after.approvalId(), QuestionText.outcome(after));
            }
        } catch (PalyraException e) {
            refused(asked, e);
        }
        next();
    }

    private void refused(ApprovalView asked, PalyraException why) {
        screen.note(Visible.line(why.getMessage()));
        if (why.code() == ErrorCode.CONFLICT || why.code() == ErrorCode.NOT_FOUND) {
            told.add(asked.approvalId());
            open.remove(asked.approvalId());
            shown = null;
        } else if (why.code() == ErrorCode.DENIED) {
            shown = null;
        } else {
            screen.ask("Your answer, 1 to " + Choice.options(asked).size() + ": ");
        }
    }

    private void ended(String approvalId, String outcome) {
        open.remove(approvalId);
        queue.removeIf(each -> each.approvalId().equals(approvalId));
        if (told.add(approvalId)) {
            screen.note("Answered: " + outcome);
        }
    }

    /** Somebody answered, here or elsewhere, or nobody did in time. */
    void answered(TapeEvent.ApprovalDecision e) {
        boolean here = shown != null && shown.approvalId().equals(e.approvalId());
        if (here) {
            shown = null;
        }
        ended(e.approvalId(), QuestionText.outcome(e));
        next();
    }

    /** One of several people said yes. */
    void voted(TapeEvent.ApprovalVoted e) {
        if (!e.principal().equals(principal.id()) && e.votes() < e.quorum()) {
            screen.note(
                    Visible.line(e.principal())
                            + " said yes, "
                            + e.votes()
                            + " of "
                            + e.quorum()
                            + ".");
        }
    }

    /** Nobody types any more: what is asked stays open. */
    void deaf() {
        listening = false;
        if (shown != null) {
            screen.note("It stays open. " + QuestionText.elsewhere(shown.approvalId()));
            shown = null;
        }
        queue.forEach(this::announce);
        queue.clear();
    }
}

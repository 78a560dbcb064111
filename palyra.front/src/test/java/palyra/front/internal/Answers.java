package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.GrantShape;

/** Answers of tests, and what is said to those that are refused. */
final class Answers {
    private Answers() {}

    static ApprovalAnswer yes(String id) {
        return new ApprovalAnswer(id, true, ApprovalScope.ONCE, 0, "");
    }

    static ApprovalAnswer yes(String id, ApprovalScope scope, GrantShape shape, int maxUses) {
        long ttl = scope == ApprovalScope.TIMEBOXED ? 60_000 : 0;
        return new ApprovalAnswer(id, true, scope, shape, ttl, maxUses, "");
    }

    static ApprovalAnswer no(String id, String reason) {
        return new ApprovalAnswer(id, false, ApprovalScope.ONCE, 0, reason);
    }

    static PalyraException refusal(Runnable action) {
        return assertThrows(PalyraException.class, action::run);
    }

    static ErrorCode codeOf(Runnable action) {
        return refusal(action).code();
    }

    static List<String> idsOf(List<ApprovalView> views) {
        return views.stream().map(ApprovalView::approvalId).toList();
    }
}

package palyra.front.internal.approval;

import java.util.List;
import java.util.Locale;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.shared.approval.Vote;

/**
 * The combined scope of the answers of several people: the narrowest of all. Pure.
 *
 * @param shape EXACT unless all said PATTERN
 * @param ttlMillis the shortest time of all answers; 0 unless {@code scope} is TIMEBOXED
 * @param maxUses the smallest number of calls of all answers; 0 means any number
 * @param withinSession whether it ends with the session of the call
 */
record CombinedScope(
        ApprovalScope scope, GrantShape shape, long ttlMillis, int maxUses, boolean withinSession) {
    private static final CombinedScope ONCE =
            new CombinedScope(ApprovalScope.ONCE, GrantShape.EXACT, 0, 1, true);

    /**
     * Returns what all of the votes allow. Between a session and a time neither is the narrower:
     * then both limits hold.
     */
    static CombinedScope common(List<Vote> votes) {
        if (votes.stream().anyMatch(vote -> scope(vote) == ApprovalScope.ONCE)) {
            return ONCE;
        }
        boolean timed = votes.stream().anyMatch(vote -> scope(vote) == ApprovalScope.TIMEBOXED);
        boolean session = votes.stream().anyMatch(vote -> scope(vote) == ApprovalScope.SESSION);
        boolean pattern =
                votes.stream().allMatch(vote -> vote.shape().equals(GrantShape.PATTERN.name()));
        return new CombinedScope(
                timed ? ApprovalScope.TIMEBOXED : ApprovalScope.SESSION,
                pattern ? GrantShape.PATTERN : GrantShape.EXACT,
                smallest(votes.stream().mapToLong(Vote::ttlMillis).toArray()),
                (int) smallest(votes.stream().mapToLong(Vote::maxUses).toArray()),
                session);
    }

    /** What this version does not know is taken for the least. */
    private static ApprovalScope scope(Vote vote) {
        return StoredValues.scope(vote.scope());
    }

    private static long smallest(long[] limits) {
        long least = 0;
        for (long limit : limits) {
            if (limit > 0 && (least == 0 || limit < least)) {
                least = limit;
            }
        }
        return least;
    }

    /** Returns it as on the tape: {@code once}, {@code session}, {@code timeboxed:ms}. */
    String text() {
        return text(scope, ttlMillis);
    }

    /** Returns a scope as on the tape. */
    static String text(ApprovalScope scope, long ttlMillis) {
        String word = scope.name().toLowerCase(Locale.ROOT);
        return scope == ApprovalScope.TIMEBOXED ? word + ":" + ttlMillis : word;
    }
}

package palyra.front.internal.approval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.GrantShape;
import palyra.shared.approval.Vote;

class CombinedScopeTest {
    private static Vote vote(String scope, String shape, long ttl, int uses) {
        return new Vote("user:a", List.of(), true, scope, shape, ttl, uses, "", "");
    }

    private static final List<Vote> ALL =
            List.of(
                    vote("ONCE", "EXACT", 0, 0),
                    vote("SESSION", "EXACT", 0, 0),
                    vote("SESSION", "PATTERN", 0, 5),
                    vote("TIMEBOXED", "EXACT", 1_000, 3),
                    vote("TIMEBOXED", "PATTERN", 2_000, 0));

    @Test
    void oneVoteReachesAsFarAsItSays() {
        assertEquals(
                new CombinedScope(ApprovalScope.SESSION, GrantShape.PATTERN, 0, 5, true),
                CombinedScope.common(List.of(ALL.get(2))));
        assertEquals(
                new CombinedScope(ApprovalScope.TIMEBOXED, GrantShape.PATTERN, 2_000, 0, false),
                CombinedScope.common(List.of(ALL.get(4))));
        assertEquals(
                new CombinedScope(ApprovalScope.ONCE, GrantShape.EXACT, 0, 1, true),
                CombinedScope.common(List.of(vote("ONCE", "PATTERN", 0, 9))));
    }

    @Test
    void anUnknownWordIsTakenForOnce() {
        assertEquals(
                ApprovalScope.ONCE,
                CombinedScope.common(List.of(vote("FOREVER", "PATTERN", 0, 0))).scope());
    }

    /** Every triple of votes, in every order. */
    @Test
    void nobodyIsOutvoted() {
        for (Vote a : ALL) {
            for (Vote b : ALL) {
                for (Vote c : ALL) {
                    CombinedScope reach = CombinedScope.common(List.of(a, b, c));
                    assertEquals(reach, CombinedScope.common(List.of(c, a, b)));
                    for (Vote vote : List.of(a, b, c)) {
                        assertTrue(
                                within(reach, CombinedScope.common(List.of(vote))),
                                reach + " " + vote);
                    }
                }
            }
        }
    }

    private static boolean within(CombinedScope narrow, CombinedScope wide) {
        List<Boolean> held = new ArrayList<>();
        held.add(wide.scope() != ApprovalScope.ONCE || narrow.scope() == ApprovalScope.ONCE);
        held.add(wide.shape() == GrantShape.PATTERN || narrow.shape() == GrantShape.EXACT);
        held.add(!wide.withinSession() || narrow.withinSession());
        boolean once = narrow.scope() == ApprovalScope.ONCE;
        held.add(wide.ttlMillis() == 0 || once || within(narrow.ttlMillis(), wide.ttlMillis()));
        held.add(wide.maxUses() == 0 || within(narrow.maxUses(), wide.maxUses()));
        return !held.contains(false);
    }

    private static boolean within(long narrow, long wide) {
        return narrow > 0 && narrow <= wide;
    }
}

package palyra.gateway.internal.approval;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.ApprovalTerms;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.Coverage;

class ApproverCheckTest {
    private static final Coverage.Voter BOSS = new Coverage.Voter("user:boss", List.of("approver"));
    private static final Coverage.Voter ALICE =
            new Coverage.Voter("user:alice", List.of("approver"));
    private static final Coverage.Voter CHIEF = new Coverage.Voter("user:chief", List.of("chiefs"));

    private static ApprovalTerms terms(boolean others, int quorum, ApprovalScope... scopes) {
        return new ApprovalTerms(
                Set.of("group:approver"),
                others,
                86_400_000,
                Set.of(scopes),
                quorum,
                3_600_000,
                Set.of("group:chiefs"));
    }

    private static boolean satisfy(
            ApprovalTerms now, long votedAtMillis, Coverage.Voter... voters) {
        ApprovalTerms then = terms(true, 1, ApprovalScope.values());
        ApprovalRequestBody asked = Samples.question(then, Samples.ls());
        Map<String, Long> votedAt = new HashMap<>();
        List.of(voters).forEach(voter -> votedAt.put(voter.principal(), votedAtMillis));
        return ApproverCheck.satisfy(
                Samples.coverage(Samples.ls(), "EXACT", null, List.of(voters)),
                asked,
                votedAt,
                now,
                asker("user:alice"));
    }

    private static CallOrigin asker(String person) {
        return new CallOrigin("run", "call", "session", "user:alice", "default", "", "", person);
    }

    @Test
    void somebodyOfAGroupThatMayIsEnough() {
        assertTrue(satisfy(terms(true, 1, ApprovalScope.SESSION), 1, BOSS));
    }

    @Test
    void whoeverTheCallIsForDoesNotCountWhereOthersMust() {
        assertFalse(satisfy(terms(true, 1, ApprovalScope.SESSION), 1, ALICE));
        assertTrue(satisfy(terms(false, 1, ApprovalScope.SESSION), 1, ALICE));
    }

    @Test
    void doesNotCountThePersonWhoseCredentialStartedTheRun() {
        ApprovalTerms others = terms(true, 1, ApprovalScope.SESSION);
        ApprovalRequestBody asked =
                Samples.question(terms(true, 1, ApprovalScope.values()), Samples.ls());
        Coverage given = Samples.coverage(Samples.ls(), "EXACT", null, List.of(BOSS));
        Map<String, Long> votes = Map.of("user:boss", 1L);
        assertTrue(ApproverCheck.satisfy(given, asked, votes, others, asker("user:alice")));
        assertFalse(ApproverCheck.satisfy(given, asked, votes, others, asker("user:boss")));
        assertTrue(
                ApproverCheck.satisfy(
                        given,
                        asked,
                        votes,
                        terms(false, 1, ApprovalScope.SESSION),
                        asker("user:boss")));
        assertFalse(
                satisfy(
                        others,
                        1,
                        new Coverage.Voter("user:boss", List.of("approver"), "user:alice")));
    }

    @Test
    void countsAPersonUnderTwoNamesOnce() {
        assertFalse(
                satisfy(
                        terms(true, 2, ApprovalScope.SESSION),
                        1,
                        BOSS,
                        new Coverage.Voter("user:carol", List.of("approver"), "user:boss")));
    }

    @Test
    void aHigherQuorumOfTodayTakesYesterdaysYesBack() {
        assertFalse(satisfy(terms(true, 2, ApprovalScope.SESSION), 1, BOSS));
        assertTrue(
                satisfy(
                        terms(true, 2, ApprovalScope.SESSION),
                        1,
                        BOSS,
                        new Coverage.Voter("user:carol", List.of("approver"))));
        assertFalse(
                satisfy(terms(true, 2, ApprovalScope.SESSION), 1, BOSS, BOSS),
                "one person counts once");
    }

    @Test
    void aScopeThatPolicyDoesNotAllowAnyMoreCoversNothing() {
        assertFalse(satisfy(terms(true, 1, ApprovalScope.TIMEBOXED), 1, BOSS));
    }

    @Test
    void whoeverIsAskedLastCountsFromThenOn() {
        long escalates =
                Samples.question(terms(true, 1, ApprovalScope.values()), Samples.ls())
                        .terms()
                        .escalateAtMillis();
        assertFalse(satisfy(terms(true, 1, ApprovalScope.SESSION), escalates - 1, CHIEF));
        assertTrue(satisfy(terms(true, 1, ApprovalScope.SESSION), escalates, CHIEF));
    }

    @Test
    void aVoterWithoutAVoteOrOutsideOfEveryListCountsForNothing() {
        assertFalse(
                ApproverCheck.satisfy(
                        Samples.coverage(Samples.ls(), "EXACT", null, List.of(BOSS)),
                        Samples.question(Samples.TERMS, Samples.ls()),
                        Map.of(),
                        Samples.TERMS,
                        asker("user:alice")));
        assertFalse(
                satisfy(
                        terms(true, 1, ApprovalScope.SESSION),
                        1,
                        new Coverage.Voter("user:eve", List.of("group:approver", "viewer"))));
    }
}

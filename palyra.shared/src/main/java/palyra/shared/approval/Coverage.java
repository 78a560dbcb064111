package palyra.shared.approval;

import java.util.List;
import palyra.api.Require;

/**
 * The calls that a grant covers, as the journal stores it. Everything is copied from the request
 * that a person saw, so that nothing is covered that was not shown.
 *
 * @param scope word of {@code palyra.api.approval.ApprovalScope}
 * @param shape word of {@code palyra.api.approval.GrantShape}: EXACT covers calls of the same
 *     binding, PATTERN those that the pattern covers
 * @param covers the covered calls, in a sentence for a person
 * @param tier kind of sandbox that was asked for: a call that may run in a weaker one is not
 *     covered
 * @param egress likewise
 * @param pattern null unless the shape is PATTERN
 * @param voters who said yes, with the groups they were in
 * @param workspaceSha256 what the workspace held when the question was asked; a yes for one call
 *     covers no other state. Empty when the call depends on none
 * @param running ids of what ran in the workspace then
 */
public record Coverage(
        String scope,
        String shape,
        String covers,
        String bindingSha256,
        String tier,
        String egress,
        ApprovalRequestBody.Pattern pattern,
        List<Voter> voters,
        String workspaceSha256,
        List<String> running) {
    /** Checks and copies. */
    public Coverage {
        Require.text(scope, "scope");
        Require.text(shape, "shape");
        covers = Require.orEmpty(covers);
        Require.text(bindingSha256, "binding");
        Require.text(tier, "tier");
        Require.text(egress, "egress mode");
        voters = List.copyOf(voters);
        workspaceSha256 = Require.orEmpty(workspaceSha256);
        running = running == null ? List.of() : List.copyOf(running); // not in older grants
        Require.that(!voters.isEmpty(), "a grant needs at least one voter");
        Require.that(
                (pattern != null) == shape.equals("PATTERN"),
                "a pattern goes with shape PATTERN and with no other");
    }

    /**
     * A principal that said yes.
     *
     * @param person principal whose credential answered; a form without it means the principal
     */
    public record Voter(String principal, List<String> groups, String person) {
        /** Checks and copies. */
        public Voter {
            Require.text(principal, "principal");
            groups = List.copyOf(groups);
            person = Require.orEmpty(person).isEmpty() ? principal : person;
        }

        /** Creates a voter that answered with its own credential. */
        public Voter(String principal, List<String> groups) {
            this(principal, groups, principal);
        }
    }
}

package palyra.api.core.access;

import java.util.Set;
import palyra.api.Require;

/**
 * Under which circumstances a call is asked about.
 *
 * @param channel channel that the run's message came by, such as {@code discord:42}; empty for none
 * @param device device that it came from; empty when not known
 * @param groups groups of the run's principal when the run was started
 * @param allowSensitive whether an entitled credential asked for sensitive tools at the start
 * @param approved whether an approval that fits this very call is there
 * @param approvedBy principals that gave it
 * @param facts what the call would do
 * @param spend what was spent of the tightest budget that applies
 */
public record CallContext(
        String channel,
        String device,
        Set<String> groups,
        boolean allowSensitive,
        boolean approved,
        Set<String> approvedBy,
        CallFacts facts,
        Spend spend) {
    /** Returns these circumstances with a call that would do something. */
    public CallContext about(CallFacts found) {
        return new CallContext(
                channel, device, groups, allowSensitive, approved, approvedBy, found, spend);
    }

    /** Returns these circumstances after so much was spent. */
    public CallContext after(Spend spent) {
        return new CallContext(
                channel, device, groups, allowSensitive, approved, approvedBy, facts, spent);
    }

    /**
     * Returns these circumstances with or without an approval.
     *
     * @param by principals that gave it; empty without one
     */
    public CallContext withApproval(boolean granted, Set<String> by) {
        return new CallContext(channel, device, groups, allowSensitive, granted, by, facts, spend);
    }

    /** Creates circumstances to which no budget applies. */
    public CallContext(
            String channel,
            String device,
            Set<String> groups,
            boolean allowSensitive,
            boolean approved,
            Set<String> approvedBy,
            CallFacts facts) {
        this(channel, device, groups, allowSensitive, approved, approvedBy, facts, Spend.NONE);
    }

    private static final CallContext NONE =
            new CallContext("", "", Set.of(), false, false, Set.of(), CallFacts.none());

    /** Checks and copies. */
    public CallContext {
        channel = Require.orEmpty(channel);
        device = Require.orEmpty(device);
        groups = Set.copyOf(groups);
        approvedBy = Set.copyOf(approvedBy);
        Require.present(facts, "call facts");
        Require.present(spend, "what was spent");
    }

    /** Returns a situation of which nothing is known and nothing is granted. */
    public static CallContext unknown() {
        return NONE;
    }
}

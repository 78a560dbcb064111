package palyra.policy.internal.decide;

import java.util.List;
import java.util.Map;
import palyra.api.core.ops.Metric;

/**
 * What an engine did since it was made.
 *
 * @param decisions answers given
 * @param denied of them denials
 * @param approvals of them asking for an approval
 * @param confirmed sensitive allows that the native engine confirmed
 * @param refused sensitive allows that it did not confirm, or failed on
 * @param unconfirmed sensitive allows given without it
 * @param shadowed decisions compared with the native engine afterwards
 * @param shadowSkipped decisions that should have been compared but were not
 * @param differences decisions on which the engines differed
 */
public record EngineCounts(
        long decisions,
        long denied,
        long approvals,
        long confirmed,
        long refused,
        long unconfirmed,
        long shadowed,
        long shadowSkipped,
        long differences) {
    /** Returns these counts as metrics. */
    public List<Metric> metrics() {
        long allowed = decisions() - denied() - approvals();
        return List.of(
                decisions("allow", allowed),
                decisions("deny", denied()),
                decisions("approval", approvals()),
                confirmations("confirmed", confirmed()),
                confirmations("refused", refused()),
                confirmations("absent", unconfirmed()),
                Metric.counter(
                        "palyra_policy_shadowed_total",
                        "Decisions compared with the native engine afterwards.",
                        shadowed()),
                Metric.counter(
                        "palyra_policy_shadow_skipped_total",
                        "Decisions that were to be compared and were left out.",
                        shadowSkipped()),
                Metric.counter(
                        "palyra_policy_differences_total",
                        "Decisions on which the engines differed.",
                        differences()));
    }

    private static Metric decisions(String outcome, long count) {
        return new Metric(
                "palyra_policy_decisions_total",
                "Decisions by the policies.",
                Metric.Type.COUNTER,
                Map.of("outcome", outcome),
                count);
    }

    private static Metric confirmations(String said, long count) {
        return new Metric(
                "palyra_policy_confirmations_total",
                "Sensitive permissions shown to the native engine.",
                Metric.Type.COUNTER,
                Map.of("said", said),
                count);
    }
}

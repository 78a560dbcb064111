package palyra.policy.internal;

import java.util.List;
import java.util.Map;
import palyra.api.core.ops.Metric;
import palyra.policy.internal.decide.EngineCounts;

/** What the engine counted, as metrics. */
final class EngineMetrics {
    private EngineMetrics() {}

    static List<Metric> of(EngineCounts counts) {
        long allowed = counts.decisions() - counts.denied() - counts.approvals();
        return List.of(
                decisions("allow", allowed),
                decisions("deny", counts.denied()),
                decisions("approval", counts.approvals()),
                confirmations("confirmed", counts.confirmed()),
                confirmations("refused", counts.refused()),
                confirmations("absent", counts.unconfirmed()),
                Metric.counter(
                        "palyra_policy_shadowed_total",
                        "Decisions compared with the native engine afterwards.",
                        counts.shadowed()),
                Metric.counter(
                        "palyra_policy_shadow_skipped_total",
                        "Decisions that were to be compared and were left out.",
                        counts.shadowSkipped()),
                Metric.counter(
                        "palyra_policy_differences_total",
                        "Decisions on which the engines differed.",
                        counts.differences()));
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

package palyra.policy.internal.set;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.ops.Metric;
import palyra.api.core.policy.PolicyReport;

/** Counts what operators asked for, and tells figures. Thread-safe. */
final class OperationCounters {
    private final Map<PolicyReport.Outcome, LongAdder> asked =
            new EnumMap<>(PolicyReport.Outcome.class);

    OperationCounters() {
        for (PolicyReport.Outcome outcome : PolicyReport.Outcome.values()) {
            asked.put(outcome, new LongAdder());
        }
    }

    PolicyReport count(PolicyReport report) {
        asked.get(report.outcome()).increment();
        return report;
    }

    List<Metric> metrics(SetStatus status, int eventsWaiting) {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(
                Metric.gauge(
                        "palyra_policy_in_force",
                        "Whether a policy set is in force.",
                        status.current().isPresent() ? 1 : 0));
        metrics.add(
                Metric.gauge(
                        "palyra_policy_epoch",
                        "Policy sets that were in force in this process.",
                        status.current().map(s -> s.view().epoch()).orElse(0L)));
        metrics.add(
                Metric.gauge(
                        "palyra_policy_policies",
                        "Policies of the set in force.",
                        status.current().map(s -> s.view().policies()).orElse(0)));
        metrics.add(
                Metric.gauge(
                        "palyra_policy_change_refused",
                        "Whether the last change of the policies was refused.",
                        status.refused().isPresent() ? 1 : 0));
        metrics.add(
                Metric.gauge(
                        "palyra_policy_events_waiting",
                        "Events about policies that are not in the journal yet.",
                        eventsWaiting));
        asked.forEach(
                (outcome, count) ->
                        metrics.add(
                                new Metric(
                                        "palyra_policy_changes_asked_total",
                                        "Changes of the policies that callers requested.",
                                        Metric.Type.COUNTER,
                                        Map.of("outcome", outcome.name().toLowerCase(Locale.ROOT)),
                                        count.sum())));
        return metrics;
    }
}

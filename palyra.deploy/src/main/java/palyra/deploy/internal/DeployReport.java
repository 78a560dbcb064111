package palyra.deploy.internal;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;

/** Reports the state of the drop-in folder as findings and metrics. Thread-safe. */
final class DeployReport implements FindingSource, MetricSource {
    private final Reporter reporter;

    DeployReport(Reporter reporter) {
        this.reporter = reporter;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        reporter.slow().ifPresent(findings::add);
        findings.addAll(reporter.view().findings());
        return List.copyOf(findings);
    }

    @Override
    public List<Metric> metrics() {
        DeployView view = reporter.view();
        return List.of(
                Metric.gauge(
                        "palyra_deploy_enabled",
                        "Whether the drop-in folder is watched.",
                        view.active() ? 1 : 0),
                Metric.gauge(
                        "palyra_deploy_active",
                        "Jars of the drop-in folder whose bundle is active.",
                        (double) view.count(Row.State.ACTIVE)),
                Metric.gauge(
                        "palyra_deploy_refused",
                        "Jars of the drop-in folder that were refused or did not start.",
                        (double)
                                view.count(
                                        Row.State.REFUSED, Row.State.FAILED, Row.State.INACTIVE)),
                Metric.counter(
                        "palyra_deploy_changes_total",
                        "Bundles installed and uninstalled for the drop-in folder.",
                        (double) reporter.done()),
                Metric.counter(
                        "palyra_deploy_failures_total",
                        "Failed changes for the drop-in folder.",
                        (double) reporter.failed()),
                Metric.counter(
                        "palyra_deploy_refusals_total",
                        "Refused files of the drop-in folder.",
                        (double) reporter.refused()));
    }
}

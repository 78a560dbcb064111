package palyra.vault.internal;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.vault.VaultStatus;

/** The vault's metrics and findings. Thread-safe. */
final class VaultReport implements FindingSource, MetricSource {
    private static final String AREA = "vault";

    private final VaultCore core;

    VaultReport(VaultCore core) {
        this.core = core;
    }

    @Override
    public List<Finding> findings() {
        VaultStatus status = core.status();
        List<Finding> findings = new ArrayList<>();
        if (!status.usable()) {
            findings.add(
                    new Finding(
                            Severity.ERROR,
                            AREA,
                            status.problem(),
                            "Until then nothing that needs a secret works; palyra vault status"
                                    + " shows when it does."));
        }
        if (status.pending() > 0) {
            findings.add(
                    new Finding(
                            Severity.INFO,
                            AREA,
                            status.pending()
                                    + " secrets are still wrapped by an older master key; the"
                                    + " rotation goes on by itself.",
                            "If the number stays, palyra logs names the damaged ones: put them"
                                    + " again."));
        }
        return findings;
    }

    @Override
    public List<Metric> metrics() {
        VaultStatus status = core.status();
        return List.of(
                Metric.gauge(
                        "palyra_vault_usable",
                        "1 while secrets can be had.",
                        status.usable() ? 1 : 0),
                Metric.gauge(
                        "palyra_vault_secrets",
                        "Secrets that are kept.",
                        (double) status.secrets()),
                Metric.gauge(
                        "palyra_vault_rewrap_pending",
                        "Secrets wrapped by an older master key.",
                        (double) status.pending()),
                Metric.counter(
                        "palyra_vault_uses_total",
                        "Secrets lent since the start.",
                        (double) core.uses()),
                Metric.counter(
                        "palyra_vault_changes_total",
                        "Secrets put or deleted since the start.",
                        (double) core.changes()));
    }
}

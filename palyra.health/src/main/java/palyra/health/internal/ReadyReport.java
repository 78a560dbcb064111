package palyra.health.internal;

import java.util.List;
import java.util.Set;
import org.apache.felix.hc.api.execution.HealthCheckExecutor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.shared.readiness.ReadinessFindings;

/**
 * Whether a message that arrives now is accepted and answered: the one answer behind {@code
 * /readyz}, {@code palyra status} and doctor. Thread-safe.
 */
@Component(
        service = {ReadyReport.class, FindingSource.class},
        property = ReadinessFindings.PROPERTY + ":Boolean=true")
public final class ReadyReport implements FindingSource {
    private final CheckRunner checks;

    /** Called by the component runtime. */
    @Activate
    public ReadyReport(@Reference HealthCheckExecutor executor) {
        checks =
                new CheckRunner(
                        executor,
                        CheckRunner.READY,
                        Set.of(
                                JournalOpenCheck.NAME,
                                KeysCheck.NAME,
                                AccessCheck.NAME,
                                GatewayCheck.NAME,
                                ModelCheck.NAME,
                                LoopsCheck.NAME));
    }

    /** Returns what the checks find now. */
    HealthReport now() {
        return checks.run();
    }

    @Override
    public List<Finding> findings() {
        return now().outcomes().stream()
                .filter(outcome -> !outcome.healthy())
                .map(ReadyReport::finding)
                .toList();
    }

    private static Finding finding(CheckOutcome outcome) {
        String message = outcome.message().isEmpty() ? outcome.status() : outcome.message();
        return new Finding(Finding.Severity.ERROR, outcome.name(), message, "");
    }
}

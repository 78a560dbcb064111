package palyra.health.internal;

import java.util.List;
import java.util.Set;
import org.apache.felix.hc.api.execution.HealthCheckExecutionOptions;
import org.apache.felix.hc.api.execution.HealthCheckExecutor;
import org.apache.felix.hc.api.execution.HealthCheckSelector;

/** Runs the health checks of one tag; concurrent requests share one run. Thread-safe. */
final class CheckRunner {
    static final String LIVE = "live";
    static final String READY = "ready";
    private static final int TIMEOUT_MILLIS = 2_000;

    private final HealthCheckExecutor executor;
    private final String tag;
    private final Set<String> expected;
    private final CoalescedRuns<HealthReport> runs =
            new CoalescedRuns<>(TIMEOUT_MILLIS, this::execute, CheckRunner::late);

    CheckRunner(HealthCheckExecutor executor, String tag, Set<String> expected) {
        this.executor = executor;
        this.tag = tag;
        this.expected = Set.copyOf(expected);
    }

    /**
     * Runs the checks and returns their outcomes. Results are not cached: an old one could report a
     * journal that has stopped since.
     */
    HealthReport run() {
        return runs.next();
    }

    private HealthReport execute() {
        HealthCheckExecutionOptions now =
                new HealthCheckExecutionOptions()
                        .setForceInstantExecution(true)
                        .setOverrideGlobalTimeout(TIMEOUT_MILLIS);
        return HealthReport.of(
                executor.execute(HealthCheckSelector.tags(tag), now).stream()
                        .map(CheckOutcome::of)
                        .toList(),
                expected);
    }

    private static HealthReport late() {
        return new HealthReport(List.of(CheckOutcome.late(TIMEOUT_MILLIS)));
    }
}

package palyra.health.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.felix.hc.api.execution.HealthCheckExecutor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.ops.ReadinessJudge;
import palyra.shared.readiness.Startup;

/**
 * Runs the readiness checks, for {@code /readyz} and for other bundles; for the launcher, which
 * shares no class with bundles, as a {@code Supplier}. Thread-safe.
 */
@Component(
        immediate = true,
        service = {ReadyReport.class, ReadinessJudge.class, Supplier.class},
        property = "palyra.readiness=judge")
public final class ReadyReport implements ReadinessJudge, Supplier<Map<String, String>> {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyReport.class);

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

    /** Runs the checks and returns their outcomes. */
    HealthReport now() {
        return checks.run();
    }

    @Override
    public Map<String, String> notReady() {
        Map<String, String> failing = new LinkedHashMap<>();
        try {
            for (CheckOutcome outcome : now().outcomes()) {
                if (!outcome.healthy()) {
                    failing.put(outcome.name(), sentence(outcome));
                }
            }
        } catch (RuntimeException | LinkageError e) {
            LOG.error("The readiness checks could not be run.", e);
            failing.put("checks", "The readiness checks could not be run; see palyra logs.");
        }
        return failing;
    }

    @Override
    public Map<String, String> get() {
        return notReady();
    }

    private static String sentence(CheckOutcome outcome) {
        if (Startup.goesOn()) {
            return Startup.SENTENCE;
        }
        return outcome.message().isEmpty()
                ? "This check says " + outcome.status() + "."
                : outcome.message();
    }
}

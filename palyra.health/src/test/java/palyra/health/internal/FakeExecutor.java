package palyra.health.internal;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.apache.felix.hc.api.HealthCheck;
import org.apache.felix.hc.api.Result;
import org.apache.felix.hc.api.execution.HealthCheckExecutionOptions;
import org.apache.felix.hc.api.execution.HealthCheckExecutionResult;
import org.apache.felix.hc.api.execution.HealthCheckExecutor;
import org.apache.felix.hc.api.execution.HealthCheckMetadata;
import org.apache.felix.hc.api.execution.HealthCheckSelector;
import org.osgi.framework.ServiceReference;

/** Runs the checks that it was given, regardless of the selector. */
final class FakeExecutor implements HealthCheckExecutor {
    final List<String> askedFor = new ArrayList<>();
    private final List<HealthCheckExecutionResult> results = new ArrayList<>();

    FakeExecutor with(String name, Result result) {
        return with(name, result, false);
    }

    /** Adds a check that does not answer, as the executor reports it. */
    FakeExecutor hanging(String name, Result result) {
        return with(name, result, true);
    }

    private FakeExecutor with(String name, Result result, boolean hasTimedOut) {
        ServiceReference<?> reference =
                Fakes.of(
                        ServiceReference.class,
                        Map.of(
                                "getProperty",
                                arguments ->
                                        switch ((String) arguments[0]) {
                                            case HealthCheck.NAME -> name;
                                            case "service.id" -> 1L;
                                            default -> null;
                                        }));
        HealthCheckMetadata metadata = new HealthCheckMetadata(reference);
        results.add(new Outcome(metadata, result, hasTimedOut));
        return this;
    }

    private record Outcome(HealthCheckMetadata metadata, Result result, boolean hasTimedOut)
            implements HealthCheckExecutionResult {
        @Override
        public Result getHealthCheckResult() {
            return result;
        }

        @Override
        public long getElapsedTimeInMs() {
            return 0;
        }

        @Override
        @SuppressWarnings("JavaUtilDate") // the interface's type
        public Date getFinishedAt() {
            return new Date();
        }

        @Override
        public HealthCheckMetadata getHealthCheckMetadata() {
            return metadata;
        }
    }

    @Override
    public List<HealthCheckExecutionResult> execute(HealthCheckSelector selector) {
        return execute(selector, new HealthCheckExecutionOptions());
    }

    @Override
    public List<HealthCheckExecutionResult> execute(
            HealthCheckSelector selector, HealthCheckExecutionOptions options) {
        askedFor.addAll(List.of(selector.tags()));
        return List.copyOf(results);
    }
}

package palyra.tools.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Metric;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.testing.tool.RecordingOutcomes;

/** An executor with tools for tests. */
final class ExecutorFixture implements AutoCloseable {
    final BuiltinExecutor executor;
    private final AtomicLong serviceId = new AtomicLong();

    ExecutorFixture(ToolsSettings settings, Tool... tools) {
        executor = new BuiltinExecutor(settings);
        for (Tool tool : tools) {
            add(tool, 0);
        }
    }

    /** An executor that is quick to give up. */
    static ExecutorFixture with(Tool... tools) {
        return new ExecutorFixture(new ToolsSettings(8, 50, 300, 1_048_576), tools);
    }

    void add(Tool tool, int ranking) {
        executor.addTool(
                tool,
                Map.of("service.id", serviceId.incrementAndGet(), "service.ranking", ranking));
    }

    RecordingOutcomes start(String tool, String callId) {
        return start(tool, callId, 1);
    }

    RecordingOutcomes start(String tool, String callId, int attempt) {
        RecordingOutcomes sink = new RecordingOutcomes();
        executor.start(order(tool, callId, attempt), sink);
        return sink;
    }

    static ToolOrder order(String tool, String callId, int attempt) {
        return ToolOrder.of(tool, invocation(callId, attempt));
    }

    static ToolInvocation invocation(String callId, int attempt) {
        return new ToolInvocation(
                callId,
                attempt,
                "run-1",
                "session-1",
                "user:test",
                "{}",
                System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(2));
    }

    ToolLookup lookup(String callId) {
        return executor.attach(callId, 1, new RecordingOutcomes());
    }

    double metric(String name) {
        return executor.metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .mapToDouble(Metric::value)
                .sum();
    }

    @Override
    public void close() {
        executor.close();
    }

    /** Returns why a call is refused; it must be. */
    ErrorCode refusal(String tool, String callId, int attempt) {
        return assertThrows(
                        PalyraException.class,
                        () -> executor.start(order(tool, callId, attempt), outcome -> {}))
                .code();
    }

    /** Returns what the executor finds; it must be one thing. */
    Finding finding() {
        List<Finding> findings = executor.findings();
        assertEquals(1, findings.size(), findings.toString());
        return findings.get(0);
    }
}

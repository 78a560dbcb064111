package palyra.tracing.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.LoopView;
import palyra.api.core.vault.SecretRef;
import palyra.api.run.RunState;
import palyra.testing.wait.Await;

final class SendingTest {
    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    private void runs(int count) {
        for (int i = 0; i < count; i++) {
            stage.run().begin().end(RunState.SUCCEEDED, OutboxRow.State.READABLE);
        }
    }

    @Test
    void requestSaysWhatItIs() {
        runs(1);
        stage.keys.put("vault:global/otlp", "Bearer s3cr3t\n");
        stage.start(
                new TracingSettings(
                        stage.collector.url(),
                        Map.of("X-Tenant", "home"),
                        Map.of("Authorization", SecretRef.parse("vault:global/otlp")),
                        1),
                Stage.QUICK);
        stage.awaitSpans(3);
        Map<String, String> headers = stage.collector.server.heard().getFirst().headers();
        assertEquals("POST /v1/traces HTTP/1.1", stage.collector.server.heard().getFirst().line());
        assertEquals("application/json", headers.get("content-type"));
        assertEquals("home", headers.get("x-tenant"));
        assertEquals("Bearer s3cr3t", headers.get("authorization"));
        assertEquals("system:tracing", stage.egress.sent().getFirst().who().principal());
        assertEquals("traces", stage.egress.sent().getFirst().who().purpose());
        AccessRequest asked = stage.keys.asked().getFirst();
        assertEquals("system:tracing", asked.principal().id());
        assertEquals("traces", asked.facts().get("purpose"));
        assertEquals(
                "palyra.tracing",
                stage.collector.resources().getFirst().getScopeSpans(0).getScope().getName());
        assertEquals(
                "java",
                stage.collector.resources().getFirst().getResource().getAttributesList().stream()
                        .collect(
                                Collectors.toMap(
                                        one -> one.getKey(),
                                        one -> one.getValue().getStringValue()))
                        .get("telemetry.sdk.language"));
    }

    @Test
    void secretThatIsNotThereIsToldAndCostsSpansAlone() {
        runs(1);
        Tracing tracing =
                stage.start(
                        new TracingSettings(
                                stage.collector.url(),
                                Map.of(),
                                Map.of("Authorization", SecretRef.parse("vault:global/none")),
                                1),
                        Stage.QUICK);
        stage.awaitMetric("palyra_trace_spans_total", "given_up", 3);
        assertTrue(tracing.findings().getFirst().message().startsWith("Traces are not sent: "));
        assertEquals(List.of(), stage.collector.server.heard());
    }

    @Test
    void collectorThatIsBusyIsAskedAgainAFewTimes() {
        for (int status : List.of(429, 503, 502)) {
            stage.collector.server.next(
                    exchange -> exchange.answer(status, "text/plain", "", "Retry-After: 0"));
        }
        runs(1);
        stage.start();
        stage.awaitSpans(3);
        assertEquals(4, stage.collector.server.heard().size());
        assertEquals(0, stage.metric("palyra_trace_spans_total", "given_up"));
    }

    @Test
    void batchThatIsNeverTakenIsGivenUpAndTheNextIsSent() {
        stage.collector.server.otherwise(exchange -> exchange.answer(503, "text/plain", ""));
        runs(1);
        Tracing tracing = stage.start();
        stage.awaitMetric("palyra_trace_spans_total", "given_up", 3);
        assertEquals(4, stage.collector.server.heard().size());
        assertEquals(1, tracing.findings().size());
        stage.collector.server.otherwise(
                exchange -> exchange.answer(200, "application/json", "{}"));
        runs(1);
        stage.awaitSpans(3);
        assertEquals(5, stage.collector.server.heard().size());
        assertEquals(List.of(), tracing.findings());
    }

    @Test
    void spansThatAreRefusedAreNotSentAgain() {
        stage.collector.server.next(exchange -> exchange.answer(400, "text/plain", "no"));
        runs(1);
        stage.start();
        stage.awaitMetric("palyra_trace_spans_total", "given_up", 3);
        stage.collector.server.next(
                exchange ->
                        exchange.answer(
                                200,
                                "application/json",
                                "{\"partialSuccess\":{\"rejectedSpans\":\"2\"}}"));
        runs(1);
        stage.awaitMetric("palyra_trace_spans_total", "given_up", 5);
        assertEquals(1, stage.metric("palyra_trace_spans_total", "sent"));
        assertEquals(2, stage.collector.server.heard().size());
    }

    @Test
    void collectorThatIsAwayCostsTheSpansThatDoNotFit() {
        stage.collector.server.goDown();
        runs(40);
        Tracing tracing =
                stage.start(
                        1,
                        new Tracing.Pace(
                                Duration.ofMillis(5),
                                Duration.ofMillis(5),
                                Duration.ofMinutes(1),
                                30,
                                8L << 20));
        stage.awaitMetric("palyra_traces_total", "made", 40);
        assertEquals(120 - 30, stage.metric("palyra_trace_spans_total", "dropped"));
        assertEquals(30, stage.metric("palyra_trace_spans_waiting", ""));
        Await.until("the collector to be missed", () -> !tracing.findings().isEmpty());
        assertEquals(1, stage.egress.sent().size());
    }

    @Test
    void waitingSpansAreBoundedInBytes() {
        stage.collector.server.goDown();
        runs(40);
        stage.start(
                1,
                new Tracing.Pace(
                        Duration.ofMillis(5),
                        Duration.ofMillis(5),
                        Duration.ofMinutes(1),
                        4_096,
                        10_000));
        stage.awaitMetric("palyra_traces_total", "made", 40);
        long waiting = stage.metric("palyra_trace_spans_waiting", "");
        assertTrue(waiting > 5 && waiting < 60, "waiting " + waiting);
        assertEquals(0, waiting % 3); // whole traces
        assertEquals(120, waiting + stage.metric("palyra_trace_spans_total", "dropped"));
    }

    @Test
    void closesWhileTheCollectorSaysNothing() {
        stage.collector.server.otherwise(exchange -> exchange.stall());
        runs(1);
        Tracing tracing = stage.start();
        Await.until("a request", () -> !stage.collector.server.heard().isEmpty());
        tracing.close();
        assertTrue(
                tracing.loops().stream().allMatch(loop -> loop.state() == LoopView.State.STOPPED));
    }

    @Test
    void damagedTapeCostsItsTraceAlone() {
        RecordedRun damaged = stage.run().begin();
        stage.journal.commit(
                Unit.of(
                        new Operation.Append(
                                damaged.runId, "turn_started", 1, new byte[] {'{', '}', '}'})));
        damaged.end(RunState.SUCCEEDED, OutboxRow.State.READABLE);
        runs(1);
        stage.start();
        stage.awaitSpans(3);
        stage.awaitMetric("palyra_traces_total", "unreadable", 1);
        assertFalse(stage.collector.raw().contains(damaged.runId));
    }
}

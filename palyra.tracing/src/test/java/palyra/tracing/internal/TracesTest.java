package palyra.tracing.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.testing.wait.Await;

final class TracesTest {
    /** Everything that may leave; a further key is a decision about what collectors learn. */
    private static final Set<String> ALLOWED =
            Set.of(
                    "palyra.message.id",
                    "palyra.run.id",
                    "palyra.session.id",
                    "palyra.agent.id",
                    "palyra.surface",
                    "palyra.outcome",
                    "palyra.code",
                    "palyra.spans.left_out",
                    "palyra.sends.open",
                    "palyra.turn",
                    "palyra.attempts",
                    "palyra.send.parts",
                    "palyra.outbox.id",
                    "palyra.approval.id",
                    "palyra.approval.quorum",
                    "gen_ai.operation.name",
                    "gen_ai.provider.name",
                    "gen_ai.request.model",
                    "gen_ai.usage.input_tokens",
                    "gen_ai.usage.output_tokens",
                    "gen_ai.usage.cache_read.input_tokens",
                    "gen_ai.tool.name",
                    "gen_ai.tool.call.id");

    private final Stage stage = new Stage();

    @AfterEach
    void close() {
        stage.close();
    }

    /** Returns the spans by name. */
    private Map<String, Span> spans() {
        return stage.collector.spans().stream()
                .collect(Collectors.toMap(Span::getName, Function.identity()));
    }

    private void times(Span span, int fromStep, int toStep) {
        assertEquals(
                List.of(fromStep, toStep),
                List.of(step(span.getStartTimeUnixNano()), step(span.getEndTimeUnixNano())),
                span.getName());
    }

    private static int step(long nanos) {
        assertEquals(0, nanos % 1_000_000);
        return (int) ((nanos / 1_000_000 - Stage.BEGIN) / RecordedRun.STEP);
    }

    @Test
    void messageIsOneTraceFromInboxToOutbox() throws Exception {
        RecordedRun run = stage.run().begin().work().answer(2);
        String answer = run.end(RunState.SUCCEEDED, OutboxRow.State.PENDING);
        assertTrue(
                stage.journal.verifier().verifyStream(run.runId, () -> false).judgement().legal());
        run.moveAnswer(
                answer, OutboxRow.State.PENDING, OutboxRow.State.SENDING, OutboxProgress.NONE);
        OutboxProgress two =
                OutboxProgress.NONE.sent(RecordedRun.CANARY + "1").sent(RecordedRun.CANARY + "2");
        run.moveAnswer(
                answer,
                OutboxRow.State.SENDING,
                OutboxRow.State.SENT,
                two.retryAt(0, RecordedRun.CANARY).withAttempts(3));
        stage.start();
        stage.awaitSpans(10);
        Map<String, Span> spans = spans();
        assertEquals(
                Set.of(
                        "message",
                        "inbox",
                        "run",
                        "turn 1",
                        "turn 2",
                        "tool palyra.file.read",
                        "tool palyra.process.run",
                        "tool",
                        "approval",
                        "send"),
                spans.keySet());

        Span root = spans.get("message");
        byte[] digest =
                MessageDigest.getInstance("SHA-256")
                        .digest(
                                ("palyra.trace.v1:" + run.messageId)
                                        .getBytes(StandardCharsets.UTF_8));
        String traceId = HexFormat.of().formatHex(Arrays.copyOf(digest, 16));
        for (Span span : spans.values()) {
            assertEquals(traceId, Collector.hex(span.getTraceId()));
            String parent =
                    switch (span.getName()) {
                        case "message" -> "";
                        case "inbox", "run", "send" -> Collector.hex(root.getSpanId());
                        default -> Collector.hex(spans.get("run").getSpanId());
                    };
            assertEquals(parent, Collector.hex(span.getParentSpanId()), span.getName());
        }

        times(spans.get("inbox"), 0, 1);
        times(spans.get("turn 1"), 3, 4);
        times(spans.get("tool palyra.file.read"), 9, 10);
        times(spans.get("approval"), 12, 14);
        times(spans.get("tool palyra.process.run"), 17, 18);
        times(spans.get("tool"), 19, 20);
        times(spans.get("turn 2"), 21, 26);
        times(spans.get("run"), 1, 27);
        times(spans.get("send"), 27, 29);
        times(root, 0, 29);

        assertEquals(
                Map.of(
                        "palyra.run.id", run.runId,
                        "palyra.session.id", run.sessionId,
                        "palyra.agent.id", "main",
                        "palyra.surface", RecordedRun.SURFACE,
                        "palyra.outcome", "SUCCEEDED",
                        "palyra.message.id", run.messageId),
                Collector.attributes(root));
        assertEquals(
                Map.of(
                        "gen_ai.operation.name", "chat",
                        "gen_ai.provider.name", "openai",
                        "gen_ai.request.model", "org/model-4:8b",
                        "gen_ai.usage.input_tokens", "200",
                        "gen_ai.usage.output_tokens", "50",
                        "gen_ai.usage.cache_read.input_tokens", "80",
                        "palyra.turn", "2",
                        "palyra.attempts", "2",
                        "palyra.outcome", "SUCCEEDED"),
                Collector.attributes(spans.get("turn 2")));
        assertEquals(
                Map.of(
                        "gen_ai.operation.name", "execute_tool",
                        "gen_ai.tool.call.id", run.call(1, 2),
                        "palyra.attempts", "0",
                        "palyra.outcome", "DENIED",
                        "palyra.code", "tool.not_allowlisted"),
                Collector.attributes(spans.get("tool")));
        assertEquals(
                Map.of(
                        "palyra.outbox.id", answer,
                        "palyra.surface", RecordedRun.SURFACE,
                        "palyra.attempts", "3",
                        "palyra.send.parts", "2",
                        "palyra.outcome", "SENT"),
                Collector.attributes(spans.get("send")));
        assertEquals("GRANTED", Collector.attributes(spans.get("approval")).get("palyra.outcome"));
        assertEquals(
                Set.of("tool palyra.process.run", "tool"),
                spans.values().stream()
                        .filter(span -> span.getStatus().getCode() == StatusCode.STATUS_CODE_ERROR)
                        .map(Span::getName)
                        .collect(Collectors.toSet()));
        assertEquals(Span.SpanKind.SPAN_KIND_CONSUMER, root.getKind());
        assertEquals(Span.SpanKind.SPAN_KIND_CLIENT, spans.get("turn 1").getKind());
        assertEquals(Span.SpanKind.SPAN_KIND_PRODUCER, spans.get("send").getKind());
    }

    @Test
    void nothingThatAnyoneWroteLeaves() {
        RecordedRun first = stage.run().begin().work().answer(2);
        first.end(RunState.SUCCEEDED, OutboxRow.State.FAILED);
        RecordedRun second = stage.run().begin();
        second.end(RunState.FAILED, OutboxRow.State.UNKNOWN);
        stage.start();
        stage.awaitSpans(10 + 4);
        assertFalse(
                stage.collector.raw().contains(RecordedRun.CANARY), () -> stage.collector.raw());
        Set<String> keys = new TreeSet<>();
        stage.collector.spans().forEach(span -> keys.addAll(Collector.attributes(span).keySet()));
        keys.removeAll(ALLOWED);
        assertEquals(Set.of(), keys);
        assertEquals(ALLOWED, Keys.ALL.stream().map(Object::toString).collect(Collectors.toSet()));
        List<String> codes =
                stage.collector.spans().stream()
                        .map(span -> Collector.attributes(span).getOrDefault("palyra.code", ""))
                        .filter(code -> !code.isEmpty())
                        .toList();
        assertEquals(
                List.of("MODEL_UNAVAILABLE", "tool.not_allowlisted"),
                codes.stream().sorted().toList());
    }

    @Test
    void valuesThatAreNoIdOrNameAreNotWritten() {
        assertEquals("palyra.file.read", Keys.word("palyra.file.read"));
        for (String text : List.of("two words", "a\nb", "anna@example.org", "ü", "x".repeat(129))) {
            assertEquals("other", Keys.word(text));
        }
    }

    @Test
    void traceThatIsMadeAgainIsTheSame() {
        stage.run().begin().work().answer(2).end(RunState.SUCCEEDED, OutboxRow.State.SENT);
        stage.start().close();
        stage.start();
        stage.awaitSpans(10);
        List<Span> once = stage.collector.spans();
        List<Span> last = once.subList(once.size() - 10, once.size());
        stage.start();
        stage.awaitSpans(10);
        List<Span> twice = stage.collector.spans();
        assertEquals(last, twice.subList(twice.size() - 10, twice.size()));
        assertEquals(10, Set.copyOf(last).size());
    }

    @Test
    void runIsTracedOnceItsAnswerHasArrived() {
        stage.start();
        RecordedRun run = stage.run().begin();
        String answer = run.end(RunState.SUCCEEDED, OutboxRow.State.PENDING);
        RecordedRun other = stage.run().begin();
        other.end(RunState.SUCCEEDED, OutboxRow.State.READABLE);
        stage.awaitSpans(3);
        assertFalse(stage.collector.raw().contains(run.runId));
        run.moveAnswer(
                answer, OutboxRow.State.PENDING, OutboxRow.State.WITHDRAWN, OutboxProgress.NONE);
        stage.clock.advance(1_000);
        stage.awaitSpans(3 + 4);
    }

    @Test
    void answerThatNeverArrivesHoldsItsTraceForTenMinutes() {
        stage.start();
        RecordedRun run = stage.run().begin();
        run.end(RunState.SUCCEEDED, OutboxRow.State.PENDING);
        stage.clock.advance(600_000);
        stage.awaitSpans(3);
        assertEquals("1", Collector.attributes(spans().get("message")).get("palyra.sends.open"));
    }

    @Test
    void longRunIsCutAndCounted() {
        RecordedRun run = stage.run().begin();
        for (int i = 1; i <= 600; i++) {
            run.answer(i);
        }
        run.end(RunState.SUCCEEDED, OutboxRow.State.READABLE);
        stage.start();
        stage.awaitSpans(RunSpans.MOST);
        Span root =
                stage.collector.spans().stream()
                        .filter(span -> span.getName().equals("message"))
                        .findFirst()
                        .orElseThrow();
        assertEquals("103", Collector.attributes(root).get("palyra.spans.left_out"));
    }

    @Test
    void runThatWasCancelledAtWorkEndsItsSpans() {
        RecordedRun run = stage.run().begin();
        run.tape(new TapeEvent.TurnStarted(1, 1, "main", "openai", "", "", "", "", 8, 2));
        run.end(RunState.CANCELLED, OutboxRow.State.READABLE);
        stage.start();
        stage.awaitSpans(4);
        assertEquals(
                "INTERRUPTED", Collector.attributes(spans().get("turn 1")).get("palyra.outcome"));
        times(spans().get("turn 1"), 3, 4);
    }

    @Test
    void shareOfTheMessagesIsTheSameEachTime() {
        for (int i = 0; i < 40; i++) {
            stage.run().begin().end(RunState.SUCCEEDED, OutboxRow.State.READABLE);
        }
        stage.start(0.5, Stage.QUICK);
        Await.until(
                "all runs to be looked at",
                () ->
                        stage.metric("palyra_traces_total", "made")
                                        + stage.metric("palyra_traces_total", "not_sampled")
                                == 40);
        long made = stage.metric("palyra_traces_total", "made");
        assertTrue(made > 0 && made < 40, "made " + made);
        stage.awaitSpans((int) made * 3);
        stage.start(0, Stage.QUICK);
        stage.awaitMetric("palyra_traces_total", "not_sampled", 40);
    }

    @Test
    void journalThatIsAwayIsReadLater() {
        stage.run().begin().end(RunState.SUCCEEDED, OutboxRow.State.READABLE);
        AtomicInteger reads = new AtomicInteger();
        stage.journal.beforeRead(
                () -> {
                    if (reads.incrementAndGet() <= 5) {
                        throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "away");
                    }
                });
        stage.start();
        stage.awaitSpans(3);
        assertTrue(reads.get() > 5);
    }
}

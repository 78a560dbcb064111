package palyra.models.internal.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelRequest;
import palyra.models.internal.Conversations;
import palyra.models.internal.http.Endpoint;
import palyra.models.internal.http.HttpModel;
import palyra.testing.http.FaultServer;
import palyra.testing.http.LoopbackEgress;
import palyra.testing.model.RecordingSink;
import palyra.testing.model.RemoteDialect;
import palyra.testing.wait.Await;

/** What a running provider does when its configuration changes, and at its bounds. */
class OpenAiChangesTest {
    private final OpenAiStage stage = new OpenAiStage();
    private final LoopbackEgress egress = new LoopbackEgress();
    private final FaultServer first = FaultServer.open();
    private final FaultServer second = FaultServer.open();
    private final HttpModel model = (HttpModel) stage.open(setup(first));

    private RemoteDialect.Setup setup(FaultServer server) {
        return new RemoteDialect.Setup(
                server.url(), "", 60_000, 60_000, 1, 60_000, egress, null, null);
    }

    @AfterEach
    void close() {
        model.close();
        first.close();
        second.close();
        egress.close();
    }

    private RecordingSink ask(String id) {
        RecordingSink sink = new RecordingSink();
        model.start(Conversations.saying(id, "hello"), sink);
        return sink;
    }

    private void use(OpenAiSettings changed) {
        model.use(changed.endpoint(), new OpenAiDialect(changed));
    }

    @Test
    void aChangeCountsForTheNextTurnAndLeavesTheRunningOneAlone() {
        CountDownLatch changed = new CountDownLatch(1);
        first.next(
                exchange -> {
                    exchange.stream().send(stage.text("from "));
                    changed.await();
                    exchange.send(stage.text("the first"), stage.ending(false), stage.closing());
                });
        second.next(
                exchange ->
                        exchange.stream()
                                .send(stage.text("second"), stage.ending(false), stage.closing()));
        RecordingSink running = ask("a/1/1");
        running.awaitAnything();
        use(OpenAiStage.settings(setup(second)));
        RecordingSink next = ask("b/1/1");
        next.awaitFinished();
        changed.countDown();
        running.awaitFinished();
        assertEquals("from the first", running.text());
        assertEquals("second", next.text());
    }

    @Test
    void aChangeForgetsWhatFailedBefore() {
        first.next(exchange -> exchange.answer(500, "text/plain", "no"));
        ask("a/1/1").awaitFailed();
        assertTrue(model.report().findings().toString().contains("'test'"));
        use(OpenAiStage.settings(setup(second)));
        assertEquals(List.of(), model.report().findings());
        second.next(
                exchange ->
                        exchange.stream()
                                .send(stage.text("ok"), stage.ending(false), stage.closing()));
        ask("b/1/1").awaitFinished();
    }

    @Test
    void refusesMoreTurnsThanItMayWorkOn() {
        OpenAiSettings all = OpenAiStage.settings(setup(first));
        Endpoint many = all.endpoint();
        Endpoint one =
                new Endpoint(
                        many.id(),
                        many.baseUrl(),
                        many.key(),
                        many.defaultModel(),
                        Map.of(),
                        many.times(),
                        1,
                        many.breakerFailures(),
                        many.breakerOpenMillis(),
                        List.of());
        use(new OpenAiSettings(one, true, "max_tokens", "default"));
        first.next(exchange -> exchange.stall());
        RecordingSink running = ask("a/1/1");
        assertEquals(
                ErrorCode.RESOURCE_EXHAUSTED,
                assertThrows(PalyraException.class, () -> ask("b/1/1")).code());
        ModelRequest same = Conversations.saying("a/1/1", "again");
        assertEquals(
                ErrorCode.ALREADY_EXISTS,
                assertThrows(PalyraException.class, () -> model.start(same, new RecordingSink()))
                        .code());
        model.cancel("a/1/1");
        running.awaitFailed();
        Await.until("the turn to be gone", () -> gauge("palyra_model_turns_running") == 0);
    }

    private double gauge(String name) {
        return model.report().metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .mapToDouble(palyra.api.core.ops.Metric::value)
                .sum();
    }

    @Test
    void anUnknownOptionIsTheRequestsFaultAndNothingIsSent() {
        ModelRequest plain = Conversations.saying("a/1/1", "hello");
        RecordingSink sink = new RecordingSink();
        model.start(
                new ModelRequest(
                        plain.requestId(),
                        plain.runId(),
                        "",
                        plain.messages(),
                        List.of(),
                        false,
                        0,
                        plain.caller(),
                        0,
                        Map.of("heat", "1")),
                sink);
        ModelEvent.Failed failed = sink.awaitFailed();
        assertEquals(palyra.api.model.FailureCause.BAD_REQUEST, failed.cause());
        assertTrue(first.heard().isEmpty());
    }

    @Test
    void theEnginesDeadlineIsNoFailureOfTheServer() {
        first.next(exchange -> exchange.stall());
        RecordingSink sink = new RecordingSink();
        ModelRequest plain = Conversations.saying("a/1/1", "hello");
        model.start(
                new ModelRequest(
                        plain.requestId(),
                        plain.runId(),
                        "",
                        plain.messages(),
                        List.of(),
                        false,
                        System.currentTimeMillis() - 1),
                sink);
        assertEquals(ErrorCode.TIMED_OUT, sink.awaitFailed().code());
        assertEquals(List.of(), model.report().findings());
    }
}

package palyra.models.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;
import palyra.api.core.ops.LoopView;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;

class HttpModelTest {
    private final AtomicBoolean failed = new AtomicBoolean();
    private final ModelSeams seams = new ModelSeams();

    private long nanos() {
        if (Thread.currentThread().getName().startsWith("palyra-model-watch")
                && failed.compareAndSet(false, true)) {
            throw new AssertionError("made up");
        }
        return System.nanoTime();
    }

    @Test
    void aTimeLimitIsKeptAfterAnErrorOfTheWatch() throws Exception {
        seams.egress().add(HttpModelTest::silent, Map.of());
        Endpoint endpoint = endpoint(new Endpoint.Times(60_000, 60_000, 60_000, 100));
        CompletableFuture<ModelEvent> end = new CompletableFuture<>();
        try (HttpModel model = new HttpModel(endpoint, new Plain(), seams, this::nanos)) {
            model.start(request("r1"), end::complete);
            ModelEvent.Failed late = (ModelEvent.Failed) end.get(30, TimeUnit.SECONDS);
            assertEquals(ErrorCode.TIMED_OUT, late.code());
            LoopView loop = model.loop();
            assertEquals(1, loop.restarts());
            assertEquals("AssertionError: made up", loop.lastFailure());
            assertEquals("palyra.models", loop.owner());
        }
    }

    @Test
    void aSilentTurnSaysWhenItsOwnLimitsEndIt() {
        seams.egress().add(HttpModelTest::silent, Map.of());
        Endpoint endpoint = endpoint(new Endpoint.Times(60_000, 40_000, 60_000, 0));
        try (HttpModel model = new HttpModel(endpoint, new Plain(), seams)) {
            assertEquals(0, model.silenceEndsAtMillis("r1"), "it does not run yet");
            long before = System.currentTimeMillis();
            model.start(request("r1"), new CompletableFuture<ModelEvent>()::complete);
            long end = model.silenceEndsAtMillis("r1");
            long after = System.currentTimeMillis();
            assertTrue(end >= before + 99_000 && end <= after + 100_000, end + " from " + before);
        }
    }

    private static EgressResponse silent(EgressRequest request) {
        try {
            new CountDownLatch(1).await();
            return null;
        } catch (InterruptedException e) {
            throw new PalyraException(ErrorCode.CANCELLED, "given up", e);
        }
    }

    private static Endpoint endpoint(Endpoint.Times times) {
        return new Endpoint(
                "test",
                "http://localhost:1",
                null,
                "model",
                Map.of(),
                times,
                1,
                5,
                1_000,
                List.of());
    }

    /** A trial that an error ends tells nothing any more; others are let in all the same. */
    @Test
    void trialThatDiesOfAnErrorDoesNotKeepTheCircuitHalfOpen() {
        seams.egress()
                .add(
                        request -> {
                            throw new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "unreachable");
                        },
                        Map.of());
        Endpoint endpoint =
                new Endpoint(
                        "test",
                        "http://localhost:1",
                        null,
                        "model",
                        Map.of(),
                        new Endpoint.Times(60_000, 60_000, 60_000, 0),
                        64,
                        1,
                        1,
                        List.of());
        Plain dialect = new Plain();
        try (HttpModel model = new HttpModel(endpoint, dialect, seams)) {
            assertEquals(FailureCause.NETWORK, failure(model, "r0").cause());
            dialect.dying.set(true);
            until(
                    () -> {
                        CompletableFuture<ModelEvent> end = new CompletableFuture<>();
                        model.start(request("r1/" + System.nanoTime()), end::complete);
                        until(() -> end.isDone() || !dialect.dying.get());
                        return !dialect.dying.get();
                    });
            until(() -> failure(model, "r2").cause() == FailureCause.NETWORK);
        }
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, "it did not happen");
            Thread.onSpinWait();
        }
    }

    private static ModelEvent.Failed failure(HttpModel model, String id) {
        CompletableFuture<ModelEvent> end = new CompletableFuture<>();
        model.start(request(id + "/" + System.nanoTime()), end::complete);
        return (ModelEvent.Failed) end.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static ModelRequest request(String id) {
        return new ModelRequest(
                id, "", "", List.of(new ModelMessage.User("?")), List.of(), false, 0);
    }

    /** Says nothing of a server. */
    private static final class Plain implements Dialect {
        private final AtomicBoolean dying = new AtomicBoolean();

        @Override
        public String path() {
            return "/";
        }

        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public Map<String, String> keyHeaders(String key) {
            return Map.of();
        }

        @Override
        public byte[] body(ModelRequest request, ToolNames names) {
            if (dying.compareAndSet(true, false)) {
                throw new AssertionError("made up");
            }
            return "{}".getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public AnswerReader reader(AnswerWriter writer) {
            throw new AssertionError("nothing is answered");
        }
    }
}

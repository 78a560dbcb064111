package palyra.models.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.ops.Metric;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;

class ModelReportTest {
    private final AtomicLong now = new AtomicLong();
    private final CircuitBreaker breaker = new CircuitBreaker(1, 60_000, 1_000, now::get);
    private final ModelCounts counts = new ModelCounts("openai");

    private CircuitBreaker.Pass pass() {
        return assertInstanceOf(CircuitBreaker.Pass.class, breaker.enter());
    }

    private Map<String, String> state() {
        return new ModelReport(null, 0, breaker, counts).state();
    }

    private void fails(FailureCause cause) {
        counts.ended(
                new ModelEvent.Failed(ErrorCode.MODEL_UNAVAILABLE, "It broke.", true, cause, 0));
    }

    @Test
    void tellsTheCircuitAndUntilWhenItIsOpen() {
        assertEquals(Map.of("circuit", "closed"), state());
        Instant before = Instant.now();
        pass().failed();
        Map<String, String> open = state();
        assertEquals("open", open.get("circuit"));
        Instant until = Instant.parse(open.get("openUntil"));
        assertTrue(until.isAfter(before.plusSeconds(50)), until.toString());
        now.set(60_000);
        assertEquals(Map.of("circuit", "half-open"), state(), "its time is over");
        CircuitBreaker.Pass trial = pass();
        assertEquals("half-open", state().get("circuit"));
        trial.succeeded();
        assertEquals("closed", state().get("circuit"));
    }

    /** A run that waits asks each second: that is no failure of a turn each second. */
    @Test
    void countsRefusalsOfTheCircuitApartFromFailures() {
        fails(FailureCause.SERVER);
        fails(FailureCause.CIRCUIT_OPEN);
        fails(FailureCause.CIRCUIT_OPEN);
        assertEquals(
                Map.of("finished", 0.0, "failed", 1.0, "abandoned", 0.0, "refused", 2.0),
                counts.metrics().stream()
                        .filter(each -> each.name().equals("palyra_model_turns_total"))
                        .collect(
                                Collectors.toMap(
                                        each -> each.labels().get("result"), Metric::value)));
    }

    @Test
    void tellsHowLongFinishedTurnsTookAndTheirTokens() {
        counts.ended(new ModelEvent.Finished("stop", 70, 30), TimeUnit.MILLISECONDS.toNanos(1_500));
        counts.ended(new ModelEvent.Finished("stop", 5, 1), TimeUnit.SECONDS.toNanos(400));
        counts.ended(null, TimeUnit.SECONDS.toNanos(9));
        assertEquals(401.5, value("palyra_model_turn_seconds_sum", "provider", "openai"));
        assertEquals(2, value("palyra_model_turn_seconds_count", "provider", "openai"));
        assertEquals(0, value("palyra_model_turn_seconds_bucket", "le", "1"));
        assertEquals(1, value("palyra_model_turn_seconds_bucket", "le", "300"));
        assertEquals(2, value("palyra_model_turn_seconds_bucket", "le", "+Inf"));
        assertEquals(75, value("palyra_model_tokens_total", "direction", "input"));
        assertEquals(31, value("palyra_model_tokens_total", "direction", "output"));
    }

    private double value(String name, String label, String of) {
        return counts.metrics().stream()
                .filter(each -> each.name().equals(name) && of.equals(each.labels().get(label)))
                .mapToDouble(Metric::value)
                .sum();
    }

    @Test
    void tellsTheLastFailureThatSaysSomethingOfTheServer() {
        fails(FailureCause.RATE_LIMITED);
        fails(FailureCause.SERVER);
        fails(FailureCause.CIRCUIT_OPEN);
        fails(FailureCause.CANCELLED);
        assertEquals("SERVER", state().get("failure"));
        Instant.parse(state().get("failedAt"));
    }
}

package palyra.shared.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;

class ModelReportTest {
    private final AtomicLong now = new AtomicLong();
    private final CircuitBreaker breaker = new CircuitBreaker(1, 60_000, now::get);
    private final ModelCounts counts = new ModelCounts("openai");

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
        breaker.enter().orElseThrow().failed();
        Map<String, String> open = state();
        assertEquals("open", open.get("circuit"));
        Instant until = Instant.parse(open.get("openUntil"));
        assertTrue(until.isAfter(before.plusSeconds(50)), until.toString());
        now.set(60_000);
        assertEquals(Map.of("circuit", "half-open"), state(), "its time is over");
        CircuitBreaker.Pass trial = breaker.enter().orElseThrow();
        assertEquals("half-open", state().get("circuit"));
        trial.succeeded();
        assertEquals("closed", state().get("circuit"));
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

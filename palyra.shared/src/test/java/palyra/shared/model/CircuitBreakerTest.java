package palyra.shared.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import palyra.shared.model.CircuitBreaker.Pass;
import palyra.shared.model.CircuitBreaker.State;

class CircuitBreakerTest {
    private final AtomicLong now = new AtomicLong(1_000);
    private final CircuitBreaker breaker = new CircuitBreaker(3, 500, now::get);

    private Pass pass() {
        return breaker.enter().orElseThrow();
    }

    private void open() {
        for (int i = 0; i < 3; i++) {
            pass().failed();
        }
        assertEquals(State.OPEN, breaker.state());
    }

    @Test
    void opensAfterFailuresInARowAlone() {
        pass().failed();
        pass().failed();
        pass().succeeded();
        pass().failed();
        pass().failed();
        assertEquals(State.CLOSED, breaker.state());
        pass().failed();
        assertEquals(State.OPEN, breaker.state());
        assertTrue(breaker.enter().isEmpty());
    }

    @Test
    void saysHowLongItStaysOpen() {
        open();
        now.addAndGet(200);
        assertEquals(300, breaker.leftMillis());
    }

    @Test
    void letsExactlyOneTryAndClosesWhenItSucceeds() {
        open();
        now.addAndGet(500);
        Pass probe = pass();
        assertEquals(State.HALF_OPEN, breaker.state());
        assertTrue(breaker.enter().isEmpty(), "a second one");
        probe.succeeded();
        assertEquals(State.CLOSED, breaker.state());
        pass();
        pass();
    }

    @Test
    void opensAgainWhenTheTryFails() {
        open();
        now.addAndGet(500);
        pass().failed();
        assertEquals(State.OPEN, breaker.state());
        assertEquals(500, breaker.leftMillis());
    }

    @Test
    void letsAnotherTryWhenOneIsAbandoned() {
        open();
        now.addAndGet(500);
        pass().abandoned();
        assertEquals(State.HALF_OPEN, breaker.state());
        pass().succeeded();
        assertEquals(State.CLOSED, breaker.state());
    }

    @Test
    void forgetsOutcomesOfEarlierTimes() {
        Pass late = pass();
        Pass later = pass();
        open();
        late.failed();
        now.addAndGet(500);
        Pass probe = pass();
        later.succeeded();
        assertEquals(State.HALF_OPEN, breaker.state(), "only the trial decides");
        probe.succeeded();
        assertEquals(State.CLOSED, breaker.state());
    }

    @Test
    void countsAnOutcomeOnce() {
        Pass one = pass();
        one.failed();
        one.failed();
        one.failed();
        assertEquals(State.CLOSED, breaker.state());
    }

    @Test
    void takesAbandonedQuestionsForNeither() {
        pass().failed();
        pass().failed();
        pass().abandoned();
        pass().failed();
        assertEquals(State.OPEN, breaker.state());
    }
}

package palyra.models.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import palyra.models.internal.http.CircuitBreaker.Pass;
import palyra.models.internal.http.CircuitBreaker.State;
import palyra.models.internal.http.CircuitBreaker.Wait;

class CircuitBreakerTest {
    private final AtomicLong now = new AtomicLong(1_000);
    private final CircuitBreaker breaker = new CircuitBreaker(3, 500, 2_000, now::get);

    private Pass pass() {
        return assertInstanceOf(Pass.class, breaker.enter());
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
        assertEquals(new Wait(false, 500), breaker.enter());
    }

    @Test
    void saysHowLongItStaysOpen() {
        open();
        now.addAndGet(200);
        assertEquals(300, breaker.leftMillis());
        assertEquals(new Wait(false, 300), breaker.enter());
    }

    @Test
    void letsExactlyOneTryAndClosesWhenItSucceeds() {
        open();
        now.addAndGet(500);
        Pass probe = pass();
        assertEquals(State.HALF_OPEN, breaker.state());
        assertInstanceOf(Wait.class, breaker.enter(), "a second one");
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

    /** The time is that by which the server answers the trial or has failed again. */
    @Test
    void saysHowLongTheTrialMayTake() {
        open();
        now.addAndGet(500);
        pass();
        assertEquals(new Wait(true, 2_000), breaker.enter());
        now.addAndGet(1_500);
        assertEquals(new Wait(true, 500), breaker.enter());
        now.addAndGet(600);
        assertEquals(new Wait(true, 1_000), breaker.enter(), "its end is due, in no millisecond");
    }

    @Test
    void longAnswerOfTheTrialKeepsNobodyOut() {
        open();
        now.addAndGet(500);
        Pass trial = pass();
        trial.answering();
        assertEquals(State.CLOSED, breaker.state());
        pass().succeeded();
    }

    /** A server that begins answers and breaks them off fails as often as any other. */
    @Test
    void trialThatBreaksOffAfterItsBeginningCountsAsOneFailure() {
        open();
        now.addAndGet(500);
        Pass trial = pass();
        trial.answering();
        trial.failed();
        assertEquals(State.CLOSED, breaker.state());
        pass().failed();
        pass().failed();
        assertEquals(State.OPEN, breaker.state());
    }

    @Test
    void beginningOfAnAnswerForgivesNoFailuresWhileClosed() {
        for (int i = 0; i < 3; i++) {
            Pass pass = pass();
            pass.answering();
            pass.failed();
        }
        assertEquals(State.OPEN, breaker.state());
    }
}

package palyra.models.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.models.internal.sse.SseEvent;

/** What turns gather before they can tell it is bounded, alone and together. */
class AnswerMemoryPoolTest {
    private static final long OWN = AnswerMemoryPool.OWN_BYTES;

    private final AnswerMemoryPool budget = new AnswerMemoryPool(1_000);

    @Test
    void turnHasALittleOfItsOwn() throws TurnFailure {
        try (AnswerMemoryPool.Share part = budget.share("p")) {
            part.hold(OWN);
            assertEquals(0, budget.used());
            part.hold(OWN + 600);
            assertEquals(600, budget.used());
            part.hold(0);
            assertEquals(0, budget.used());
            part.hold(OWN + 1_000);
        }
        assertEquals(0, budget.used());
    }

    @Test
    void turnsShareTheRest() throws TurnFailure {
        try (AnswerMemoryPool.Share one = budget.share("p");
                AnswerMemoryPool.Share other = budget.share("p")) {
            one.hold(OWN + 600);
            TurnFailure failure = assertThrows(TurnFailure.class, () -> other.hold(OWN + 600));
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, failure.event().code());
            assertTrue(failure.event().retryable(), "others will be done");
            one.hold(0);
            other.hold(OWN + 600);
        }
        assertEquals(0, budget.used());
    }

    @Test
    void turnThatIsTooLargeAloneIsNotTriedAgain() {
        try (AnswerMemoryPool.Share part = budget.share("p")) {
            TurnFailure failure = assertThrows(TurnFailure.class, () -> part.hold(OWN + 1_001));
            assertEquals(ErrorCode.RESOURCE_EXHAUSTED, failure.event().code());
            assertFalse(failure.event().retryable());
        }
        assertEquals(0, budget.used());
    }

    /** A line that does not end is counted while it grows, and let go when it has ended. */
    @Test
    void lineIsCountedUntilItEnds() throws TurnFailure {
        AnswerStream stream = new AnswerStream("p", new NoReader());
        byte[] part = ("data: " + "x".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
        stream.feed(part, part.length);
        assertTrue(stream.held() > 100_000, () -> stream.held() + " bytes");
        byte[] end = "\n\n".getBytes(StandardCharsets.UTF_8);
        stream.feed(end, end.length);
        assertEquals(0, stream.held());
    }

    @Test
    void inputsOfCallsAreCountedTogether() throws TurnFailure {
        CallAssembler calls = new CallAssembler("p");
        String most = "x".repeat(CallAssembler.MAX_INPUT_CHARS);
        for (int i = 0; i < 4; i++) {
            calls.piece(i, "", "t", most);
        }
        assertEquals(CallAssembler.MAX_CHARS, calls.chars());
        TurnFailure failure =
                assertThrows(TurnFailure.class, () -> calls.piece(4, "", "t", "one more"));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, failure.event().code());
    }

    private static final class NoReader implements Dialect.AnswerReader {
        @Override
        public void event(SseEvent event) {}

        @Override
        public void whole(JsonNode answer) {}

        @Override
        public boolean complete() {
            return false;
        }
    }
}

package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;

class RunPositionTest {
    private static RunEvent recorded(long seq) {
        return new RunEvent.Recorded(seq, 1, new TapeEvent.Unknown("x", 1));
    }

    private static RunEvent answer(int turn, int attempt, long offset, String text) {
        return new RunEvent.Text(turn, attempt, false, offset, text);
    }

    private static RunEvent thought(int turn, int attempt, long offset, String text) {
        return new RunEvent.Text(turn, attempt, true, offset, text);
    }

    private static RunPosition after(RunEvent... events) {
        RunPosition position = RunPosition.START;
        for (RunEvent event : events) {
            position = position.advance(event);
        }
        return position;
    }

    @Test
    void recordsMoveTheSequenceNumberAndLeaveTheText() {
        assertEquals(new RunPosition(7, 0, 0, 0, 0), after(recorded(3), recorded(7)));
        assertEquals(
                new RunPosition(4, 1, 1, 2, 0),
                after(recorded(3), answer(1, 1, 0, "ab"), recorded(4)));
    }

    @Test
    void textOfBothKindsIsCountedWithinItsAttempt() {
        assertEquals(
                new RunPosition(3, 1, 1, 5, 2),
                after(
                        recorded(3),
                        answer(1, 1, 0, "abc"),
                        thought(1, 1, 0, "hm"),
                        answer(1, 1, 3, "de")));
    }

    @Test
    void anotherAttemptOrTurnBeginsToCountAnew() {
        assertEquals(
                new RunPosition(0, 1, 2, 0, 1),
                after(answer(1, 1, 0, "abc"), thought(1, 1, 0, "hm"), thought(1, 2, 0, "x")));
        assertEquals(
                new RunPosition(0, 2, 1, 1, 0),
                after(answer(1, 1, 0, "abc"), thought(1, 1, 0, "hm"), answer(2, 1, 0, "y")));
    }

    @Test
    void droppedTextIsForgottenAndOtherTurnsAreNot() {
        RunEvent dropped = new RunEvent.Dropped(1, "");
        assertEquals(RunPosition.after(3), after(recorded(3), answer(1, 1, 0, "abc"), dropped));
        assertEquals(
                new RunPosition(3, 2, 1, 3, 0),
                after(recorded(3), answer(2, 1, 0, "abc"), dropped));
        assertEquals(
                new RunPosition(3, 1, 1, 1, 0),
                after(recorded(3), thought(1, 1, 0, "hm"), dropped, answer(1, 1, 0, "a")));
    }

    @Test
    void theEndChangesNothing() {
        RunPosition before = after(recorded(3), answer(1, 1, 0, "abc"));
        assertEquals(before, before.advance(new RunEvent.Ended(RunState.SUCCEEDED, "")));
    }

    @Test
    void charactersAreThoseOfJava() {
        assertEquals(
                new RunPosition(0, 1, 1, 3, 0),
                after(answer(1, 1, 0, "\ud83d\ude00"), answer(1, 1, 2, "!")));
    }

    @Test
    void nothingNegativeIsAPosition() {
        for (long[] bad :
                new long[][] {
                    {-1, 0, 0, 0, 0},
                    {0, -1, 0, 0, 0},
                    {0, 0, -1, 0, 0},
                    {0, 0, 0, -1, 0},
                    {0, 0, 0, 0, -1}
                }) {
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    new RunPosition(
                                            bad[0], (int) bad[1], (int) bad[2], bad[3], bad[4]));
            assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        }
    }
}

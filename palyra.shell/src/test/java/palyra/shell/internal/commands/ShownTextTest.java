package palyra.shell.internal.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShownTextTest {
    private final List<String> screen = new ArrayList<>();
    private final ShownText text =
            new ShownText(
                    new ShownText.Screen() {
                        @Override
                        public void text(int turn, String piece) {
                            screen.add(turn + ":" + piece);
                        }

                        @Override
                        public void dropped(int turn, String reason) {
                            screen.add(turn + "!" + reason);
                        }
                    });

    @Test
    void showsEachPieceOnceWhenDroppedTextComesAgain() {
        text.text(1, 1, "one ");
        text.text(1, 1, "two ");
        text.dropped(1, "followed again");
        text.text(1, 1, "one two th");
        text.text(1, 1, "ree");
        assertEquals(List.of("1:one ", "1:two ", "1:th", "1:ree"), screen);
    }

    @Test
    void saysNothingWhenADroppedTextComesAgainTheSame() {
        text.text(1, 1, "abc");
        text.dropped(1, "followed again");
        text.text(1, 1, "ab");
        text.text(1, 1, "cd");
        assertEquals(List.of("1:abc", "1:d"), screen);
    }

    @Test
    void dropsWhatDiffersAndShowsTheWholeAgain() {
        text.text(1, 1, "abc");
        text.dropped(1, "the recorded text is another");
        text.text(1, 1, "ab");
        text.text(1, 1, "X");
        assertEquals(List.of("1:abc", "1!the recorded text is another", "1:abX"), screen);
    }

    @Test
    void dropsTheTextOfAnAttemptThatIsMadeAgain() {
        text.text(2, 1, "half");
        text.restarted(2, 2, "lost");
        text.text(2, 1, "late piece of the old attempt");
        text.text(2, 2, "whole");
        assertEquals(List.of("2:half", "2!lost", "2:whole"), screen);
    }

    @Test
    void noticesANewAttemptByItsTextAlone() {
        text.text(1, 1, "half");
        text.text(1, 3, "whole");
        assertEquals(List.of("1:half", "1!the turn began again", "1:whole"), screen);
    }

    @Test
    void dropsWhatWasNotToldAgainByTheEndOfTheTurn() {
        text.text(1, 1, "abcdef");
        text.dropped(1, "lost");
        text.text(1, 1, "abc");
        text.settle();
        assertEquals(List.of("1:abcdef", "1!lost", "1:abc"), screen);
    }

    @Test
    void dropsWhatWasNotToldAgainBeforeTheNextTurn() {
        text.text(1, 1, "abc");
        text.dropped(1, "lost");
        text.text(2, 1, "next");
        assertEquals(List.of("1:abc", "1!lost", "2:next"), screen);
    }

    @Test
    void ignoresTurnsThatAreOver() {
        text.text(2, 1, "b");
        text.text(1, 1, "a");
        text.dropped(1, "old");
        text.settle();
        assertEquals(List.of("2:b"), screen);
    }
}

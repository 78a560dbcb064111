package palyra.console.internal.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.console.Block;

class ShownTest {
    @Test
    void makesCharactersVisibleThatTurnOrHideText() {
        assertEquals(
                "a[U+202E]b[U+2066]c[U+200B]d[U+0007]\n",
                Shown.text("a\u202Eb\u2066c\u200Bd\u0007\n"));
        assertEquals("plain ü 日本 🙂", Shown.text("plain ü 日本 🙂"));
    }

    @Test
    void drawsLinesWithinTheFieldAndLeavesOutWhatIsNoNumber() {
        Block.Chart chart =
                new Block.Chart(
                        "Cost",
                        "EUR",
                        List.of(
                                new Block.Series(
                                        "a",
                                        List.of(
                                                new Block.Point(0, 0),
                                                new Block.Point(1, Double.NaN),
                                                new Block.Point(10, 4)))));
        Lines lines = Lines.of(chart);
        assertEquals("0.0,174.0 640.0,6.0", lines.lines().get(0).points());
        assertEquals("from 0.000 to 4.000 EUR, last 4.000 EUR", lines.summary());
    }
}

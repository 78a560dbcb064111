package palyra.console.internal.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.console.Block;
import palyra.api.console.Block.Point;
import palyra.api.console.Block.Series;

class LinesTest {
    private static final long DAY = 86_400_000;

    private static Block.Chart chart(Series... series) {
        return new Block.Chart("Cost", "EUR", List.of(series));
    }

    @Test
    void drawsLinesWithinTheFieldAndBreaksThemWhereThereIsNoNumber() {
        Lines lines =
                Lines.of(
                        chart(
                                new Series(
                                        "a",
                                        List.of(
                                                new Point(0, 0),
                                                new Point(5, 2),
                                                new Point(6, Double.NaN),
                                                new Point(10, 4)))));
        Lines.Line line = lines.lines().get(0);
        assertEquals("M6.0 174.0L320.0 90.0M634.0 6.0", line.path());
        assertEquals("M6.0 174.0h0M320.0 90.0h0M634.0 6.0h0", line.dots());
        assertEquals("4", line.last());
        assertEquals("from 0 to 4 EUR", lines.summary());
    }

    @Test
    void saysTheSameInATable() {
        Lines lines =
                Lines.of(
                        chart(
                                new Series("a", List.of(new Point(0, 0.000123), new Point(DAY, 2))),
                                new Series("b", List.of(new Point(DAY, 12_345.6)))));
        ChartTable table = lines.table();
        assertTrue(table.daily());
        assertEquals(1, table.together());
        assertEquals(
                List.of(
                        new ChartTable.Row(0, List.of("0.000123", "")),
                        new ChartTable.Row(DAY, List.of("2", "12,346"))),
                table.rows());
        assertEquals("1970-01-02", table.rows().get(1).day());
    }

    @Test
    void keepsPeaksOfVeryManyPointsAndBoundsPathAndTable() {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            points.add(new Point(i * 1_000L + 1, i == 31_337 ? 900 : i % 2));
        }
        Lines lines = Lines.of(chart(new Series("a", points)));
        String path = lines.lines().get(0).path();
        assertTrue(path.length() < 10_000, path.length() + " characters");
        assertTrue(path.contains(" 6.0"), "the peak is at the head of the field");
        assertEquals("", lines.lines().get(0).dots());
        assertTrue(lines.table().rows().size() <= 24);
        assertFalse(lines.table().daily());
        assertEquals("0.5", lines.table().rows().get(0).numbers().get(0), "a mean");
    }

    @Test
    void takesChartsThatFollowEachOtherTogetherOnce() {
        Block.Chart one = chart();
        Block.Chart two = new Block.Chart("Two", "", List.of());
        List<Block> blocks = List.of(new Block.Heading("h"), one, two, new Block.Heading("i"), two);
        assertEquals(List.of(), Lines.together(blocks, 0));
        assertEquals(List.of(one, two), Lines.together(blocks, 1));
        assertEquals(List.of(), Lines.together(blocks, 2));
        assertEquals(List.of(two), Lines.together(blocks, 4));
    }

    @Test
    void hasNothingToShowWithoutANumber() {
        assertTrue(Lines.of(chart()).isEmpty());
        assertTrue(Lines.of(chart(new Series("a", List.of(new Point(1, Double.NaN))))).isEmpty());
    }
}

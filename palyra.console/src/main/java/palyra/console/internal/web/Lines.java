package palyra.console.internal.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import palyra.api.console.Block;
import palyra.api.console.Block.Point;
import palyra.api.console.Block.Series;

/**
 * The lines of a chart in a field of 640 by 180 units.
 *
 * @param lines one for each series, those without a value too
 * @param summary least, greatest and last value in words
 * @param least value at the foot of the field
 * @param most value at its head
 * @param table the same numbers for those who cannot see the lines
 */
public record Lines(List<Line> lines, String summary, String least, String most, ChartTable table) {
    /**
     * A line.
     *
     * @param index place among the lines
     * @param path as SVG takes it; empty without a value
     * @param dots points of a line of few, as dots; empty for a line of many
     * @param last last value in words; empty without one
     */
    public record Line(int index, String name, String path, String dots, String last) {}

    private static final double WIDTH = 640;
    private static final double HEIGHT = 180;
    private static final double MARGIN = 6;
    private static final int FEW = 31;
    private static final int MOST_PLACES = 320;

    /** Where the field begins and ends. */
    private record Field(long from, long to, double least, double most) {
        String place(Point point) {
            double x = to == from ? 1 : (double) (point.unixMillis() - from) / (to - from);
            double y = most == least ? 0.5 : (point.value() - least) / (most - least);
            return String.format(
                    Locale.ROOT,
                    "%.1f %.1f",
                    MARGIN + x * (WIDTH - 2 * MARGIN),
                    HEIGHT - MARGIN - y * (HEIGHT - 2 * MARGIN));
        }
    }

    /** Copies. */
    public Lines {
        lines = List.copyOf(lines);
    }

    /** Returns the lines of a chart. */
    public static Lines of(Block.Chart chart) {
        List<Point> all =
                chart.series().stream()
                        .flatMap(series -> series.points().stream())
                        .filter(point -> Double.isFinite(point.value()))
                        .toList();
        if (all.isEmpty()) {
            return new Lines(List.of(), "", "", "", ChartTable.EMPTY);
        }
        double least = all.stream().mapToDouble(Point::value).min().orElseThrow();
        double most = all.stream().mapToDouble(Point::value).max().orElseThrow();
        Field field =
                new Field(
                        all.stream().mapToLong(Point::unixMillis).min().orElseThrow(),
                        all.stream().mapToLong(Point::unixMillis).max().orElseThrow(),
                        Math.min(0, least),
                        Math.max(0, most));
        List<Line> lines = new ArrayList<>();
        for (Series series : chart.series()) {
            lines.add(line(lines.size(), series, field));
        }
        String unit = chart.unit().isEmpty() ? "" : " " + chart.unit();
        return new Lines(
                lines,
                "from " + Numbers.text(least) + " to " + Numbers.text(most) + unit,
                Numbers.text(field.least()),
                Numbers.text(field.most()),
                ChartTable.of(chart));
    }

    private static Line line(int index, Series series, Field field) {
        StringBuilder path = new StringBuilder();
        StringBuilder dots = new StringBuilder();
        boolean few = series.points().size() <= FEW;
        boolean open = false;
        String last = "";
        for (Point point : thinned(series.points())) {
            boolean there = Double.isFinite(point.value());
            if (there) {
                String place = field.place(point);
                path.append(open ? 'L' : 'M').append(place);
                dots.append(few ? "M" + place + "h0" : "");
                last = Numbers.text(point.value());
            }
            open = there;
        }
        return new Line(index, series.name(), path.toString(), dots.toString(), last);
    }

    /** A line of very many points keeps the least and the greatest of neighbours. */
    private static List<Point> thinned(List<Point> points) {
        int together = (points.size() + MOST_PLACES - 1) / MOST_PLACES;
        if (together <= 2) {
            return points;
        }
        List<Point> kept = new ArrayList<>();
        for (int from = 0; from < points.size(); from += together) {
            List<Point> group = points.subList(from, Math.min(points.size(), from + together));
            List<Point> there = group.stream().filter(p -> Double.isFinite(p.value())).toList();
            if (there.isEmpty()) {
                kept.add(group.get(0)); // a gap stays one
                continue;
            }
            Point least = Collections.min(there, Comparator.comparingDouble(Point::value));
            Point most = Collections.max(there, Comparator.comparingDouble(Point::value));
            boolean rising = least.unixMillis() <= most.unixMillis();
            kept.add(rising ? least : most);
            kept.add(rising ? most : least);
        }
        return kept;
    }

    /** Returns whether there is nothing to show. */
    public boolean isEmpty() {
        return lines.isEmpty();
    }

    /**
     * Returns the charts that follow each other from a block on, which share rows of a page; empty
     * when the block is not a chart, or follows one.
     */
    public static List<Block.Chart> together(List<Block> blocks, int at) {
        List<Block.Chart> charts = new ArrayList<>();
        boolean begins = at == 0 || !(blocks.get(at - 1) instanceof Block.Chart);
        for (int i = at; begins && i < blocks.size(); i++) {
            if (!(blocks.get(i) instanceof Block.Chart chart)) {
                break;
            }
            charts.add(chart);
        }
        return charts;
    }
}

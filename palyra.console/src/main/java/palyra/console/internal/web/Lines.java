package palyra.console.internal.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import palyra.api.console.Block;
import palyra.api.console.Block.Point;
import palyra.api.console.Block.Series;

/**
 * The lines of a chart in a field of 640 by 180 units.
 *
 * @param summary least, greatest and last value in words
 */
public record Lines(List<Line> lines, String summary) {
    /** A line: its place among the lines, its name, and its points as SVG takes them. */
    public record Line(int index, String name, String points) {}

    private static final double WIDTH = 640;
    private static final double HEIGHT = 180;
    private static final double MARGIN = 6;

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
            return new Lines(List.of(), "");
        }
        long from = all.stream().mapToLong(Point::unixMillis).min().orElseThrow();
        long to = all.stream().mapToLong(Point::unixMillis).max().orElseThrow();
        double least = Math.min(0, all.stream().mapToDouble(Point::value).min().orElseThrow());
        double most = all.stream().mapToDouble(Point::value).max().orElseThrow();
        List<Line> lines = new ArrayList<>();
        for (Series series : chart.series()) {
            lines.add(line(lines.size(), series, from, to, least, most));
        }
        return new Lines(lines, summary(chart, all));
    }

    private static Line line(
            int index, Series series, long from, long to, double least, double most) {
        StringBuilder points = new StringBuilder();
        for (Point point : series.points()) {
            if (Double.isFinite(point.value())) {
                double x = to == from ? 1 : (double) (point.unixMillis() - from) / (to - from);
                double y = most == least ? 0.5 : (point.value() - least) / (most - least);
                points.append(
                        String.format(
                                Locale.ROOT,
                                "%.1f,%.1f ",
                                x * WIDTH,
                                HEIGHT - MARGIN - y * (HEIGHT - 2 * MARGIN)));
            }
        }
        return new Line(index, series.name(), points.toString().strip());
    }

    private static String summary(Block.Chart chart, List<Point> all) {
        double least = all.stream().mapToDouble(Point::value).min().orElseThrow();
        double most = all.stream().mapToDouble(Point::value).max().orElseThrow();
        double last = all.get(all.size() - 1).value();
        String unit = chart.unit().isEmpty() ? "" : " " + chart.unit();
        return String.format(
                Locale.ROOT, "from %.4g to %.4g%s, last %.4g%s", least, most, unit, last, unit);
    }

    /** Returns whether there is nothing to show. */
    public boolean isEmpty() {
        return lines.isEmpty();
    }
}

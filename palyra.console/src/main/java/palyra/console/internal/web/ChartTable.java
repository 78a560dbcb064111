package palyra.console.internal.web;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.console.Block;
import palyra.api.console.Block.Point;
import palyra.api.console.Block.Series;

/**
 * The numbers of a chart as a table of few rows.
 *
 * @param daily whether every point is a day of UTC, which has no time of day
 * @param together how many points a row has the means of; 1 for the points themselves
 */
public record ChartTable(List<Row> rows, boolean daily, int together) {
    static final ChartTable EMPTY = new ChartTable(List.of(), false, 1);

    private static final int MOST_ROWS = 31;
    private static final int FEWER_ROWS = 24;
    private static final long DAY_MILLIS = 86_400_000;

    /** A row: the time of its last point, and a number a line, empty for none. */
    public record Row(long unixMillis, List<String> numbers) {
        /** Returns the day of UTC. */
        public String day() {
            return LocalDate.ofInstant(Instant.ofEpochMilli(unixMillis), ZoneOffset.UTC).toString();
        }
    }

    /** Copies. */
    public ChartTable {
        rows = List.copyOf(rows);
    }

    static ChartTable of(Block.Chart chart) {
        int columns = chart.series().size();
        Map<Long, double[]> byTime = new TreeMap<>();
        for (int i = 0; i < columns; i++) {
            Series series = chart.series().get(i);
            for (Point point : series.points()) {
                byTime.computeIfAbsent(point.unixMillis(), time -> blank(columns))[i] =
                        point.value();
            }
        }
        List<Map.Entry<Long, double[]>> all = List.copyOf(byTime.entrySet());
        int together = all.size() <= MOST_ROWS ? 1 : (all.size() + FEWER_ROWS - 1) / FEWER_ROWS;
        List<Row> rows = new ArrayList<>();
        for (int from = 0; from < all.size(); from += together) {
            var group = all.subList(from, Math.min(all.size(), from + together));
            rows.add(
                    new Row(
                            group.get(group.size() - 1).getKey(),
                            means(group.stream().map(Map.Entry::getValue).toList(), columns)));
        }
        boolean daily = byTime.keySet().stream().allMatch(time -> time % DAY_MILLIS == 0);
        return new ChartTable(rows, daily, together);
    }

    private static double[] blank(int columns) {
        double[] row = new double[columns];
        Arrays.fill(row, Double.NaN);
        return row;
    }

    private static List<String> means(Collection<double[]> rows, int columns) {
        List<String> means = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            int column = i;
            means.add(
                    Numbers.text(
                            rows.stream()
                                    .mapToDouble(row -> row[column])
                                    .filter(Double::isFinite)
                                    .average()
                                    .orElse(Double.NaN)));
        }
        return means;
    }
}

package palyra.health.internal.history;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.ops.Metric;

/**
 * How the recorded metrics went: a row each ten seconds for half an hour, and a row a minute for a
 * day. It is memory of this process alone, of a fixed size: {@value #FINE_ROWS} and {@value
 * #COARSE_ROWS} rows of a number a line, less than half a megabyte. Thread-safe.
 */
public final class MetricHistory {
    /** Time between two looks. */
    public static final long FINE_MILLIS = 10_000;

    static final int FINE_ROWS = 180;
    static final int COARSE_ROWS = 1_440;
    private static final int FINE_OF_COARSE = 6;

    private final List<SeriesReader> readers = new ArrayList<>();
    private final Ring fine; // guarded by this, as all below
    private final Ring coarse;
    private final long sinceMillis;
    private long lastMillis;
    private int looks;

    /** Begins. */
    public MetricHistory(long nowMillis) {
        for (RecordedChart chart : RecordedChart.ALL) {
            chart.series().forEach(series -> readers.add(new SeriesReader(series)));
        }
        fine = new Ring(FINE_ROWS, readers.size());
        coarse = new Ring(COARSE_ROWS, readers.size());
        sinceMillis = nowMillis;
        lastMillis = nowMillis;
    }

    /** Takes the metrics as they are now. */
    public synchronized void look(long nowMillis, List<Metric> metrics) {
        double[] row = new double[readers.size()];
        for (int i = 0; i < row.length; i++) {
            row[i] = readers.get(i).next(metrics, nowMillis - lastMillis);
        }
        lastMillis = nowMillis;
        fine.add(nowMillis, row);
        looks++;
        if (looks % FINE_OF_COARSE == 0) {
            coarse.add(nowMillis, fine.means(fine.size() - FINE_OF_COARSE, fine.size()));
        }
    }

    /**
     * Returns a window of the history.
     *
     * @param day the last day, else the last half hour
     * @param points most points of a line; neighbours become their mean
     */
    synchronized Window window(boolean day, int points) {
        Ring ring = day ? coarse : fine;
        long every = day ? FINE_MILLIS * FINE_OF_COARSE : FINE_MILLIS;
        int together = Math.max(1, (ring.size() + points - 1) / points);
        List<Long> times = new ArrayList<>();
        List<double[]> rows = new ArrayList<>();
        for (int from = 0; from < ring.size(); from += together) {
            int until = Math.min(ring.size(), from + together);
            times.add(ring.time(until - 1));
            rows.add(ring.means(from, until));
        }
        return new Window(sinceMillis, every * together, times, rows);
    }

    /**
     * A part of the history.
     *
     * @param sinceMillis when recording began, unix time
     * @param everyMillis time between two points
     * @param times of the points, rising
     * @param rows for each time a number a line, in the order of the charts
     */
    record Window(long sinceMillis, long everyMillis, List<Long> times, List<double[]> rows) {
        /** Returns the numbers of a line; NaN where nothing was measured. */
        List<Double> column(int line) {
            return rows.stream().map(row -> row[line]).toList();
        }
    }
}

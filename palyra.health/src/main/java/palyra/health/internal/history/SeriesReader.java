package palyra.health.internal.history;

import java.util.List;
import palyra.api.core.ops.Metric;

/** Makes the values of one line from one look at the metrics after the other. Not thread-safe. */
final class SeriesReader {
    private static final double MILLIS_OF_MINUTE = 60_000;

    private final RecordedSeries series;
    private final Growth growth = new Growth();
    private final Growth count = new Growth();

    SeriesReader(RecordedSeries series) {
        this.series = series;
    }

    /**
     * Returns the next value; NaN when nothing was measured.
     *
     * @param millis time since the last call
     */
    double next(List<Metric> metrics, long millis) {
        return switch (series.kind()) {
            case LEVEL -> level(series.of(metrics, "")) / series.divisor();
            case RATE ->
                    growth.of(series.of(metrics, ""))
                            * MILLIS_OF_MINUTE
                            / Math.max(1, millis)
                            / series.divisor();
            case MEAN -> mean(metrics) / series.divisor();
        };
    }

    private static double level(List<Metric> samples) {
        return samples.isEmpty() ? Double.NaN : samples.stream().mapToDouble(Metric::value).sum();
    }

    private double mean(List<Metric> metrics) {
        double sum = growth.of(series.of(metrics, "_sum"));
        double many = count.of(series.of(metrics, "_count"));
        return many > 0 ? sum / many : Double.NaN;
    }
}

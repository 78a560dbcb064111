package palyra.health.internal.history;

import java.util.List;
import java.util.Map;
import palyra.api.core.ops.Metric;

/**
 * A line of a chart.
 *
 * @param name name of the line
 * @param kind how its values come from the metric
 * @param metric name of the metric; of {@link Kind#MEAN} without {@code _sum} and {@code _count}
 * @param labels what a sample's labels have to hold; empty for every sample
 * @param divisor what values are divided by, for their unit
 */
record RecordedSeries(
        String name, Kind kind, String metric, Map<String, String> labels, double divisor) {
    /** How values come from a metric. */
    enum Kind {
        /** The sum of its samples. */
        LEVEL,
        /** How much its samples grew, a minute. */
        RATE,
        /** How much a histogram's sum grew for each one by which its count grew. */
        MEAN
    }

    static RecordedSeries level(String name, String metric) {
        return new RecordedSeries(name, Kind.LEVEL, metric, Map.of(), 1);
    }

    static RecordedSeries mebibytes(String name, String metric) {
        return new RecordedSeries(name, Kind.LEVEL, metric, Map.of(), 1 << 20);
    }

    static RecordedSeries rate(String name, String metric) {
        return new RecordedSeries(name, Kind.RATE, metric, Map.of(), 1);
    }

    static RecordedSeries rate(String name, String metric, String label, String value) {
        return new RecordedSeries(name, Kind.RATE, metric, Map.of(label, value), 1);
    }

    static RecordedSeries mean(String name, String metric) {
        return new RecordedSeries(name, Kind.MEAN, metric, Map.of(), 1);
    }

    /** Returns the samples that it is made of; {@code ending} follows the metric's name. */
    List<Metric> of(List<Metric> all, String ending) {
        String wanted = metric + ending;
        return all.stream()
                .filter(one -> one.name().equals(wanted))
                .filter(one -> one.labels().entrySet().containsAll(labels.entrySet()))
                .toList();
    }
}

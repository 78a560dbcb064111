package palyra.bench.report;

import java.util.List;
import java.util.Locale;

/**
 * One figure, measured in several runs.
 *
 * @param unit such as {@code events/s} or {@code ms}
 * @param runs the figure of each run; at least one
 */
public record Measure(String unit, List<Double> runs) {
    /** Checks and copies. */
    public Measure {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("a measure in " + unit + " needs at least one run");
        }
        for (double run : runs) {
            if (!Double.isFinite(run)) {
                throw new IllegalArgumentException("a run measured " + run + " " + unit);
            }
        }
    }

    /** Returns the middle of the runs; of an even number the mean of the two in the middle. */
    public double median() {
        double[] sorted = runs.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Returns the lowest run. */
    public double min() {
        return runs.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    /** Returns the highest run. */
    public double max() {
        return runs.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** Returns median, unit and noise: {@code 1,234 events/s (1,100–1,300)}. */
    public String text() {
        return number(median()) + " " + unit + " (" + number(min()) + "–" + number(max()) + ")";
    }

    /** Returns a number with as many digits as mean something. */
    public static String number(double value) {
        double size = Math.abs(value);
        String form =
                size >= 100
                        ? "%,.0f"
                        : size >= 10
                                ? "%.1f"
                                : size >= 1 ? "%.2f" : size >= 0.01 || size == 0 ? "%.3f" : "%.6f";
        return String.format(Locale.ROOT, form, value);
    }
}

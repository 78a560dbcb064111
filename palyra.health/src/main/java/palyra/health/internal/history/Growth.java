package palyra.health.internal.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palyra.api.core.ops.Metric;

/**
 * How much counters grew from one look to the next. A source that is away meanwhile, or that began
 * again from 0 because its bundle was replaced, makes no jump. Not thread-safe.
 */
final class Growth {
    private static final int MOST_SAMPLES = 1_000;

    private final Map<Map<String, String>, Double> last = new HashMap<>();
    private boolean looked;

    /** Returns the growth since the last call; not a number the first time. */
    double of(List<Metric> samples) {
        double grown = 0;
        for (Metric sample : samples) {
            grown += of(sample);
        }
        boolean first = !looked;
        looked = true;
        return first ? Double.NaN : grown;
    }

    private double of(Metric sample) {
        Double before = last.get(sample.labels());
        if (before == null && last.size() >= MOST_SAMPLES) {
            return 0; // further labels are not followed
        }
        last.put(sample.labels(), sample.value());
        boolean restarted = before == null || sample.value() < before;
        return restarted ? sample.value() : sample.value() - before;
    }
}

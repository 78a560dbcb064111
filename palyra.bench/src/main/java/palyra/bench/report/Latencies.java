package palyra.bench.report;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Durations of single operations, in nanoseconds, collected by one thread or merged from many. */
public final class Latencies {
    private long[] nanos = new long[1_024];
    private int size;

    /** Adds one. */
    public void add(long duration) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, size * 2);
        }
        nanos[size++] = duration;
    }

    /** Adds all of another collection, which must not change meanwhile. */
    public void addAll(Latencies other) {
        for (int i = 0; i < other.size; i++) {
            add(other.nanos[i]);
        }
    }

    /** Returns how many there are. */
    public int size() {
        return size;
    }

    /** Returns the smallest duration that {@code percent} of all do not exceed, in milliseconds. */
    public double millis(double percent) {
        return nanos(percent) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** As {@link #millis}, in microseconds. */
    public double micros(double percent) {
        return nanos(percent) / (double) TimeUnit.MICROSECONDS.toNanos(1);
    }

    private long nanos(double percent) {
        if (size == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        if (!(percent > 0 && percent <= 100)) {
            throw new IllegalArgumentException("there is no percentile " + percent);
        }
        long[] sorted = Arrays.copyOf(nanos, size);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(percent / 100 * size);
        return sorted[Math.max(rank, 1) - 1];
    }
}

package palyra.health.internal.history;

import java.util.Arrays;

/** The last rows of a table of numbers with their times. Not thread-safe. */
final class Ring {
    private final long[] times;
    private final double[][] rows;
    private int next;
    private int size;

    Ring(int capacity, int columns) {
        times = new long[capacity];
        rows = new double[capacity][columns];
    }

    /** Adds a row in the place of the oldest. */
    void add(long unixMillis, double[] row) {
        times[next] = unixMillis;
        System.arraycopy(row, 0, rows[next], 0, row.length);
        next = (next + 1) % times.length;
        size = Math.min(size + 1, times.length);
    }

    int size() {
        return size;
    }

    /** Returns the time of a row, the oldest first. */
    long time(int index) {
        return times[place(index)];
    }

    /**
     * Returns the means of the numbers of rows that are there; not a number for a column without.
     */
    double[] means(int from, int until) {
        double[] sums = new double[rows[0].length];
        int[] counts = new int[sums.length];
        for (int i = from; i < until; i++) {
            double[] row = rows[place(i)];
            for (int column = 0; column < sums.length; column++) {
                if (Double.isFinite(row[column])) {
                    sums[column] += row[column];
                    counts[column]++;
                }
            }
        }
        Arrays.setAll(
                sums, column -> counts[column] == 0 ? Double.NaN : sums[column] / counts[column]);
        return sums;
    }

    private int place(int index) {
        return Math.floorMod(next - size + index, times.length);
    }
}

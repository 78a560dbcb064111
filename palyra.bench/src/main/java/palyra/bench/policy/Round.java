package palyra.bench.policy;

import java.util.BitSet;
import java.util.function.IntPredicate;
import palyra.bench.report.Latencies;

/**
 * One engine at work for a while.
 *
 * @param latencies of every single decision
 * @param allowed which of the requests are allowed
 */
record Round(Latencies latencies, BitSet allowed) {
    /** Decisions that a round remembers at most. */
    static final int MOST = 200_000;

    /**
     * Has requests decided in turn, each at least once.
     *
     * @param decides answers the request of a number
     * @param requests how many there are
     * @param nanos how long
     * @throws IllegalStateException when an engine answers one request in two ways
     */
    static Round of(IntPredicate decides, int requests, long nanos) {
        Latencies latencies = new Latencies();
        BitSet first = new BitSet(requests);
        long end = System.nanoTime() + nanos;
        boolean again = false;
        do {
            for (int i = 0; i < requests; i++) {
                long start = System.nanoTime();
                boolean allowed = decides.test(i);
                latencies.add(System.nanoTime() - start);
                if (!again) {
                    first.set(i, allowed);
                } else if (first.get(i) != allowed) {
                    throw new IllegalStateException("request " + i + " was answered in two ways");
                }
            }
            again = true;
        } while (System.nanoTime() - end < 0 && latencies.size() + requests <= MOST);
        return new Round(latencies, first);
    }
}

package palyra.bench.turn;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import palyra.bench.report.Latencies;

/** Sessions that take turns, each on a thread of its own. */
final class Load {
    /** One turn of a session, from beginning to end. */
    interface Turn {
        void take() throws Exception;
    }

    private final List<Turn> sessions;

    Load(List<? extends Turn> sessions) {
        this.sessions = List.copyOf(sessions);
    }

    /**
     * What came of it.
     *
     * @param nanos from the first turn's beginning to the last one's end
     */
    record Result(Latencies latencies, long nanos) {
        double turnsPerSecond() {
            return latencies.size() * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
        }
    }

    /** Each session takes its turns one right after the other. */
    Result backToBack(int turns) throws Exception {
        return run(turns, 0);
    }

    /**
     * Each session begins a turn every {@code periodNanos}, spread evenly over the period. Latency
     * counts from when a turn was due: one that begins late because the one before took too long
     * counts its wait.
     */
    Result paced(int turns, long periodNanos) throws Exception {
        return run(turns, periodNanos);
    }

    private Result run(int turns, long periodNanos) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Future<Latencies>> results = new ArrayList<>();
        Latencies all = new Latencies();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long begin = System.nanoTime();
            for (int i = 0; i < sessions.size(); i++) {
                Turn session = sessions.get(i);
                long first = begin + periodNanos * i / sessions.size();
                results.add(threads.submit(() -> session(session, turns, first, periodNanos, go)));
            }
            go.countDown();
            for (Future<Latencies> result : results) {
                all.addAll(result.get());
            }
            return new Result(all, System.nanoTime() - begin);
        }
    }

    private static Latencies session(
            Turn session, int turns, long first, long periodNanos, CountDownLatch go)
            throws Exception {
        Latencies latencies = new Latencies();
        go.await();
        for (int i = 0; i < turns; i++) {
            long due = periodNanos == 0 ? System.nanoTime() : first + i * periodNanos;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            session.take();
            latencies.add(System.nanoTime() - due);
        }
        return latencies;
    }
}

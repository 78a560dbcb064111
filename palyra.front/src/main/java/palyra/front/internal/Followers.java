package palyra.front.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.run.Following;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.shared.gate.Gate;

/** The followers of runs. Bounded. Thread-safe. */
final class Followers implements AutoCloseable {
    private static final long OUTAGE_MILLIS = 30_000;
    private static final long CLOSE_MILLIS = 2_000;

    private final Gate<Journal> journal;
    private final Gate<LiveFeed> feed;
    private final WaitReasons waits;
    private final IntSupplier most;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<RunFollower> active = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Followers(Gate<Journal> journal, Gate<LiveFeed> feed, WaitReasons waits, IntSupplier most) {
        this.journal = journal;
        this.feed = feed;
        this.waits = waits;
        this.most = most;
        feed.onArrival(arrived -> active.forEach(RunFollower::feedArrived));
    }

    Following follow(String runId, RunPosition from, RunObserver observer) {
        takePlace();
        RunFollower follower =
                new RunFollower(
                        journal, feed, waits, runId, from, observer, OUTAGE_MILLIS, this::over);
        active.add(follower);
        follower.start();
        if (closed) {
            follower.stop(closing());
        }
        return follower;
    }

    private void takePlace() {
        int now = count.incrementAndGet();
        if (now > most.getAsInt()) {
            count.decrementAndGet();
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    most.getAsInt()
                            + " runs are being followed, which is the limit (maxFollowers of"
                            + " palyra.front); close one or try again later.");
        }
    }

    private void over(RunFollower follower) {
        active.remove(follower);
        count.decrementAndGet();
    }

    int count() {
        return count.get();
    }

    private static String closing() {
        return "The gateway's front is being replaced; follow again from the last sequence number.";
    }

    @Override
    public void close() {
        closed = true;
        Set<RunFollower> going = Set.copyOf(active);
        going.forEach(follower -> follower.stop(closing()));
        if (!awaitAll(going)) {
            going.forEach(RunFollower::interrupt); // observers that block
            awaitAll(going);
        }
    }

    private static boolean awaitAll(Set<RunFollower> followers) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
        try {
            for (RunFollower follower : followers) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (!follower.await(Math.max(0, left))) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

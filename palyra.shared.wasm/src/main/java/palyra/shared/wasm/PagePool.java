package palyra.shared.wasm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Pages of memory that running calls hold together. A call takes pages when it has them, not when
 * it might, and waits while the pool is empty. Growing calls come first, then new ones in the order
 * of their arrival.
 *
 * <p>Calls that hold pages and wait for more cannot stop each other: pages are given only while
 * some order is left in which every running call can still get all that it may ever ask for, one
 * after the other (the banker's algorithm of Dijkstra). So there is always one running call that
 * need not wait, and its end gives its pages to the next. Thread-safe.
 */
public final class PagePool {
    private final int total;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Claim> running = new ArrayList<>(); // guarded by lock
    private final Deque<Claim> growing = new ArrayDeque<>(); // guarded by lock
    private final Deque<Claim> starting = new ArrayDeque<>(); // guarded by lock

    /** Makes one of so many pages. */
    public PagePool(int total) {
        this.total = total;
    }

    /** Returns how many pages running calls hold. */
    public int held() {
        lock.lock();
        try {
            return sum();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many calls wait for pages. */
    public int waiting() {
        lock.lock();
        try {
            return growing.size() + starting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many pages there are. */
    public int total() {
        return total;
    }

    /** Returns a claim of a call that may come to so many pages; it holds none yet. */
    public Claim claim(int most) {
        return new Claim(Math.min(most, total));
    }

    private int sum() {
        return running.stream().mapToInt(claim -> claim.held).sum();
    }

    /** The pages of one call. Used by its thread; closed when it ends. */
    public final class Claim implements AutoCloseable {
        private final int most;
        private int held; // guarded by lock
        private int wanted; // guarded by lock; in addition to held pages
        private boolean given; // guarded by lock
        private volatile boolean waited;

        private Claim(int most) {
            this.most = most;
        }

        /**
         * Takes pages beside those that it holds; waits until they can be had.
         *
         * @return false when they never can: the claim would come to more than it may, or than all
         * @throws InterruptedException when the call is to end; nothing was taken
         */
        public boolean take(int pages) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                if ((long) held + pages > most) {
                    return false;
                }
                Deque<Claim> queue = running.contains(this) ? growing : starting;
                wanted = pages;
                given = false;
                queue.add(this);
                try {
                    give();
                    waited = !given;
                    while (!given) {
                        changed.await();
                    }
                    waited = false;
                } finally {
                    if (queue.remove(this)) {
                        give(); // others may have waited behind it
                    }
                }
                return true;
            } finally {
                lock.unlock();
            }
        }

        /** Returns how many pages it holds. */
        int held() {
            lock.lock();
            try {
                return held;
            } finally {
                lock.unlock();
            }
        }

        /** Returns how many pages all calls together have. */
        int total() {
            return total;
        }

        /**
         * Returns the end of a sentence about a call whose time ran out: what it waited for, and
         * what to do; a full stop when it did not wait for memory.
         *
         * @param pid of the engine's configuration, where people find {@code maxPages}
         */
        public String waitedFor(String pid) {
            return waited
                    ? " while it waited for memory: running calls hold "
                            + PagePool.this.held()
                            + " of "
                            + total
                            + " pages. Let fewer calls run at once, or raise maxPages of "
                            + pid
                            + "."
                    : ".";
        }

        /** Gives everything back. */
        @Override
        public void close() {
            lock.lock();
            try {
                if (running.remove(this)) {
                    held = 0;
                    give();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Gives to whom it can; called with the lock. */
    private void give() {
        growing.removeIf(this::given);
        while (growing.isEmpty() && !starting.isEmpty() && given(starting.getFirst())) {
            starting.removeFirst();
        }
        changed.signalAll();
    }

    private boolean given(Claim claim) {
        if (!safe(claim)) {
            return false;
        }
        if (!running.contains(claim)) {
            running.add(claim);
        }
        claim.held += claim.wanted;
        claim.given = true;
        return true;
    }

    /**
     * Whether all can still come to what they may, one after another, once this one has its wish.
     */
    private boolean safe(Claim asking) {
        List<int[]> claims = new ArrayList<>(); // needed, held
        int free = total - asking.wanted;
        for (Claim each : running) {
            free -= each.held;
            if (each != asking) {
                claims.add(new int[] {each.most - each.held, each.held});
            }
        }
        int then = asking.held + asking.wanted;
        claims.add(new int[] {asking.most - then, then});
        claims.sort(Comparator.comparingInt(claim -> claim[0]));
        for (int[] claim : claims) {
            if (claim[0] > free) {
                return false;
            }
            free += claim[1];
        }
        return true;
    }
}

package palyra.sandbox.posix.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * Keeps rulesets for further calls with the same rules, because to ask where 35 paths lead is a
 * third of the work of making one. A ruleset holds on to the files that its rules are on, so one
 * whose paths still lead to the same devices and inodes is what would be made now. Who restricts
 * himself by one gets a scope of his own every time. Thread-safe.
 */
public final class Rulesets implements AutoCloseable {
    private static final int KEPT = 8;

    private final Libc libc;
    private final LandlockRules rules;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Kept> kept = new ArrayList<>(); // guarded by lock; the newest last
    private boolean closed; // guarded by lock

    /** Creates it. */
    public Rulesets(Libc libc, LandlockRules rules) {
        this.libc = libc;
        this.rules = rules;
    }

    private static final class Kept {
        private final Landlock wanted;
        private final int descriptor;
        private final Places places;
        private int users; // guarded by lock
        private boolean dropped; // guarded by lock

        Kept(Landlock wanted, int descriptor, Places places) {
            this.wanted = wanted;
            this.descriptor = descriptor;
            this.places = places;
        }

        boolean isFor(Landlock other) {
            return wanted.handleFiles() == other.handleFiles()
                    && wanted.scoped() == other.scoped()
                    && wanted.paths().equals(other.paths());
        }
    }

    /** A ruleset that stays open until it is given back. */
    final class Lease implements AutoCloseable {
        private final Kept of;

        private Lease(Kept of) {
            this.of = of;
        }

        int descriptor() {
            return of.descriptor;
        }

        /** Returns whether the rule on a path is on the file or folder that is open. */
        boolean isOn(String path, int opened) {
            lock.lock();
            try {
                return of.places.led(path, opened);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                of.users--;
                closeUnused(of);
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Returns the ruleset of one call: files and scopes; empty when there is nothing to restrict.
     *
     * @throws PalyraException TOOL_UNAVAILABLE or RESOURCE_EXHAUSTED when the kernel refuses it
     */
    Optional<Lease> take(Landlock wanted) {
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The process launcher is stopping.");
            }
            Kept found = find(wanted);
            if (found == null) {
                Optional<Kept> made = make(wanted);
                if (made.isEmpty()) {
                    return Optional.empty();
                }
                found = made.get();
            }
            found.users++;
            return Optional.of(new Lease(found));
        } finally {
            lock.unlock();
        }
    }

    private Kept find(Landlock wanted) {
        for (Kept each : kept) {
            if (each.isFor(wanted)) {
                kept.remove(each);
                if (each.places.unchanged()) {
                    kept.add(each);
                    return each;
                }
                drop(each);
                return null;
            }
        }
        return null;
    }

    private Optional<Kept> make(Landlock wanted) {
        Places places = new Places(libc);
        int made;
        try {
            made = rules.ofCall(wanted, places);
        } catch (RuntimeException refused) {
            places.close();
            throw refused;
        }
        if (made < 0) {
            places.close();
            return Optional.empty();
        }
        Kept one = new Kept(wanted, made, places);
        if (kept.size() == KEPT) {
            drop(kept.remove(0));
        }
        kept.add(one);
        return Optional.of(one);
    }

    private void drop(Kept old) {
        old.dropped = true;
        closeUnused(old);
    }

    private void closeUnused(Kept one) {
        if (one.dropped && one.users == 0) {
            libc.close(one.descriptor);
            one.places.close();
        }
    }

    /** Gives all back; what is in use, once it is not. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            kept.forEach(this::drop);
            kept.clear();
        } finally {
            lock.unlock();
        }
    }
}

package palyra.sandbox.posix.internal.spawn;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Limit;

/**
 * Keeps images of stages, because to make one in memory takes a tenth of a launch, and most calls
 * have the same limits. An image is sealed, holds no secret of a call, and is only executed, so
 * nothing gets from one call to another by it. Thread-safe.
 */
public final class StageImages implements AutoCloseable {
    private static final int KEPT = 8;

    private final Libc libc;
    private final Descriptors descriptors;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Kept> kept = new ArrayList<>(); // guarded by lock; the newest last
    private boolean closed; // guarded by lock

    /** Creates it. */
    public StageImages(Libc libc) {
        this.libc = libc;
        descriptors = new Descriptors(libc);
    }

    /**
     * What an image is for.
     *
     * @param limits what it sets
     * @param hard hard limits of this process, -1 for none
     * @param own descriptor of the image in the process
     * @param doors descriptors of cgroups to join
     * @param gate descriptor that brings leave to go on; -1 for none
     */
    public record Wanted(
            Rlimits limits, Map<Limit, Long> hard, int own, List<Integer> doors, int gate) {
        /** Copies. */
        public Wanted {
            hard = Map.copyOf(hard);
            doors = List.copyOf(doors);
        }
    }

    private static final class Kept {
        private final Wanted wanted;
        private final int descriptor;
        private int users; // guarded by lock
        private boolean dropped; // guarded by lock

        Kept(Wanted wanted, int descriptor) {
            this.wanted = wanted;
            this.descriptor = descriptor;
        }
    }

    /** An image that stays open until it is given back. */
    public final class Lease implements AutoCloseable {
        private final Kept of;

        private Lease(Kept of) {
            this.of = of;
        }

        /** Returns its descriptor. */
        public int descriptor() {
            return of.descriptor;
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
     * Returns an image.
     *
     * @throws palyra.api.PalyraException RESOURCE_EXHAUSTED or TOOL_UNAVAILABLE when the system
     *     gives no file in memory
     */
    public Lease take(Wanted wanted) {
        lock.lock();
        try {
            Kept found =
                    kept.stream()
                            .filter(each -> each.wanted.equals(wanted))
                            .findFirst()
                            .orElseGet(() -> make(wanted));
            found.users++;
            return new Lease(found);
        } finally {
            lock.unlock();
        }
    }

    private Kept make(Wanted wanted) {
        byte[] image =
                StageImage.of(
                        wanted.limits(),
                        wanted.hard()::get,
                        wanted.own(),
                        wanted.doors(),
                        wanted.gate());
        Kept made = new Kept(wanted, descriptors.program(image));
        if (closed) {
            made.dropped = true;
            return made;
        }
        if (kept.size() == KEPT) {
            drop(kept.remove(0));
        }
        kept.add(made);
        return made;
    }

    private void drop(Kept old) {
        old.dropped = true;
        closeUnused(old);
    }

    private void closeUnused(Kept one) {
        if (one.dropped && one.users == 0) {
            libc.close(one.descriptor);
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

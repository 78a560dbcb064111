package palyra.sandbox.posix.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Keeps what is costly to make in the kernel for further calls that want the same: the eight that
 * were wanted last. Each is given back once, when it is neither kept nor in use any more. What is
 * kept is only ever touched under a lock, so it need not be thread-safe; this is.
 *
 * @param <T> what is kept, with what it was made for
 */
final class ResourceCache<T> implements AutoCloseable {
    private static final int KEPT = 8;

    private final Consumer<T> giveBack;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Kept<T>> kept = new ArrayList<>(); // guarded by lock; wanted last, last
    private boolean closed; // guarded by lock

    /**
     * Creates it; nothing is kept yet.
     *
     * @param giveBack gives one back to the kernel; called under the lock
     */
    public ResourceCache(Consumer<T> giveBack) {
        this.giveBack = giveBack;
    }

    private static final class Kept<T> {
        private final T one;
        private int users; // guarded by lock
        private boolean dropped; // guarded by lock

        Kept(T one) {
            this.one = one;
        }
    }

    /**
     * What stays open until it is closed, once.
     *
     * @param <T> what it is
     */
    static final class Lease<T> implements AutoCloseable {
        private final ResourceCache<T> cache;
        private final Kept<T> of;

        private Lease(ResourceCache<T> cache, Kept<T> of) {
            this.cache = cache;
            this.of = of;
        }

        /** Asks it while nobody else does. */
        public <R> R read(Function<T, R> question) {
            cache.lock.lock();
            try {
                return question.apply(of.one);
            } finally {
                cache.lock.unlock();
            }
        }

        @Override
        public void close() {
            cache.release(of);
        }
    }

    /**
     * Returns one that is kept, or a new one.
     *
     * @param fits whether one was made for the same
     * @param fresh whether one that fits is what would be made now; otherwise it is kept no longer
     * @param maker makes one; empty when there is nothing to make, and nothing is returned then
     * @throws PalyraException TOOL_UNAVAILABLE after {@link #close}, and what the maker throws
     */
    public Optional<Lease<T>> take(
            Predicate<T> fits, Predicate<T> fresh, Supplier<Optional<T>> maker) {
        lock.lock();
        try {
            if (closed) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE, "The process launcher is stopping.");
            }
            Optional<Kept<T>> found = find(fits, fresh).or(() -> maker.get().map(Kept::new));
            return found.map(this::keep);
        } finally {
            lock.unlock();
        }
    }

    private Optional<Kept<T>> find(Predicate<T> fits, Predicate<T> fresh) {
        Optional<Kept<T>> found = kept.stream().filter(each -> fits.test(each.one)).findFirst();
        found.ifPresent(kept::remove);
        if (found.isPresent() && !fresh.test(found.get().one)) {
            drop(found.get());
            return Optional.empty();
        }
        return found;
    }

    private Lease<T> keep(Kept<T> one) {
        if (kept.size() == KEPT) {
            drop(kept.remove(0));
        }
        kept.add(one);
        one.users++;
        return new Lease<>(this, one);
    }

    private void release(Kept<T> one) {
        lock.lock();
        try {
            one.users--;
            giveBackUnused(one);
        } finally {
            lock.unlock();
        }
    }

    private void drop(Kept<T> old) {
        old.dropped = true;
        giveBackUnused(old);
    }

    private void giveBackUnused(Kept<T> one) {
        if (one.dropped && one.users == 0) {
            giveBack.accept(one.one);
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

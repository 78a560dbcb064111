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
 * Caches kernel objects that are expensive to make: the eight used last. Each is freed once, when
 * it is neither cached nor in use. Objects are only accessed under a lock, so they need not be
 * thread-safe; the cache is.
 *
 * @param <T> the object with its key
 */
final class ResourceCache<T> implements AutoCloseable {
    private static final int KEPT = 8;

    private final Consumer<T> giveBack;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Kept<T>> kept = new ArrayList<>(); // guarded by lock; wanted last, last
    private boolean closed; // guarded by lock

    /**
     * Creates an empty cache.
     *
     * @param giveBack frees one; called under the lock
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
     * Keeps an object open until it is closed, once.
     *
     * @param <T> the object
     */
    static final class Lease<T> implements AutoCloseable {
        private final ResourceCache<T> cache;
        private final Kept<T> of;

        private Lease(ResourceCache<T> cache, Kept<T> of) {
            this.cache = cache;
            this.of = of;
        }

        /** Reads from it under the lock. */
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
     * Returns a cached object, or a new one.
     *
     * @param fits whether an object matches
     * @param fresh whether a matching object is still current; otherwise it is dropped
     * @param maker makes one; empty when no object is needed
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

    /** Frees all objects; those in use, once they are released. */
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

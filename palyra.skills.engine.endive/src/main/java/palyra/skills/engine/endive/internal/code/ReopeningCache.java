package palyra.skills.engine.endive.internal.code;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A cache that may be unavailable, as on a full medium: until it can be opened it keeps nothing,
 * and opening is retried at most every ten seconds, when it is used or its state is read.
 */
public final class ReopeningCache implements DiskCache {
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Opening opening;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile DiskCache cache = NONE;
    private volatile Throwable problem; // null once it is open
    private long triedNanos; // guarded by lock

    /** Opens the cache. */
    @FunctionalInterface
    public interface Opening {
        /** Returns it, or throws why it cannot be had now. */
        DiskCache open() throws IOException;
    }

    /** Tries to open it. */
    public ReopeningCache(Opening opening) {
        this(opening, System::nanoTime);
    }

    /** As above, with a clock of its own. */
    ReopeningCache(Opening opening, LongSupplier nanos) {
        this.opening = opening;
        this.nanos = nanos;
        tryNow();
    }

    private void tryNow() {
        triedNanos = nanos.getAsLong();
        try {
            cache = opening.open();
            problem = null;
        } catch (IOException | UnsupportedOperationException e) {
            problem = e;
        }
    }

    private DiskCache now() {
        if (problem != null && lock.tryLock()) {
            try {
                if (problem != null && nanos.getAsLong() - triedNanos >= AGAIN_NANOS) {
                    tryNow();
                }
            } finally {
                lock.unlock();
            }
        }
        return cache;
    }

    /** Returns why it cannot be had; empty when it is open. Tries again when it is time. */
    public Optional<Throwable> problem() {
        now();
        return Optional.ofNullable(problem);
    }

    @Override
    public Optional<byte[]> get(String digest) {
        return now().get(digest);
    }

    @Override
    public void put(String digest, byte[] content) {
        now().put(digest, content);
    }

    @Override
    public void remove(String digest) {
        now().remove(digest);
    }

    @Override
    public Counts counts() {
        return cache.counts();
    }
}

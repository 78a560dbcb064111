package palyra.models.internal.http;

/**
 * Limits the memory for incomplete answers of all turns of a provider: an unfinished line, an
 * answer that is not streamed, inputs of calls. Each turn has a small amount of its own; above it
 * the turns share the pool. Thread-safe.
 */
final class AnswerMemoryPool {
    /** Memory of each turn outside the pool. */
    static final long OWN_BYTES = 256 * 1_024;

    private static final int PART = 16;
    private static final long LEAST_BYTES = 8L << 20;

    private final long most;
    private long used; // guarded by this

    /** Creates a pool of a sixteenth of the maximum heap. */
    AnswerMemoryPool() {
        this(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART));
    }

    AnswerMemoryPool(long most) {
        this.most = most;
    }

    /** Returns an empty share for one turn. */
    Share share(String provider) {
        return new Share(provider);
    }

    synchronized long used() {
        return used;
    }

    private synchronized boolean move(long from, long to) {
        if (to > from && used + to - from > most) {
            return false;
        }
        used += to - from;
        return true;
    }

    /** Memory of one turn. For the turn's thread. */
    final class Share implements AutoCloseable {
        private final String provider;
        private long held;

        private Share(String provider) {
            this.provider = provider;
        }

        /**
         * Sets the bytes held.
         *
         * @throws TurnFailure when the turn alone is too large (not retryable), or all turns
         *     together are (retryable)
         */
        void hold(long bytes) throws TurnFailure {
            long shared = Math.max(0, bytes - OWN_BYTES);
            if (shared > most) {
                throw ModelFailures.tooLarge(
                        provider,
                        "its incomplete part takes more than "
                                + most
                                + " bytes of memory, a sixteenth of the heap.");
            }
            if (!move(held, shared)) {
                throw ModelFailures.crowded(provider, most);
            }
            held = shared;
        }

        @Override
        public void close() {
            move(held, 0);
            held = 0;
        }
    }
}

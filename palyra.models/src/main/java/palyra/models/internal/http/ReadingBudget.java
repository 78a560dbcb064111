package palyra.models.internal.http;

/**
 * The bytes that all turns of a provider may gather before they can tell them: a line that has not
 * ended, an answer that is no stream, inputs of calls. Each turn has a little of its own; beyond it
 * they share what the provider has. Thread-safe.
 */
final class ReadingBudget {
    /** What a turn may hold without asking. */
    static final long OWN_BYTES = 256 * 1_024;

    private static final int PART = 16;
    private static final long LEAST_BYTES = 8L << 20;

    private final long most;
    private long used; // guarded by this

    /** Creates a budget of a sixteenth of the largest heap. */
    ReadingBudget() {
        this(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART));
    }

    ReadingBudget(long most) {
        this.most = most;
    }

    /** Returns a part that holds nothing yet, for one turn. */
    Part part(String provider) {
        return new Part(provider);
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

    /** What one turn holds. Used by the turn's thread. */
    final class Part implements AutoCloseable {
        private final String provider;
        private long held;

        private Part(String provider) {
            this.provider = provider;
        }

        /**
         * Holds as many bytes from now on.
         *
         * @throws TurnFailure when the turn alone is too large, or the provider's turns would hold
         *     too much together; then it may be tried again
         */
        void hold(long bytes) throws TurnFailure {
            long shared = Math.max(0, bytes - OWN_BYTES);
            if (shared > most) {
                throw ModelFailures.tooLarge(
                        provider,
                        "what is not complete of it takes more than "
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

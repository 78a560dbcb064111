package palyra.shared.secrets;

/** How one shape fared at one place. Reused; for one thread. */
final class Attempt {
    /** Outcome of an attempt. */
    enum State {
        /** The shape is not here, for every continuation. */
        NONE,
        /** The text ends before it could be told; a secret would begin at {@link #start}. */
        MORE,
        /** It is here, from {@link #start} to {@link #end}. */
        MATCH
    }

    State state = State.NONE;
    int start;
    int end;

    void none() {
        state = State.NONE;
    }

    void more(int from) {
        state = State.MORE;
        start = from;
    }

    void match(int from, int to) {
        state = State.MATCH;
        start = from;
        end = to;
    }
}

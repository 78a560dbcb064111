package palyra.shared.connection;

/** One connection with its limits. Its mutable fields are guarded by {@link ConnectionLimits}. */
public abstract class BoundConnection {
    private final String network;

    int calls; // open now
    long usedMillis; // when it was opened, or a call began or ended on it; monotonic
    volatile String credential = ""; // id of the first one accepted on it; empty for a stranger's

    /**
     * @param network that it comes from, see {@link Networks}
     */
    protected BoundConnection(String network) {
        this.network = network;
    }

    /** Returns the address it comes from, as limits count addresses. */
    public final String network() {
        return network;
    }

    /** Returns whether no credential was accepted on it. */
    public final boolean isStranger() {
        return credential.isEmpty();
    }

    final boolean isIdle() {
        return calls == 0;
    }
}

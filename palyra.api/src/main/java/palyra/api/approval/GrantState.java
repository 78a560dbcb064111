package palyra.api.approval;

/** Where a grant stands. */
public enum GrantState {
    /** It covers calls. */
    ACTIVE,
    /** Its calls were made. */
    EXHAUSTED,
    /** Its time is over, or its session was archived. */
    EXPIRED,
    /** Somebody took it back. */
    REVOKED
}

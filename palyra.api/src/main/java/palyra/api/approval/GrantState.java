package palyra.api.approval;

/** The state of a grant. */
public enum GrantState {
    /** It covers calls. */
    ACTIVE,
    /** All its uses are spent. */
    EXHAUSTED,
    /** It expired, or its session was archived. */
    EXPIRED,
    /** It was revoked. */
    REVOKED
}

package palyra.api.approval;

/** The state of an approval request. */
public enum ApprovalState {
    /** Not answered yet. */
    PENDING,
    /** Approved. */
    GRANTED,
    /** Denied. */
    DENIED,
    /** Expired without an answer, which denies the call. */
    EXPIRED,
    /** The run ended first. */
    WITHDRAWN
}

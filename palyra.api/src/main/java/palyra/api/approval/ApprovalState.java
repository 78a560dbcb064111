package palyra.api.approval;

/** Where a question stands. */
public enum ApprovalState {
    /** Nobody answered. */
    PENDING,
    /** Yes. */
    GRANTED,
    /** No. */
    DENIED,
    /** Nobody answered in time, which means no. */
    EXPIRED,
    /** The run ended first. */
    WITHDRAWN
}

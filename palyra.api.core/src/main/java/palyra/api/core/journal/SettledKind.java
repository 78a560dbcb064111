package palyra.api.core.journal;

/** Rows that served a delivery or an approval, and can be dropped once they are settled. */
public enum SettledKind {
    /** Accepted messages: REJECTED ones, and ROUTED ones whose run has ended. */
    MESSAGE,
    /** Answers that are READABLE, SENT, FAILED or WITHDRAWN, of runs that have ended. */
    ANSWER,
    /** Durable commands that are done. */
    COMMAND,
    /** Approval requests that are not PENDING, of no run or of one that has ended; with votes. */
    APPROVAL,
    /** Grants that are not ACTIVE; with their uses. */
    GRANT
}

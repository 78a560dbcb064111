package palyra.api.approval;

/** How far an answer reaches. */
public enum ApprovalScope {
    /** This call only. */
    ONCE,
    /** Calls of the same shape in the same session. */
    SESSION,
    /** Calls of the same shape for a while. */
    TIMEBOXED
}

package palyra.api;

/**
 * Why a request was refused or failed, and who has to act.
 *
 * <p>The name of a constant is part of the formats (it goes on the tape and into JSON output) and
 * is never reused. New constants may appear in a minor version; a {@code switch} outside the API
 * needs a default that fails closed.
 */
public enum ErrorCode {
    /** A value in the request is missing, malformed or out of range. */
    INVALID_ARGUMENT(Kind.USER),
    /** The named object does not exist, or the caller may not see it. */
    NOT_FOUND(Kind.USER),
    /** An object of that name exists already. */
    ALREADY_EXISTS(Kind.USER),
    /** The state that the request assumed has changed; read again and decide again. */
    CONFLICT(Kind.USER),
    /** An idempotency key was used again with a different request. */
    IDEMPOTENCY_MISMATCH(Kind.USER),
    /** The credential is missing, unknown, expired or revoked. */
    UNAUTHENTICATED(Kind.POLICY),
    /** Policy, an approver or a sandbox denied the request. */
    DENIED(Kind.POLICY),
    /** No policy decision is available, so the request is denied. */
    POLICY_UNAVAILABLE(Kind.UNAVAILABLE),
    /** The journal is not available, stopped or read-only. */
    JOURNAL_UNAVAILABLE(Kind.UNAVAILABLE),
    /** The key store is not available. */
    KEYS_UNAVAILABLE(Kind.UNAVAILABLE),
    /** The gateway is not available. */
    GATEWAY_UNAVAILABLE(Kind.UNAVAILABLE),
    /** No provider for the model is available. */
    MODEL_UNAVAILABLE(Kind.UNAVAILABLE),
    /** The model was reached and failed. */
    MODEL_FAILED(Kind.UNAVAILABLE),
    /** No executor for the tool is available. */
    TOOL_UNAVAILABLE(Kind.UNAVAILABLE),
    /** A limit was reached: queue, budget, size or count. */
    RESOURCE_EXHAUSTED(Kind.RESOURCE),
    /** The medium has no space left. */
    DISK_FULL(Kind.RESOURCE),
    /** The medium cannot be written. */
    READ_ONLY(Kind.RESOURCE),
    /** A deadline passed. */
    TIMED_OUT(Kind.RESOURCE),
    /**
     * A change was submitted and its outcome is unknown. Do not send it as a new request; repeat it
     * with the same idempotency key, or look it up.
     */
    OUTCOME_UNKNOWN(Kind.UNAVAILABLE),
    /** The operation was cancelled. */
    CANCELLED(Kind.USER),
    /** Another engine holds the run; the caller must stop. */
    STALE_EPOCH(Kind.INTERNAL),
    /** Stored data does not match its hashes or cannot be read. */
    CORRUPT(Kind.INTERNAL),
    /** A defect of Palyra. */
    INTERNAL(Kind.INTERNAL);

    /** Who has to act. */
    public enum Kind {
        /** The caller, by changing the request. */
        USER,
        /** The policy author or an approver. */
        POLICY,
        /** The operator, by freeing resources. */
        RESOURCE,
        /** No action is needed: the caller may retry later. */
        UNAVAILABLE,
        /** The maintainers of Palyra. */
        INTERNAL
    }

    private final Kind kind;

    ErrorCode(Kind kind) {
        this.kind = kind;
    }

    /** Returns who has to act. */
    public Kind kind() {
        return kind;
    }
}

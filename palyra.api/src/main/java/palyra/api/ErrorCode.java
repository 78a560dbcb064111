package palyra.api;

/**
 * Why something was refused or failed, and whose turn it is to act.
 *
 * <p>The name of a constant is part of the formats (it goes on the tape and into JSON output) and
 * is never reused. New constants may appear in a minor version; a {@code switch} outside the api
 * needs a default that fails closed.
 */
public enum ErrorCode {
    /** A value in the request is missing, malformed or out of range. */
    INVALID_ARGUMENT(Kind.USER),
    /** The named thing does not exist, or the caller may not know that it does. */
    NOT_FOUND(Kind.USER),
    /** A thing of that name exists already. */
    ALREADY_EXISTS(Kind.USER),
    /** The state that the request assumed has changed; read again and decide again. */
    CONFLICT(Kind.USER),
    /** An idempotency key was used again with a different request. */
    IDEMPOTENCY_MISMATCH(Kind.USER),
    /** The credential is missing, unknown, expired or revoked. */
    UNAUTHENTICATED(Kind.POLICY),
    /** Policy, a person or a sandbox said no. */
    DENIED(Kind.POLICY),
    /** There is nobody to decide, so the answer is no. */
    POLICY_UNAVAILABLE(Kind.UNAVAILABLE),
    /** The journal is absent, stopped or read-only. */
    JOURNAL_UNAVAILABLE(Kind.UNAVAILABLE),
    /** The key store is absent. */
    KEYS_UNAVAILABLE(Kind.UNAVAILABLE),
    /** The gateway is absent. */
    GATEWAY_UNAVAILABLE(Kind.UNAVAILABLE),
    /** No provider for the model is present. */
    MODEL_UNAVAILABLE(Kind.UNAVAILABLE),
    /** The model was reached and failed. */
    MODEL_FAILED(Kind.UNAVAILABLE),
    /** No executor for the tool is present. */
    TOOL_UNAVAILABLE(Kind.UNAVAILABLE),
    /** A bound was reached: queue, budget, size, count. */
    RESOURCE_EXHAUSTED(Kind.RESOURCE),
    /** The medium has no space left. */
    DISK_FULL(Kind.RESOURCE),
    /** The medium cannot be written. */
    READ_ONLY(Kind.RESOURCE),
    /** A deadline passed. */
    TIMED_OUT(Kind.RESOURCE),
    /**
     * A change was handed in and it is not known whether it happened. It must not be sent anew as
     * another request; ask again with the same idempotency key, or look it up.
     */
    OUTCOME_UNKNOWN(Kind.UNAVAILABLE),
    /** Somebody asked for it to stop. */
    CANCELLED(Kind.USER),
    /** Another engine holds the run; the caller is out of date and must stop. */
    STALE_EPOCH(Kind.INTERNAL),
    /** Stored data does not agree with its own hashes or cannot be read. */
    CORRUPT(Kind.INTERNAL),
    /** A defect of Palyra. */
    INTERNAL(Kind.INTERNAL);

    /** Whose turn it is to act. */
    public enum Kind {
        /** The caller, by asking differently. */
        USER,
        /** Whoever decides what is permitted. */
        POLICY,
        /** The operator, by making room. */
        RESOURCE,
        /** Nobody: trying again later may help. */
        UNAVAILABLE,
        /** Whoever maintains Palyra. */
        INTERNAL
    }

    private final Kind kind;

    ErrorCode(Kind kind) {
        this.kind = kind;
    }

    /** Returns whose turn it is to act. */
    public Kind kind() {
        return kind;
    }
}

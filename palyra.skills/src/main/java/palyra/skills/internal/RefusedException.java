package palyra.skills.internal;

import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A skill was refused, with a reason code. Commands and services convert it to a PalyraException.
 */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Reasons that are about permission; all others are about broken or unfit data. */
    private static final Set<String> TRUST =
            Set.of(
                    "trust_store_tampered",
                    "publisher_untrusted",
                    "publisher_key_mismatch",
                    "tofu_key_mismatch",
                    "key_revoked",
                    "artifact_revoked",
                    "version_revoked",
                    "audit_failed");

    private static final Set<String> STATE =
            Set.of(
                    "downgrade",
                    "version_exists",
                    "publisher_changed",
                    "wrong_state",
                    "palyra_too_old",
                    "palyra_too_new");

    private final String reason;

    /**
     * @param reason machine-readable, such as {@code signature_invalid}
     * @param message sentences: what was asked, what was found, what to do
     */
    public RefusedException(String reason, String message) {
        this(reason, message, null);
    }

    /** As above with a cause, which may be null. */
    public RefusedException(String reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** Returns the machine-readable reason. */
    public String reason() {
        return reason;
    }

    /**
     * Returns it as callers outside see it, with the reason code at the end in parentheses: DENIED
     * when it is about trust, CONFLICT when it is about installed versions, else CORRUPT.
     */
    public PalyraException asPalyra() {
        ErrorCode code =
                TRUST.contains(reason)
                        ? ErrorCode.DENIED
                        : STATE.contains(reason) ? ErrorCode.CONFLICT : ErrorCode.CORRUPT;
        return as(code);
    }

    /** Returns it with another code. */
    public PalyraException as(ErrorCode code) {
        return new PalyraException(code, getMessage() + " (" + reason + ")", this);
    }
}

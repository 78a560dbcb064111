package palyra.api.access;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;

/**
 * The permission of a principal for one action on one resource.
 *
 * <p>The code that acts on it calls {@link #requireFor} first. A permit is for use at once; it is
 * not a capability to be kept.
 *
 * @param permitId ULID
 * @param principal who was permitted
 * @param action name of the action, such as {@code run.start}
 * @param resource what it is about, such as {@code session:01J…}; empty when the action has none
 * @param source what gave the decision
 * @param reason one sentence, with the rule or policy that allowed it
 * @param issuedAtMillis unix time in milliseconds
 */
public record Permit(
        String permitId,
        Principal principal,
        String action,
        String resource,
        DecisionSource source,
        String reason,
        long issuedAtMillis) {

    /** How long a permit may be acted on, in milliseconds. */
    public static final long VALID_MILLIS = 60_000;

    /** Checks. */
    public Permit {
        Require.text(permitId, "permit id");
        Require.present(principal, "principal");
        Require.text(action, "action");
        resource = Require.orEmpty(resource);
        Require.present(source, "decision source");
        reason = Require.orEmpty(reason);
    }

    /**
     * Throws {@link ErrorCode#DENIED} unless the permit is for {@code expectedAction} and still
     * fresh at {@code nowMillis}.
     */
    public void requireFor(String expectedAction, long nowMillis) {
        if (!action.equals(expectedAction)) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The permit is for "
                            + action
                            + ", but "
                            + expectedAction
                            + " was attempted; ask again for that action.");
        }
        if (nowMillis - issuedAtMillis > VALID_MILLIS) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The permit for " + action + " is older than a minute; ask again.");
        }
    }
}

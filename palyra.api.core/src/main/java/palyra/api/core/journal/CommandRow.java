package palyra.api.core.journal;

import palyra.api.Require;

/**
 * A request to the gateway that must survive the gateway's absence, such as a cancellation.
 *
 * @param commandId ULID; the order of acceptance
 * @param kind {@code run.cancel} or another word that the gateway knows
 * @param target what it is about: a run id
 * @param principal who asked
 * @param payload further content as canonical JSON; not copied
 * @param done whether the gateway has dealt with it
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record CommandRow(
        String commandId,
        String kind,
        String target,
        String principal,
        byte[] payload,
        boolean done,
        String result,
        long createdAtMillis) {
    /** Kind of a request to cancel the run {@code target}. */
    public static final String CANCEL_RUN = "run.cancel";

    /** Kind of a request to go on with the run {@code target}, which is QUARANTINED. */
    public static final String RETRY_RUN = "run.retry";

    /** Checks. */
    public CommandRow {
        Require.text(commandId, "command id");
        Require.text(kind, "command kind");
        target = Require.orEmpty(target);
        Require.text(principal, "principal");
        Require.present(payload, "payload");
        result = Require.orEmpty(result);
    }
}

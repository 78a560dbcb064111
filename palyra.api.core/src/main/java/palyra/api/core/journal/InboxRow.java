package palyra.api.core.journal;

import palyra.api.Require;

/**
 * A message that was accepted.
 *
 * @param messageId ULID; the order of acceptance
 * @param surface where it came in
 * @param dedupeKey the surface's own id of it; empty means none
 * @param principal who sent it
 * @param payload the message as canonical JSON; not copied
 * @param state its state
 * @param runId run that answers it. While queued: the id chosen by the sender, or empty when the
 *     gateway chooses. No two messages have the same, and none that is queued has one that exists
 * @param reason why it was rejected; empty otherwise
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record InboxRow(
        String messageId,
        String surface,
        String dedupeKey,
        String principal,
        byte[] payload,
        State state,
        String runId,
        String reason,
        long createdAtMillis) {
    /** The state of an accepted message. */
    public enum State {
        /** Not yet routed to a run. */
        QUEUED,
        /** A run exists for it. */
        ROUTED,
        /** It will never have one; the reason says why. */
        REJECTED
    }

    /** Checks. */
    public InboxRow {
        Require.text(messageId, "message id");
        Require.text(surface, "surface");
        dedupeKey = Require.orEmpty(dedupeKey);
        Require.text(principal, "principal");
        Require.present(payload, "payload");
        Require.present(state, "state");
        runId = Require.orEmpty(runId);
        reason = Require.orEmpty(reason);
    }

    /** Returns this message as routed to a run. */
    public InboxRow withRun(String id) {
        return new InboxRow(
                messageId,
                surface,
                dedupeKey,
                principal,
                payload,
                State.ROUTED,
                id,
                "",
                createdAtMillis);
    }
}

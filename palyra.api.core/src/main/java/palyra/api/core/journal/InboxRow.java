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
 * @param reason why it was rejected or ignored; empty otherwise
 * @param conversation conversation of a chat platform that it belongs to; empty for none
 * @param sender the platform's id of its sender; empty for none
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
        long createdAtMillis,
        String conversation,
        String sender) {
    /** The state of an accepted message. */
    public enum State {
        /** Not yet routed to a run. */
        QUEUED,
        /** A run exists for it. */
        ROUTED,
        /** It will never have one; the reason says why. */
        REJECTED,
        /**
         * The rules for its channel do not answer it; the reason is a code. Its text is not kept.
         */
        IGNORED
    }

    /** Creates one that comes from no conversation of a chat platform. */
    public InboxRow(
            String messageId,
            String surface,
            String dedupeKey,
            String principal,
            byte[] payload,
            State state,
            String runId,
            String reason,
            long createdAtMillis) {
        this(
                messageId,
                surface,
                dedupeKey,
                principal,
                payload,
                state,
                runId,
                reason,
                createdAtMillis,
                "",
                "");
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
        conversation = Require.orEmpty(conversation);
        sender = Require.orEmpty(sender);
    }

    /** Returns this message as routed to a run. */
    public InboxRow withRun(String id) {
        return settled(State.ROUTED, id, "");
    }

    /** Returns this message in another state. */
    public InboxRow settled(State to, String run, String why) {
        return new InboxRow(
                messageId,
                surface,
                dedupeKey,
                principal,
                payload,
                to,
                run,
                why,
                createdAtMillis,
                conversation,
                sender);
    }
}

package palyra.api.core.journal;

import palyra.api.Require;

/**
 * A final answer to be delivered.
 *
 * @param outboxId ULID; also the nonce that a connector reconciles by
 * @param runId run that it answers for
 * @param surface target surface
 * @param payload the message as canonical JSON; not copied
 * @param attempts how often a send was begun
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record OutboxRow(
        String outboxId,
        String runId,
        String surface,
        byte[] payload,
        State state,
        int attempts,
        long createdAtMillis,
        long updatedAtMillis) {
    /** The state of an answer. */
    public enum State {
        /** The surface reads it from the tape by itself; nothing is sent. */
        READABLE,
        /** Waits for its connector. */
        PENDING,
        /** A send was begun; after a crash the connector must find out. */
        SENDING,
        /** The other side has it. */
        SENT,
        /** Whether the other side has it cannot be found out. */
        UNKNOWN,
        /** The other side will never take it. */
        FAILED,
        /** The run was cancelled before a send was begun. */
        WITHDRAWN
    }

    /** Checks. */
    public OutboxRow {
        Require.text(outboxId, "outbox id");
        Require.text(runId, "run id");
        Require.text(surface, "surface");
        Require.present(payload, "payload");
        Require.present(state, "state");
    }
}

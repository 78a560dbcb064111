package palyra.api.core.journal;

import palyra.api.Require;

/**
 * An answer, or another message, to be delivered.
 *
 * @param outboxId ULID; what connectors reconcile by derives from it
 * @param runId run that it answers for; empty for a message of no run
 * @param surface target surface, such as {@code telegram:main}
 * @param orderKey messages of a surface with the same key are sent in the order of their ids; empty
 *     when it is not for a connector
 * @param payload the message as canonical JSON; not copied
 * @param progress how far sending is
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record OutboxRow(
        String outboxId,
        String runId,
        String surface,
        String orderKey,
        byte[] payload,
        State state,
        OutboxProgress progress,
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

    /** Creates an answer that is not for a connector. */
    public OutboxRow(
            String outboxId,
            String runId,
            String surface,
            byte[] payload,
            State state,
            int attempts,
            long createdAtMillis,
            long updatedAtMillis) {
        this(
                outboxId,
                runId,
                surface,
                "",
                payload,
                state,
                OutboxProgress.NONE.withAttempts(attempts),
                createdAtMillis,
                updatedAtMillis);
    }

    /** Checks. */
    public OutboxRow {
        Require.text(outboxId, "outbox id");
        runId = Require.orEmpty(runId);
        Require.text(surface, "surface");
        orderKey = Require.orEmpty(orderKey);
        Require.present(progress, "progress");
        Require.present(payload, "payload");
        Require.present(state, "state");
    }

    /** Returns how often a send of the current part was begun. */
    public int attempts() {
        return progress.attempts();
    }
}

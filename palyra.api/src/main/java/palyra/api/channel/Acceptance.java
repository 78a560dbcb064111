package palyra.api.channel;

import palyra.api.Require;

/**
 * What became of an inbound message. In each case it is durable, or needs not be, and the connector
 * may confirm it to the platform.
 *
 * @param outcome what became of it
 * @param messageId ULID of the stored message; empty for IGNORED without a record
 * @param reason code of why it was ignored, such as {@code sender_denied}; empty otherwise
 * @param said what the gateway itself answers, in CommonMark, for the connector to tell the sender
 *     alone; empty when it says nothing, or says it by a message. See {@link
 *     ConnectorContext#acceptAside}
 */
public record Acceptance(Outcome outcome, String messageId, String reason, String said) {
    /** What became of a message. */
    public enum Outcome {
        /** It was stored now. */
        STORED,
        /** It had been stored before. */
        KNOWN,
        /** The rules of the router do not answer it. */
        IGNORED
    }

    /** Checks. */
    public Acceptance {
        Require.present(outcome, "outcome");
        messageId = Require.orEmpty(messageId);
        reason = Require.orEmpty(reason);
        said = Require.orEmpty(said);
    }

    /** Creates one with nothing to tell. */
    public Acceptance(Outcome outcome, String messageId, String reason) {
        this(outcome, messageId, reason, "");
    }
}

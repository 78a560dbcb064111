package palyra.api.core.journal;

import palyra.api.Require;

/** A hint that something happened. Hints may be lost; what they point at is in the journal. */
public sealed interface FeedItem {
    /** A stream has records up to {@code seq}, durably. */
    record Advanced(String streamId, long seq) implements FeedItem {
        /** Checks. */
        public Advanced {
            Require.text(streamId, "stream id");
        }
    }

    /** A message was accepted and waits to be routed. */
    record MessageQueued(String messageId) implements FeedItem {}

    /** A durable command waits. */
    record CommandQueued(String commandId) implements FeedItem {}

    /** A person is asked. */
    record ApprovalAsked(String approvalId, String runId) implements FeedItem {}

    /** An approval was decided. */
    record ApprovalDecided(String approvalId, String runId) implements FeedItem {}

    /** An answer waits for its connector. */
    record AnswerQueued(String outboxId, String surface) implements FeedItem {}

    /**
     * Text that a model is streaming and that is not yet on the tape.
     *
     * @param offset how many characters of the same turn, attempt and kind came before
     * @param thought whether it is thought rather than answer
     */
    record LiveText(String runId, int turn, int attempt, boolean thought, long offset, String text)
            implements FeedItem {
        /** Checks. */
        public LiveText {
            Require.text(runId, "run id");
            Require.present(text, "text");
        }
    }

    /** {@code count} hints were dropped because the listener was slow: read from the journal. */
    record Lagged(long count) implements FeedItem {}

    /** The feed ends; subscribe again when a feed is back. */
    record Closed() implements FeedItem {}
}

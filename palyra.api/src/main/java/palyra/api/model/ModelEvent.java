package palyra.api.model;

import palyra.api.ErrorCode;
import palyra.api.Require;

/**
 * What a provider reports while a turn runs. Any number of deltas and proposals in order, then
 * exactly one {@link Finished} or {@link Failed}; later events are ignored.
 */
public sealed interface ModelEvent {
    /** More of the answer. Never empty; a piece never splits a Unicode code point. */
    record TextDelta(String text) implements ModelEvent {
        /** Checks. */
        public TextDelta {
            Require.that(text != null && !text.isEmpty(), "a text delta is never empty");
        }
    }

    /** More of what the model thinks; shown apart from the answer. Never empty. */
    record ThoughtDelta(String text) implements ModelEvent {
        /** Checks. */
        public ThoughtDelta {
            Require.that(text != null && !text.isEmpty(), "a thought delta is never empty");
        }
    }

    /** A complete proposal; its position among the proposals of the turn is its index. */
    record Proposed(ToolProposal proposal) implements ModelEvent {
        /** Checks. */
        public Proposed {
            Require.present(proposal, "proposal");
        }
    }

    /**
     * The turn ended well.
     *
     * @param finishReason the provider's word for why: {@code stop}, {@code tool_calls}, {@code
     *     length} or another
     * @param inputTokens tokens read, cached ones included; 0 when the provider does not say
     * @param outputTokens tokens written, thoughts included; 0 when the provider does not say
     * @param cachedInputTokens tokens read that the provider had cached; 0 when it does not say
     * @param counted whether the provider counted them: without that, a budget takes what was
     *     reserved for what was used
     */
    record Finished(
            String finishReason,
            long inputTokens,
            long outputTokens,
            long cachedInputTokens,
            boolean counted)
            implements ModelEvent {
        /** Checks. */
        public Finished {
            Require.text(finishReason, "finish reason");
            Require.that(
                    inputTokens >= 0 && outputTokens >= 0 && cachedInputTokens >= 0,
                    "numbers of tokens are at least 0");
        }

        /** Creates an end without a word about cached tokens; counted unless both are 0. */
        public Finished(String finishReason, long inputTokens, long outputTokens) {
            this(finishReason, inputTokens, outputTokens, 0, inputTokens + outputTokens > 0);
        }
    }

    /**
     * The turn failed.
     *
     * @param code why
     * @param message one sentence for a person, without secrets
     * @param retryable whether the same request may succeed later at the same place
     * @param cause what sort of failure it is: decides whether another provider is asked
     * @param retryAfterMillis how long the server asks to wait before the next attempt, in
     *     milliseconds; 0 when it does not say
     */
    record Failed(
            ErrorCode code,
            String message,
            boolean retryable,
            FailureCause cause,
            long retryAfterMillis)
            implements ModelEvent {
        /** Checks. */
        public Failed {
            Require.present(code, "error code");
            Require.text(message, "failure message");
            Require.present(cause, "cause of a failure");
            Require.that(retryAfterMillis >= 0, "a time to wait is at least 0");
        }

        /** Creates a failure of which nothing more is known. */
        public Failed(ErrorCode code, String message, boolean retryable) {
            this(code, message, retryable, FailureCause.OTHER, 0);
        }
    }
}

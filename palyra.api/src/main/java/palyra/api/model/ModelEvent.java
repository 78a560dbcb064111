package palyra.api.model;

import palyra.api.ErrorCode;
import palyra.api.Require;

/**
 * An event of a turn that a provider runs. Any number of deltas and proposals in order, then
 * exactly one {@link Finished} or {@link Failed}; later events are ignored.
 */
public sealed interface ModelEvent {
    /** The next piece of the answer. Never empty; a piece never splits a Unicode code point. */
    record TextDelta(String text) implements ModelEvent {
        /** Checks. */
        public TextDelta {
            Require.that(text != null && !text.isEmpty(), "a text delta is never empty");
        }
    }

    /** The next piece of the model's reasoning; shown apart from the answer. Never empty. */
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
     * The turn succeeded.
     *
     * @param finishReason the provider's finish reason: {@code stop}, {@code tool_calls}, {@code
     *     length} or another
     * @param inputTokens tokens read, cached ones included; 0 when the provider does not say
     * @param outputTokens tokens written, thoughts included; 0 when the provider does not say
     * @param cachedInputTokens tokens read that the provider had cached; 0 when it does not say
     * @param counted whether the provider counted the tokens; otherwise a budget counts the
     *     reserved amount as used
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

        /** Creates an end without cached tokens; counted unless both are 0. */
        public Finished(String finishReason, long inputTokens, long outputTokens) {
            this(finishReason, inputTokens, outputTokens, 0, inputTokens + outputTokens > 0);
        }
    }

    /**
     * The turn failed.
     *
     * @param code why
     * @param message one sentence for a person, without secrets
     * @param retryable whether the same request may succeed later at the same provider
     * @param cause kind of failure; decides whether another provider is tried
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

        /** Creates a failure of cause {@link FailureCause#OTHER}. */
        public Failed(ErrorCode code, String message, boolean retryable) {
            this(code, message, retryable, FailureCause.OTHER, 0);
        }
    }
}

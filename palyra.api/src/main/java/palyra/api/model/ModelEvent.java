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
     * @param inputTokens tokens read, 0 when the provider does not say
     * @param outputTokens tokens written, 0 when the provider does not say
     */
    record Finished(String finishReason, long inputTokens, long outputTokens)
            implements ModelEvent {
        /** Checks. */
        public Finished {
            Require.text(finishReason, "finish reason");
        }
    }

    /**
     * The turn failed.
     *
     * @param code why
     * @param message one sentence for a person, without secrets
     * @param retryable whether the same request may succeed later
     */
    record Failed(ErrorCode code, String message, boolean retryable) implements ModelEvent {
        /** Checks. */
        public Failed {
            Require.present(code, "error code");
            Require.text(message, "failure message");
        }
    }
}

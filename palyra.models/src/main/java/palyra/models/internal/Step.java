package palyra.models.internal;

import palyra.api.ErrorCode;

/** One thing that a scripted turn does. */
sealed interface Step {
    /** Streams text word by word, with a pause after each. */
    record Say(String text, long chunkMillis) implements Step {}

    /** Thinks aloud, word by word, with a pause after each. */
    record Think(String text, long chunkMillis) implements Step {}

    /** Proposes a call; the input may be malformed on purpose. */
    record Call(String tool, String inputJson) implements Step {}

    /** Does nothing for a while. */
    record Delay(long millis) implements Step {}

    /** Fails on the first {@code times} attempts of the turn and does nothing on later ones. */
    record Fail(ErrorCode code, String message, boolean retryable, int times) implements Step {
        /** Fails on every attempt. */
        static final int ALWAYS = Integer.MAX_VALUE;
    }

    /** Says nothing until it is stopped from outside. */
    record Stall() implements Step {}

    /** Streams one text many times, each time as one piece. */
    record Repeat(int count, String text) implements Step {}

    /** Says what the last tool put out. */
    record LastToolOutput() implements Step {}
}

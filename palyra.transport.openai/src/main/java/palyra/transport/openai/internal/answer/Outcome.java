package palyra.transport.openai.internal.answer;

/**
 * How a run answered.
 *
 * @param answer the final answer
 * @param finishReason {@code stop}, {@code length} or {@code content_filter}
 * @param usage tokens of all of its turns
 */
public record Outcome(String answer, String finishReason, Usage usage) {
    /**
     * Tokens of a run.
     *
     * @param input read by the model
     * @param cached of these, what the provider had cached
     * @param output written by the model
     */
    public record Usage(long input, long cached, long output) {
        /** Nothing was used. */
        public static final Usage NONE = new Usage(0, 0, 0);

        /** Returns both together. */
        public Usage plus(Usage other) {
            return new Usage(input + other.input, cached + other.cached, output + other.output);
        }
    }
}

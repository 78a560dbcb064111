package palyra.console.internal.run.card;

/** A part of a run's story, in the order of the first record of each. */
public sealed interface Item {
    /** Returns the first record that it is from. */
    long seq();

    /**
     * Something said by a person or another system, or the final answer.
     *
     * @param speaker who, such as {@code user:ada}
     * @param person whether a person wrote it, whose text is shown as typed
     */
    record Said(
            long seq, long timeMillis, String speaker, String surface, boolean person, String text)
            implements Item {}

    /**
     * What a model said in one turn.
     *
     * @param thought what it thought; empty for nothing
     * @param text its text; so far, while it is not finished
     * @param finished whether the turn is complete
     * @param model provider and model
     * @param restarts why attempts before were lost; empty for none
     * @param leftOut what of the conversation it was not shown; empty for nothing
     */
    record Turn(
            long seq,
            long timeMillis,
            int turn,
            String thought,
            String text,
            boolean finished,
            String model,
            String restarts,
            String leftOut)
            implements Item {}

    /** A call of a tool, from its proposal to its attestation. */
    record Call(ToolCard card) implements Item {
        @Override
        public long seq() {
            return card.steps().isEmpty() ? 0 : card.steps().get(0).seq();
        }
    }

    /** An event that a client put on the tape. */
    record Note(long seq, long timeMillis, String kind, String principal, String content)
            implements Item {}

    /** A record that is told in one sentence: erased, of a newer form, or not readable. */
    record Remark(long seq, long timeMillis, String type, String sentence) implements Item {}
}

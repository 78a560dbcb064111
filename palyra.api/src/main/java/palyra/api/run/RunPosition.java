package palyra.api.run;

import palyra.api.Require;

/**
 * How much of a run an observer has received, to continue there without a gap or a repeat. {@link
 * #advance} keeps it up to date.
 *
 * @param seq last sequence number that was received; 0 for none
 * @param turn turn whose text is partly received; 0 for none
 * @param attempt attempt within that turn; 0 when no text is partly received
 * @param answerChars characters of the answer of that attempt that were received
 * @param thoughtChars characters of its thoughts that were received
 */
public record RunPosition(long seq, int turn, int attempt, long answerChars, long thoughtChars) {
    /** Nothing was received. */
    public static final RunPosition START = new RunPosition(0, 0, 0, 0, 0);

    /** Checks. */
    public RunPosition {
        Require.that(seq >= 0, "a run is followed from 0 or a sequence number, not " + seq);
        Require.that(
                turn >= 0 && attempt >= 0 && answerChars >= 0 && thoughtChars >= 0,
                "a position within a turn has no negative numbers");
    }

    /**
     * Returns the position after a record, without the text of a turn in progress: an observer that
     * follows from here gets {@link RunEvent.Dropped} for that text, and then the text from its
     * beginning.
     */
    public static RunPosition after(long seq) {
        return new RunPosition(seq, 0, 0, 0, 0);
    }

    /** Returns the position after {@code event} was received as well. */
    public RunPosition advance(RunEvent event) {
        return switch (event) {
            case RunEvent.Recorded recorded ->
                    new RunPosition(recorded.seq(), turn, attempt, answerChars, thoughtChars);
            case RunEvent.Text text -> {
                boolean same = text.turn() == turn && text.attempt() == attempt;
                long answer = same ? answerChars : 0;
                long thought = same ? thoughtChars : 0;
                yield new RunPosition(
                        seq,
                        text.turn(),
                        text.attempt(),
                        text.thought() ? answer : text.end(),
                        text.thought() ? text.end() : thought);
            }
            case RunEvent.Dropped dropped -> dropped.turn() == turn ? after(seq) : this;
            case RunEvent.Waiting waiting -> this;
            case RunEvent.Ended ended -> this;
        };
    }
}

package palyra.console.internal.run.stream;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.run.RunPosition;

/**
 * The id of a stream event: how much of which run a tab has, so that a browser that connects again
 * goes on there. {@code run:ID:SEQ}, within the text of a turn {@code
 * run:ID:SEQ:TURN:ATTEMPT:ANSWER:THOUGHT}.
 *
 * @param runId run that is followed
 * @param position what was received of it
 */
public record EventId(String runId, RunPosition position) {
    private static final String NUMBER = "([0-9]{1,15})";
    private static final String TURN = "([0-9]{1,9})";
    private static final Pattern FORM =
            Pattern.compile(
                    "run:([0-7][0-9A-HJKMNP-TV-Z]{25}):"
                            + NUMBER
                            + "(?::"
                            + TURN
                            + ":"
                            + TURN
                            + ":"
                            + NUMBER
                            + ":"
                            + NUMBER
                            + ")?");

    /** Returns what an id says; empty for any other text. */
    public static Optional<EventId> of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long seq = Long.parseLong(matcher.group(2));
        RunPosition position =
                matcher.group(3) == null
                        ? RunPosition.after(seq)
                        : new RunPosition(
                                seq,
                                Integer.parseInt(matcher.group(3)),
                                Integer.parseInt(matcher.group(4)),
                                Long.parseLong(matcher.group(5)),
                                Long.parseLong(matcher.group(6)));
        return Optional.of(new EventId(matcher.group(1), position));
    }

    @Override
    public String toString() {
        String id = "run:" + runId + ":" + position.seq();
        return position.attempt() == 0
                ? id
                : id
                        + ":"
                        + position.turn()
                        + ":"
                        + position.attempt()
                        + ":"
                        + position.answerChars()
                        + ":"
                        + position.thoughtChars();
    }
}

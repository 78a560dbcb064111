package palyra.shared.secrets;

import java.util.List;

/**
 * One pass over a text, from left to right: at each place where an anchor of a shape may begin, the
 * shapes are tried in order, and the first that matches takes the text up to its end. For one
 * thread.
 */
final class Scan {
    private static final Shape[] NO_SHAPES = {};

    private final Shape[][] byFirst;
    private final Attempt attempt = new Attempt();
    private int hold;

    Scan(Shape[][] byFirst) {
        this.byFirst = byFirst;
    }

    /**
     * Looks at a text from {@code from} on.
     *
     * @param complete whether nothing follows
     * @param found takes what was found, in order
     * @return where to go on when more has come; the text's length when it was complete
     */
    int run(CharSequence text, int from, boolean complete, List<SecretMatch> found) {
        hold = text.length();
        int at = from;
        while (at < text.length()) {
            Shape match = first(text, at, complete);
            if (attempt.state == Attempt.State.MORE) {
                lookOn(text, at);
                return at;
            }
            if (match == null) {
                at++;
            } else {
                found.add(new SecretMatch(attempt.start, attempt.end, match.kind()));
                at = Math.max(at + 1, attempt.end);
            }
        }
        return at;
    }

    /** Returns the index before which, after a run, no secret can begin any more. */
    int hold() {
        return hold;
    }

    /** Returns the shape that matches at a place; null when none does or one is undecided. */
    private Shape first(CharSequence text, int at, boolean complete) {
        for (Shape shape : shapes(text, at)) {
            shape.attempt(text, at, complete, attempt);
            if (attempt.state != Attempt.State.NONE) {
                return attempt.state == Attempt.State.MATCH ? shape : null;
            }
        }
        attempt.none();
        return null;
    }

    private Shape[] shapes(CharSequence text, int at) {
        char first = text.charAt(at);
        if (first >= byFirst.length || Chars.isWord(first) && !Chars.begins(text, at)) {
            return NO_SHAPES;
        }
        return byFirst[first];
    }

    /** Finds the first place at which anything from here on could yet begin a secret. */
    private void lookOn(CharSequence text, int from) {
        for (int at = from; at < text.length(); at++) {
            for (Shape shape : shapes(text, at)) {
                shape.attempt(text, at, false, attempt);
                if (attempt.state != Attempt.State.NONE) {
                    hold = Math.min(hold, attempt.start);
                }
            }
        }
    }
}

package palyra.transport.openai.internal.answer;

/**
 * Makes one text out of the attempts of a turn for a client that can take nothing back: what a
 * later attempt repeats of an earlier one is not sent twice; where it differs, a line says that the
 * answer begins again, and it follows as a whole. Not thread-safe.
 */
final class ContinuousText {
    /** Goes between an abandoned attempt and the one that replaces it. */
    static final String AGAIN = "\n\n[The answer above was interrupted; here it begins again.]\n\n";

    private final StringBuilder sent = new StringBuilder(); // of what the attempt has to repeat
    private final StringBuilder held = new StringBuilder(); // repeated so far

    /** The attempt is void; the next piece begins another one. */
    void drop() {
        held.setLength(0);
    }

    /** Returns what to send for the next piece of the current attempt. */
    String add(String piece) {
        int repeated = 0;
        while (repeated < piece.length()
                && held.length() < sent.length()
                && sent.charAt(held.length()) == piece.charAt(repeated)) {
            held.append(piece.charAt(repeated));
            repeated++;
        }
        if (repeated == piece.length()) {
            return "";
        }
        String rest = piece.substring(repeated);
        if (held.length() == sent.length()) {
            held.append(rest);
            sent.append(rest);
            return rest;
        }
        return again(held + rest);
    }

    /** The turn is over and this is its text; returns what is still to be sent. */
    String end(String whole) {
        if (whole.contentEquals(sent)) {
            return "";
        }
        if (whole.length() > sent.length() && whole.startsWith(sent.toString())) {
            String rest = whole.substring(sent.length());
            sent.append(rest);
            return rest;
        }
        return again(whole);
    }

    private String again(String whole) {
        sent.setLength(0);
        sent.append(whole);
        held.setLength(0);
        held.append(whole);
        return AGAIN + whole;
    }
}

package palyra.shared.secrets;

/**
 * A secret without a look of its own, known by the name before it: {@code HEROKU_API_KEY="…"}. In
 * the name, case is ignored, and {@code _} matches one or no character of {@code _ - .} and blank.
 * Between name and value are one to sixteen blanks, quotes, brackets, {@code = : > ,}. Only the
 * value is the secret.
 */
record ContextShape(String kind, String name, Body body, Check check) implements Shape {
    private static final int MOST_BETWEEN = 16;
    private static final String BETWEEN = " \t\"'`=:>,([])\\";
    private static final String JOINTS = "_-. ";

    @Override
    public String firsts() {
        char first = name.charAt(0);
        return "" + first + Character.toUpperCase(first);
    }

    @Override
    public void attempt(CharSequence text, int at, boolean complete, Attempt outcome) {
        outcome.none();
        int value = value(text, nameEnd(text, at));
        if (value < 0) {
            return;
        }
        if (value >= text.length()) {
            if (!complete) {
                outcome.more(text.length()); // nothing of the value is here yet
            }
            return;
        }
        body.attempt(text, value, value, complete, outcome);
        body.judge(text, value, complete, check, outcome);
    }

    /** Returns where the name ends; the text's length when it ends first; -1 for another name. */
    private int nameEnd(CharSequence text, int from) {
        int at = from;
        for (int i = 0; i < name.length(); i++) {
            if (at == text.length()) {
                return at;
            }
            char wanted = name.charAt(i);
            char found = text.charAt(at);
            if (wanted == '_') {
                at += JOINTS.indexOf(found) >= 0 ? 1 : 0;
            } else if (Chars.lower(found) == wanted) {
                at++;
            } else {
                return -1;
            }
        }
        return at;
    }

    private static int value(CharSequence text, int nameEnd) {
        if (nameEnd < 0) {
            return -1;
        }
        int limit = Math.min(text.length(), nameEnd + MOST_BETWEEN);
        int at = nameEnd;
        while (at < limit && BETWEEN.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at == nameEnd && at < text.length() ? -1 : at;
    }
}

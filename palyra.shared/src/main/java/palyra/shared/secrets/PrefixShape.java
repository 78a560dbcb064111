package palyra.shared.secrets;

/**
 * A secret that begins with a text of its own, such as {@code ghp_}.
 *
 * @param alone whether no {@code - _ .} may precede it
 */
record PrefixShape(String kind, String prefix, Body body, Check check, boolean alone)
        implements Shape {
    @Override
    public String firsts() {
        return prefix.substring(0, 1);
    }

    @Override
    public void attempt(CharSequence text, int at, boolean complete, Attempt outcome) {
        outcome.none();
        if (alone && !Chars.beginsAlone(text, at)) {
            return;
        }
        int length = Math.min(prefix.length(), text.length() - at);
        for (int i = 1; i < length; i++) {
            if (text.charAt(at + i) != prefix.charAt(i)) {
                return;
            }
        }
        if (at + length == text.length()) {
            if (!complete) {
                outcome.more(at);
            }
            return;
        }
        int from = at + prefix.length();
        body.attempt(text, at, from, complete, outcome);
        body.judge(text, from, complete, check, outcome);
    }
}

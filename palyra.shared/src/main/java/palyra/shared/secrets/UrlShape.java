package palyra.shared.secrets;

/**
 * The password of {@code scheme://user:password@host}, RFC 3986 §3.2.1. A password that is a
 * variable ({@code $NAME}, <code>{name}</code>), a placeholder or shorter than three characters is
 * not a secret.
 */
final class UrlShape implements Shape {
    private static final int MOST_USER = 128;
    private static final int MOST_PASSWORD = 512;
    private static final int LEAST_PASSWORD = 3;
    private static final boolean[] USER = Chars.set('q');
    private static final boolean[] PASSWORD = password();

    private static boolean[] password() {
        boolean[] set = Chars.set('v');
        set['/'] = false;
        set['@'] = false;
        set['?'] = false;
        set['#'] = false;
        return set;
    }

    @Override
    public String kind() {
        return "url-password";
    }

    @Override
    public String firsts() {
        return ":";
    }

    @Override
    public void attempt(CharSequence text, int at, boolean complete, Attempt outcome) {
        outcome.none();
        int user = at + 3;
        if (at == 0
                || !Chars.isWord(text.charAt(at - 1))
                || user <= text.length() && !text.subSequence(at, user).toString().equals("://")) {
            return;
        }
        if (user > text.length()) {
            shortAnchor(text, at, complete, outcome);
            return;
        }
        int colon = user;
        while (colon < text.length()
                && colon - user < MOST_USER
                && Chars.in(USER, text.charAt(colon))
                && text.charAt(colon) != '/'
                && text.charAt(colon) != '@') {
            colon++;
        }
        if (colon == text.length()) {
            nothingYet(text, complete, outcome);
        } else if (text.charAt(colon) == ':') {
            password(text, colon + 1, complete, outcome);
        }
    }

    private static void shortAnchor(CharSequence text, int at, boolean complete, Attempt outcome) {
        if (!complete && (at + 1 == text.length() || text.charAt(at + 1) == '/')) {
            nothingYet(text, false, outcome);
        }
    }

    private static void nothingYet(CharSequence text, boolean complete, Attempt outcome) {
        if (!complete) {
            outcome.more(text.length());
        }
    }

    private static void password(CharSequence text, int from, boolean complete, Attempt outcome) {
        int end = from;
        while (end < text.length()
                && end - from < MOST_PASSWORD
                && Chars.in(PASSWORD, text.charAt(end))) {
            end++;
        }
        if (end == text.length()) {
            if (!complete) {
                outcome.more(from);
            }
        } else if (text.charAt(end) == '@' && isLiteral(text, from, end)) {
            outcome.match(from, end);
        }
    }

    private static boolean isLiteral(CharSequence text, int from, int end) {
        return end - from >= LEAST_PASSWORD
                && Check.LITERAL.accepts(text.subSequence(from, end).toString());
    }
}

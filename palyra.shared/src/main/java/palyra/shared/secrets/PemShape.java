package palyra.shared.secrets;

import java.util.List;

/**
 * A private key in textual form, RFC 7468: {@code -----BEGIN … PRIVATE KEY-----} to its end line,
 * or, when that is missing, as far as it looks like base64. Line breaks may be written as escapes.
 */
final class PemShape implements Shape {
    private static final String BEGIN = "-----BEGIN ";
    private static final List<String> LABELS =
            List.of(
                    "PRIVATE KEY-----",
                    "RSA PRIVATE KEY-----",
                    "EC PRIVATE KEY-----",
                    "DSA PRIVATE KEY-----",
                    "ENCRYPTED PRIVATE KEY-----",
                    "OPENSSH PRIVATE KEY-----",
                    "SSH2 ENCRYPTED PRIVATE KEY-----",
                    "PGP PRIVATE KEY BLOCK-----");
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final int MOST = 32_768;
    private static final int LEAST_BASE64 = 40;
    private static final int LONGEST_LABEL = 40;

    @Override
    public String kind() {
        return "private-key";
    }

    @Override
    public String firsts() {
        return "-";
    }

    @Override
    public void attempt(CharSequence text, int at, boolean complete, Attempt outcome) {
        outcome.none();
        int label = at + BEGIN.length();
        int body = -1;
        boolean partial = false;
        if (startsOrEnds(text, at, BEGIN)) {
            for (String each : LABELS) {
                if (label >= text.length() || startsOrEnds(text, label, each)) {
                    boolean whole = label + each.length() <= text.length();
                    partial |= !whole;
                    body = whole ? label + each.length() : body;
                }
            }
        }
        if (body >= 0) {
            key(text, at, body, complete, outcome);
        } else if (partial && !complete) {
            outcome.more(at);
        }
    }

    /** Returns whether {@code wanted} is at {@code at}, or the text ends within it. */
    private static boolean startsOrEnds(CharSequence text, int at, String wanted) {
        int length = Math.min(wanted.length(), text.length() - at);
        for (int i = 0; i < length; i++) {
            if (text.charAt(at + i) != wanted.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static void key(
            CharSequence text, int start, int body, boolean complete, Attempt outcome) {
        int limit = Math.min(text.length(), body + MOST);
        int at = body;
        int base64 = 0;
        while (at < limit && mayBeIn(text.charAt(at))) {
            if (text.charAt(at) == '-' && startsOrEnds(text, at, DASHES)) {
                break;
            }
            base64 += Chars.isWord(text.charAt(at)) ? 1 : 0;
            at++;
        }
        boolean ended = at < text.length() && startsOrEnds(text, at, END);
        int end = ended ? endLine(text, at) : at;
        if (end == text.length() && !complete && end - start < MOST) {
            outcome.more(start);
        } else if (base64 >= LEAST_BASE64) {
            outcome.match(start, ended ? end : trimmed(text, body, at));
        } else {
            outcome.none();
        }
    }

    /** Base64, white space, escapes, and what headers of encrypted keys hold. */
    private static boolean mayBeIn(char c) {
        return Chars.isWord(c) || "+/= \t\r\n\\:,-.()@<>\"".indexOf(c) >= 0;
    }

    private static int endLine(CharSequence text, int at) {
        int limit = Math.min(text.length(), at + END.length() + LONGEST_LABEL);
        int end = Math.min(limit, at + END.length());
        while (end < limit && (Chars.isWord(text.charAt(end)) || text.charAt(end) == ' ')) {
            end++;
        }
        int dashes = 0;
        while (end < limit && dashes < DASHES.length() && text.charAt(end) == '-') {
            end++;
            dashes++;
        }
        // The text ends within the line: wait for the rest of it.
        return dashes < DASHES.length() && limit == text.length() ? text.length() : end;
    }

    /** White space and quotes after the last of it are no part of a key without an end. */
    private static int trimmed(CharSequence text, int from, int end) {
        int last = end;
        while (last > from
                && !Chars.isWord(text.charAt(last - 1))
                && text.charAt(last - 1) != '=') {
            last--;
        }
        return last;
    }
}

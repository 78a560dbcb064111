package palyra.lib.cedar.internal.text;

import java.util.Set;
import java.util.function.Predicate;

/**
 * Splits a text as Cedar's own lexers do, without recursion. It never fails: where Cedar's lexer
 * would stop with an error, this one goes on with anything, and native code reports the error.
 */
public final class Lexer {
    private static final Set<String> DOUBLE = Set.of("&&", "||", "==", "!=", "<=", ">=", "::");

    private final String text;
    private int at;

    private Lexer(String text) {
        this.text = text;
    }

    /**
     * Hands on the tokens in order, comments included, blanks left out, one at a time: a list of
     * them takes a hundred times the room of the text.
     *
     * @param taker returns whether it wants more
     */
    public static void read(String text, Predicate<Token> taker) {
        new Lexer(text).all(taker);
    }

    private void all(Predicate<Token> taker) {
        boolean more = true;
        while (more && at < text.length()) {
            int start = at;
            int c = text.codePointAt(at);
            if (isBlank(c)) {
                at += Character.charCount(c);
            } else {
                more = taker.test(next(start, c));
            }
        }
    }

    /** Whitespace as Unicode defines it, like the {@code \s} of Cedar's lexer. */
    private static boolean isBlank(int c) {
        return Character.isSpaceChar(c) || (c >= 0x09 && c <= 0x0D) || c == 0x85;
    }

    private Token next(int start, int c) {
        if (text.startsWith("//", at)) {
            while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
                at++;
            }
            return new Token(Token.Kind.COMMENT, start, at, "");
        }
        if (c == '"') {
            string();
            return new Token(Token.Kind.STRING, start, at, "");
        }
        if (isWordStart(c)) {
            return word(start, Token.Kind.WORD);
        }
        if (isDigit(c)) {
            while (at < text.length() && isDigit(text.charAt(at))) {
                at++;
            }
            return new Token(Token.Kind.NUMBER, start, at, "");
        }
        return sign(start, c);
    }

    private void string() {
        at++;
        while (at < text.length() && text.charAt(at) != '"') {
            boolean escape = text.charAt(at) == '\\';
            if (escape && at + 1 < text.length() && text.charAt(at + 1) == '\n') {
                at = text.length(); // not a string for Cedar, which stops here
                return;
            }
            at += escape ? 2 : 1;
        }
        at = Math.min(at + 1, text.length());
    }

    private Token word(int start, Token.Kind kind) {
        while (at < text.length() && (isWordStart(text.charAt(at)) || isDigit(text.charAt(at)))) {
            at++;
        }
        return new Token(kind, start, at, text.substring(start, at));
    }

    private Token sign(int start, int c) {
        if (c == '?' && at + 1 < text.length() && isWordStart(text.charAt(at + 1))) {
            at++;
            return word(start, Token.Kind.SIGN);
        }
        boolean pair = at + 2 <= text.length() && DOUBLE.contains(text.substring(at, at + 2));
        at += pair ? 2 : Character.charCount(c);
        return new Token(Token.Kind.SIGN, start, at, text.substring(start, at));
    }

    private static boolean isWordStart(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}

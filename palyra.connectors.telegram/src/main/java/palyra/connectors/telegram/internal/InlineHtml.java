package palyra.connectors.telegram.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The inlines of one paragraph as HTML: emphasis (CommonMark 0.31, section 6.2, and {@code ~~}),
 * code spans, links, escapes. Tags are made in pairs that nest, so what comes out is balanced
 * whatever goes in.
 */
final class InlineHtml {
    private static final String ESCAPABLE = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    private static final Pattern AUTOLINK = Pattern.compile("<((?:https?|mailto):[^\\s<>]+)>");
    private static final Pattern LINKABLE = Pattern.compile("(?i)(?:https?://|mailto:).+");
    private static final int DEEPEST = 8; // labels within labels

    private final String text;
    private final int depth;
    private final boolean linked;
    private final List<Piece> pieces = new ArrayList<>();
    private final StringBuilder words = new StringBuilder();
    private int at;

    /** Text that is ready, or a run of delimiters, some of which become tags. */
    private static final class Piece {
        private final String html; // of text; null for delimiters
        private final char delimiter;
        private final int length; // of the whole run
        private final boolean opens;
        private final boolean closes;
        private int left;
        private boolean active = true;
        private String closed = "";
        private String opened = "";

        Piece(String html) {
            this.html = html;
            delimiter = 0;
            length = 0;
            opens = false;
            closes = false;
        }

        Piece(char delimiter, int length, boolean opens, boolean closes) {
            html = null;
            this.delimiter = delimiter;
            this.length = length;
            this.opens = opens;
            this.closes = closes;
            left = length;
        }

        @Override
        public String toString() {
            return html != null ? html : closed + String.valueOf(delimiter).repeat(left) + opened;
        }
    }

    private InlineHtml(String text, int depth, boolean linked) {
        this.text = text;
        this.depth = depth;
        this.linked = linked;
    }

    /** Returns a paragraph, or one of its lines, as HTML. */
    static String of(String text) {
        return new InlineHtml(text, 0, false).html();
    }

    private String html() {
        while (at < text.length()) {
            step(text.charAt(at));
        }
        endWords();
        match();
        StringBuilder html = new StringBuilder();
        pieces.forEach(html::append);
        return html.toString();
    }

    private void step(char c) {
        switch (c) {
            case '\\' -> escape();
            case '`' -> code();
            case '*', '_', '~' -> delimiters(c);
            case '<' -> autolink();
            case '!', '[' -> link(c);
            default -> literal(1);
        }
    }

    private void literal(int length) {
        words.append(text, at, at + length);
        at += length;
    }

    private void endWords() {
        if (words.length() > 0) {
            pieces.add(new Piece(TelegramHtml.escaped(words.toString())));
            words.setLength(0);
        }
    }

    private void ready(String html, int end) {
        endWords();
        pieces.add(new Piece(html));
        at = end;
    }

    private void escape() {
        boolean escapes =
                at + 1 < text.length()
                        && (ESCAPABLE.indexOf(text.charAt(at + 1)) >= 0
                                || text.charAt(at + 1) == '\n');
        if (escapes) {
            at++;
        }
        literal(1);
    }

    private int runEnd(int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) == text.charAt(from)) {
            end++;
        }
        return end;
    }

    private void code() {
        int begin = runEnd(at);
        int close = codeEnd(begin, begin - at);
        if (close < 0) {
            literal(begin - at);
            return;
        }
        String code = text.substring(begin, close).replace('\n', ' ');
        if (code.startsWith(" ") && code.endsWith(" ") && !code.isBlank()) {
            code = code.substring(1, code.length() - 1);
        }
        ready("<code>" + TelegramHtml.escaped(code) + "</code>", close + begin - at);
    }

    /** Returns where the run begins that closes a code span; -1 when none does. */
    private int codeEnd(int from, int length) {
        for (int tick = text.indexOf('`', from); tick >= 0; ) {
            int end = runEnd(tick);
            if (end - tick == length) {
                return tick;
            }
            tick = text.indexOf('`', end);
        }
        return -1;
    }

    private void autolink() {
        Matcher link = AUTOLINK.matcher(text).region(at, text.length());
        if (linked || !link.lookingAt()) {
            literal(1);
            return;
        }
        String address = TelegramHtml.escaped(link.group(1));
        ready("<a href=\"" + address + "\">" + address + "</a>", link.end());
    }

    private void link(char c) {
        int open = c == '!' ? at + 1 : at;
        boolean label = open < text.length() && text.charAt(open) == '[';
        int close = label && depth < DEEPEST ? labelEnd(open) : -1;
        LinkTarget target = close < 0 ? null : LinkTarget.at(text, close + 1);
        if (target == null) {
            literal(1);
            return;
        }
        ready(link(text.substring(open + 1, close), target.address()), target.end());
    }

    private String link(String label, String address) {
        boolean link = !linked && LINKABLE.matcher(address).matches();
        String shown = new InlineHtml(label, depth + 1, linked || link).html();
        String escaped = TelegramHtml.escaped(address);
        if (label.isBlank()) {
            shown = escaped;
        } else if (!link && !address.isEmpty()) {
            shown += " (" + escaped + ")";
        }
        return link ? "<a href=\"" + escaped + "\">" + shown + "</a>" : shown;
    }

    /** Returns where the label that begins here ends; -1 when it does not. */
    private int labelEnd(int open) {
        int nested = 0;
        for (int i = open; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '\\' -> i++;
                case '`' -> {
                    int begin = runEnd(i);
                    int end = codeEnd(begin, begin - i);
                    i = end < 0 ? begin - 1 : end + begin - i - 1;
                }
                case '[' -> nested++;
                case ']' -> {
                    nested--;
                    if (nested == 0) {
                        return i;
                    }
                }
                default -> {}
            }
        }
        return -1;
    }

    private void delimiters(char c) {
        int end = runEnd(at);
        int before = at == 0 ? '\n' : text.codePointBefore(at);
        int after = end == text.length() ? '\n' : text.codePointAt(end);
        boolean left = !isSpace(after) && (!isMark(after) || isSpace(before) || isMark(before));
        boolean right = !isSpace(before) && (!isMark(before) || isSpace(after) || isMark(after));
        boolean opens = c == '_' ? left && (!right || isMark(before)) : left;
        boolean closes = c == '_' ? right && (!left || isMark(after)) : right;
        if (c == '~' && end - at != 2) {
            literal(end - at);
            return;
        }
        endWords();
        pieces.add(new Piece(c, end - at, opens, closes));
        at = end;
    }

    private static boolean isSpace(int character) {
        return Character.isWhitespace(character) || Character.isSpaceChar(character);
    }

    private static boolean isMark(int character) {
        return switch (Character.getType(character)) {
            case Character.CONNECTOR_PUNCTUATION,
                    Character.DASH_PUNCTUATION,
                    Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION,
                    Character.INITIAL_QUOTE_PUNCTUATION,
                    Character.FINAL_QUOTE_PUNCTUATION,
                    Character.OTHER_PUNCTUATION,
                    Character.MATH_SYMBOL,
                    Character.CURRENCY_SYMBOL,
                    Character.MODIFIER_SYMBOL,
                    Character.OTHER_SYMBOL ->
                    true;
            default -> false;
        };
    }

    /** Makes tags of delimiters that belong together; the others stay text. */
    private void match() {
        for (int c = 0; c < pieces.size(); c++) {
            Piece closer = pieces.get(c);
            while (closer.closes && closer.active && closer.left > 0) {
                int o = opener(c);
                if (o < 0) {
                    break;
                }
                tag(pieces.get(o), closer);
                pieces.subList(o + 1, c).forEach(between -> between.active = false);
            }
        }
    }

    private int opener(int closerAt) {
        Piece closer = pieces.get(closerAt);
        for (int o = closerAt - 1; o >= 0; o--) {
            Piece opener = pieces.get(o);
            boolean fits =
                    opener.opens
                            && opener.active
                            && opener.left > 0
                            && opener.delimiter == closer.delimiter;
            boolean odd = // as CommonMark has it, for **a*b**
                    (opener.closes || closer.opens)
                            && (opener.length + closer.length) % 3 == 0
                            && (opener.length % 3 != 0 || closer.length % 3 != 0);
            if (fits && !odd) {
                return o;
            }
        }
        return -1;
    }

    private static void tag(Piece opener, Piece closer) {
        int length = opener.left >= 2 && closer.left >= 2 ? 2 : 1;
        String name = opener.delimiter == '~' ? "s" : length == 2 ? "b" : "i";
        opener.opened = "<" + name + ">" + opener.opened;
        closer.closed = closer.closed + "</" + name + ">";
        opener.left -= length;
        closer.left -= length;
    }
}

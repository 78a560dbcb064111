package palyra.connectors.telegram.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.channel.MarkdownParts;
import palyra.shared.connector.Texts;

/**
 * Turns CommonMark as models write it into the HTML of Telegram's messages: {@code b i s code pre a
 * blockquote}, nothing else, each tag closed, everything else escaped. Headings are bold, tables
 * are text of one width, lists stay text. Each part has at most {@link #MAX} UTF-16 units without
 * its tags. Pure.
 */
final class TelegramHtml {
    /** Longest message, counted as Telegram does: without tags. */
    static final int MAX = 4_096;

    private static final Pattern FENCE = Pattern.compile("^ {0,3}(`{3,}|~{3,})([^`]*)$");
    private static final Pattern HEADING =
            Pattern.compile("^ {0,3}#{1,6}[ \\t]+(.*?)([ \\t]+#+)?$");
    private static final Pattern ITEM =
            Pattern.compile("^([ \\t]*)([-*+]|[0-9]{1,9}[.)])([ \\t]+)(.+)$");
    private static final Pattern QUOTE = Pattern.compile("^ {0,3}> ?");
    private static final Pattern DELIMITER = Pattern.compile(":?-+:?");
    private static final Pattern CELL_END = Pattern.compile("(?<!\\\\)\\|");
    private static final Pattern LANGUAGE = Pattern.compile("[A-Za-z0-9+#._-]{1,32}");
    private static final Pattern TAG = Pattern.compile("<(/?)([a-z]+)(?: [a-z]+=\"([^\"]*)\")?>");
    private static final String LINE = "———";

    private final String[] lines;
    private final List<String> blocks = new ArrayList<>();
    private final List<String> paragraph = new ArrayList<>();
    private int at;

    /** How many characters tables may still take beyond what they are in Markdown. */
    private int room;

    private TelegramHtml(String markdown, int room) {
        lines = markdown.split("\n", -1);
        this.room = room;
    }

    /** Returns the messages of an answer, in order. */
    static List<String> render(String markdown) {
        return MarkdownParts.cut(Texts.wellFormed(markdown), MAX).stream()
                .map(TelegramHtml::part)
                .toList();
    }

    private static String part(String markdown) {
        String html = new TelegramHtml(markdown, MAX - markdown.length()).html();
        String text = text(html);
        return text.isBlank() || text.length() > MAX ? escaped(markdown) : html;
    }

    /** Returns text for HTML. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String unescaped(String html) {
        return html.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&");
    }

    /** Returns what people read of a message. */
    static String text(String html) {
        return unescaped(TAG.matcher(html).replaceAll(""));
    }

    /** Returns a message without form; links keep their addresses if there is room. */
    static String plain(String html) {
        StringBuilder plain = new StringBuilder();
        Matcher tag = TAG.matcher(html);
        String address = "";
        while (tag.find()) {
            tag.appendReplacement(plain, "");
            if (tag.group(2).equals("a")) {
                boolean ends = !tag.group(1).isEmpty();
                plain.append(ends && !address.isEmpty() ? " (" + address + ")" : "");
                address = ends || tag.group(3) == null ? "" : tag.group(3);
            }
        }
        String text = unescaped(tag.appendTail(plain).toString());
        return text.length() <= MAX ? text : Texts.cut(text(html), MAX);
    }

    private String html() {
        while (at < lines.length) {
            String line = lines[at];
            Matcher fence = FENCE.matcher(line);
            if (fence.matches()) {
                code(fence.group(1), fence.group(2).strip());
            } else if (isTable()) {
                table();
            } else if (QUOTE.matcher(line).find()) {
                quote();
            } else {
                line(line);
                at++;
            }
        }
        endParagraph();
        return String.join("\n", blocks);
    }

    private void block(String html) {
        endParagraph();
        blocks.add(html);
    }

    private void endParagraph() {
        if (!paragraph.isEmpty()) {
            blocks.add(InlineHtml.of(String.join("\n", paragraph)));
            paragraph.clear();
        }
    }

    private void line(String line) {
        Matcher heading = HEADING.matcher(line);
        Matcher item = ITEM.matcher(line);
        if (line.isBlank()) {
            block("");
        } else if (heading.matches() && !heading.group(1).isBlank()) {
            block("<b>" + InlineHtml.of(heading.group(1)) + "</b>");
        } else if (isRule(line)) {
            block(LINE);
        } else if (item.matches()) {
            boolean bullet = item.group(2).length() == 1;
            block(
                    item.group(1)
                            + (bullet ? "•" : item.group(2))
                            + item.group(3)
                            + InlineHtml.of(item.group(4)));
        } else {
            paragraph.add(line);
        }
    }

    private static boolean isRule(String line) {
        String marks = line.replaceAll("[ \\t]", "");
        char mark = marks.charAt(0);
        return marks.length() >= 3
                && "-*_".indexOf(mark) >= 0
                && marks.chars().allMatch(each -> each == mark);
    }

    private void code(String marker, String info) {
        List<String> inside = new ArrayList<>();
        at++;
        while (at < lines.length && !closes(lines[at], marker)) {
            inside.add(lines[at++]);
        }
        at++;
        String code = escaped(String.join("\n", inside));
        String language = info.split("[ \\t]", 2)[0];
        block(
                LANGUAGE.matcher(language).matches()
                        ? "<pre><code class=\"language-" + language + "\">" + code + "</code></pre>"
                        : "<pre>" + code + "</pre>");
    }

    private static boolean closes(String line, String marker) {
        Matcher fence = FENCE.matcher(line);
        return fence.matches() && fence.group(2).isBlank() && fence.group(1).startsWith(marker);
    }

    /** Quotes do not nest in Telegram, so a quote within a quote is part of it. */
    private void quote() {
        StringBuilder inside = new StringBuilder();
        int first = at;
        while (at < lines.length && QUOTE.matcher(lines[at]).find()) {
            inside.append(at == first ? "" : "\n").append(unquoted(lines[at++]));
        }
        TelegramHtml quoted = new TelegramHtml(inside.toString(), room);
        block("<blockquote>" + quoted.html() + "</blockquote>");
        room = quoted.room;
    }

    private static String unquoted(String line) {
        String rest = line;
        for (Matcher mark = QUOTE.matcher(rest); mark.find(); mark = QUOTE.matcher(rest)) {
            rest = rest.substring(mark.end());
        }
        return rest;
    }

    private boolean isTable() {
        return at + 1 < lines.length
                && lines[at].indexOf('|') >= 0
                && lines[at + 1].indexOf('-') >= 0
                && Arrays.stream(cells(lines[at + 1]))
                        .allMatch(cell -> DELIMITER.matcher(cell).matches());
    }

    private void table() {
        List<String> rows = new ArrayList<>();
        while (at < lines.length && lines[at].indexOf('|') >= 0 && !lines[at].isBlank()) {
            rows.add(lines[at++]);
        }
        String raw = String.join("\n", rows);
        String even = rows.size() < 2 ? raw : even(rows);
        boolean fits = even.length() - raw.length() <= room;
        room -= fits ? Math.max(0, even.length() - raw.length()) : 0;
        block("<pre>" + escaped(fits ? even : raw) + "</pre>");
    }

    /** Returns the rows with columns of one width; the delimiters become a line. */
    private static String even(List<String> rows) {
        List<String[]> cells = rows.stream().map(TelegramHtml::cells).toList();
        int columns = cells.stream().mapToInt(row -> row.length).max().orElse(1);
        int[] widths = new int[columns];
        for (int i = 0; i < cells.size(); i++) {
            for (int c = 0; i != 1 && c < cells.get(i).length; c++) {
                widths[c] = Math.max(widths[c], width(cells.get(i)[c]));
            }
        }
        StringBuilder even = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            even.append(i == 0 ? "" : "\n")
                    .append(i == 1 ? rule(widths) : row(cells.get(i), widths));
        }
        return even.toString();
    }

    private static String[] cells(String row) {
        String inner = row.strip().replaceFirst("^\\|", "").replaceFirst("(?<!\\\\)\\|$", "");
        return Arrays.stream(CELL_END.split(inner, -1))
                .map(cell -> cell.strip().replace("\\|", "|"))
                .toArray(String[]::new);
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String row(String[] cells, int[] widths) {
        StringBuilder row = new StringBuilder();
        for (int c = 0; c < cells.length; c++) {
            row.append(c == 0 ? "" : " | ").append(cells[c]);
            if (c < widths.length - 1) {
                row.repeat(' ', widths[c] - width(cells[c]));
            }
        }
        return row.toString().stripTrailing();
    }

    private static String rule(int[] widths) {
        StringBuilder rule = new StringBuilder();
        for (int c = 0; c < widths.length; c++) {
            rule.append(c == 0 ? "" : "-+-").repeat('-', widths[c]);
        }
        return rule.toString();
    }
}

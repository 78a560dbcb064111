package palyra.console.internal.run.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of models as blocks: paragraphs, headings, lists, quotes, code and tables. Everything else,
 * HTML and images among it, stays the text that it is. It yields values, which templates escape, so
 * no text becomes markup. Linear in the text but for the bounds named here. Pure functions.
 */
public final class Markdown {
    /** Characters that are read as Markdown; what follows is shown as it is. */
    static final int MAX_CHARACTERS = 256 * 1024;

    /** Quotes and lists within each other; deeper ones are paragraphs. */
    static final int MAX_DEPTH = 8;

    private static final int MAX_COLUMNS = 32;
    // What is repeated gives nothing back, so that no expression tries a long line again and again.
    private static final Pattern HEADING = whole(" {0,3}(#{1,6})[ \t]++(.*)");
    private static final Pattern FENCE = whole(" {0,3}(`{3,}+|~{3,}+)[ \t]*+([^`]*+)");
    private static final Pattern BULLET = whole("( {0,3})([-*+])[ \t]++(.*)");
    private static final Pattern NUMBERED = whole("( {0,3})([0-9]{1,9})[.)][ \t]++(.*)");
    private static final Pattern QUOTE = whole(" {0,3}> ?(.*)");
    private static final Pattern DELIMITERS =
            whole(
                    "[ \t]*+(?:\\|[ \t]*+)?+:?-++:?[ \t]*+(?:\\|[ \t]*+:?-++:?[ \t]*+)*+"
                            + "(?:\\|[ \t]*+)?+");

    /** A block. */
    public sealed interface Block {
        /** Text. */
        record Paragraph(List<Inline> content) implements Block {}

        /**
         * A heading.
         *
         * @param level 1 to 6
         */
        record Heading(int level, List<Inline> content) implements Block {}

        /**
         * Text as it is.
         *
         * @param language word after the fence; empty for none
         */
        record Code(String language, String text) implements Block {}

        /** What another said. */
        record Quote(List<Block> content) implements Block {}

        /**
         * A list.
         *
         * @param numbered whether items have numbers
         * @param start first number
         */
        record Items(boolean numbered, int start, List<List<Block>> items) implements Block {}

        /** A table. */
        record Table(List<List<Inline>> head, List<List<List<Inline>>> rows) implements Block {}

        /** A line across. */
        record Rule() implements Block {}
    }

    private final List<String> lines;
    private final int depth;
    private final List<Block> blocks = new ArrayList<>();
    private int at;

    private Markdown(List<String> lines, int depth) {
        this.lines = lines;
        this.depth = depth;
    }

    /** A line may hold letters that end a line elsewhere, such as U+2028: a dot is any letter. */
    private static Pattern whole(String expression) {
        return Pattern.compile(expression, Pattern.DOTALL);
    }

    /** Returns the blocks of a text. */
    public static List<Block> blocks(String text) {
        String normal = text.replace("\r\n", "\n").replace('\r', '\n');
        if (normal.length() <= MAX_CHARACTERS) {
            return new Markdown(List.of(normal.split("\n", -1)), 0).read();
        }
        int end = normal.lastIndexOf('\n', MAX_CHARACTERS);
        int cut = end < 0 ? MAX_CHARACTERS : end;
        List<Block> all =
                new ArrayList<>(
                        new Markdown(List.of(normal.substring(0, cut).split("\n", -1)), 0).read());
        all.add(new Block.Code("", normal.substring(cut)));
        return List.copyOf(all);
    }

    private List<Block> read() {
        while (at < lines.size()) {
            String line = lines.get(at);
            if (line.isBlank()) {
                at++;
            } else if (!special(line)) {
                paragraph();
            }
        }
        return List.copyOf(blocks);
    }

    /** Reads the block that begins here, unless it is a paragraph. */
    private boolean special(String line) {
        Matcher fence = FENCE.matcher(line);
        if (fence.matches()) {
            code(fence.group(1), fence.group(2));
            return true;
        }
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
            at++;
            String title = open(heading.group(2).strip());
            blocks.add(new Block.Heading(heading.group(1).length(), Inlines.of(title)));
            return true;
        }
        if (isRule(line)) {
            at++;
            blocks.add(new Block.Rule());
            return true;
        }
        if (depth < MAX_DEPTH && QUOTE.matcher(line).matches()) {
            quote();
            return true;
        }
        if (depth < MAX_DEPTH && item(line) != null) {
            list();
            return true;
        }
        return table(line);
    }

    /** Returns a title without the marks that close it. */
    private static String open(String title) {
        int end = title.length();
        while (end > 0 && title.charAt(end - 1) == '#') {
            end--;
        }
        if (end == title.length() || end > 0 && !isBlank(title.charAt(end - 1))) {
            return title;
        }
        while (end > 0 && isBlank(title.charAt(end - 1))) {
            end--;
        }
        return title.substring(0, end);
    }

    private static boolean isBlank(char letter) {
        return letter == ' ' || letter == '\t';
    }

    private void code(String fence, String info) {
        StringBuilder text = new StringBuilder();
        at++;
        while (at < lines.size() && !closes(lines.get(at), fence)) {
            text.append(text.isEmpty() ? "" : "\n").append(lines.get(at));
            at++;
        }
        at++;
        String[] words = info.strip().split("[ \t]+", 2);
        blocks.add(new Block.Code(words[0], text.toString()));
    }

    private static boolean closes(String line, String fence) {
        String stripped = line.strip();
        return stripped.length() >= fence.length()
                && stripped.chars().allMatch(c -> c == fence.charAt(0));
    }

    private void quote() {
        List<String> inner = new ArrayList<>();
        while (at < lines.size()) {
            Matcher quote = QUOTE.matcher(lines.get(at));
            if (!quote.matches()) {
                break;
            }
            inner.add(quote.group(1));
            at++;
        }
        blocks.add(new Block.Quote(new Markdown(inner, depth + 1).read()));
    }

    /** The head of an item: number or -1, how far its content is indented, its first line. */
    private record Head(int number, int indent, String first) {
        boolean numbered() {
            return number >= 0;
        }
    }

    private static Head item(String line) {
        Matcher bullet = BULLET.matcher(line);
        if (bullet.matches()) {
            return new Head(-1, bullet.start(3), bullet.group(3));
        }
        Matcher numbered = NUMBERED.matcher(line);
        return numbered.matches()
                ? new Head(
                        Integer.parseInt(numbered.group(2)), numbered.start(3), numbered.group(3))
                : null;
    }

    private void list() {
        Head head = item(lines.get(at));
        boolean numbered = head.numbered();
        int start = Math.max(0, head.number());
        List<List<Block>> items = new ArrayList<>();
        while (head != null && head.numbered() == numbered) {
            items.add(new Markdown(content(head), depth + 1).read());
            head = at < lines.size() && !isRule(lines.get(at)) ? item(lines.get(at)) : null;
        }
        blocks.add(new Block.Items(numbered, start, List.copyOf(items)));
    }

    /** An item goes on with indented lines, and with lines that begin no other block. */
    private List<String> content(Head head) {
        List<String> inner = new ArrayList<>(List.of(head.first()));
        at++;
        while (at < lines.size()) {
            String line = lines.get(at);
            if (line.isBlank()) {
                if (at + 1 >= lines.size()
                        || indent(lines.get(at + 1)) < Math.min(2, head.indent())) {
                    at++;
                    break;
                }
                inner.add("");
            } else if (indent(line) >= Math.min(2, head.indent())) {
                inner.add(line.substring(Math.min(indent(line), head.indent())));
            } else if (begins(line)) {
                break;
            } else {
                inner.add(line);
            }
            at++;
        }
        return inner;
    }

    /** Three marks or more of one kind; without an expression, for a line may be long. */
    private static boolean isRule(String line) {
        String marks = indent(line) > 3 ? "" : line.replace(" ", "").replace("\t", "");
        return marks.length() >= 3
                && "-*_".indexOf(marks.charAt(0)) >= 0
                && marks.chars().allMatch(c -> c == marks.charAt(0));
    }

    private static int indent(String line) {
        int spaces = 0;
        while (spaces < line.length() && line.charAt(spaces) == ' ') {
            spaces++;
        }
        return spaces;
    }

    private static boolean begins(String line) {
        return FENCE.matcher(line).matches()
                || HEADING.matcher(line).matches()
                || isRule(line)
                || QUOTE.matcher(line).matches()
                || item(line) != null;
    }

    private boolean table(String line) {
        if (!line.contains("|")
                || at + 1 >= lines.size()
                || !lines.get(at + 1).contains("-")
                || lines.get(at + 1).length() > 1_000
                || !DELIMITERS.matcher(lines.get(at + 1)).matches()) {
            return false;
        }
        List<List<Inline>> head = cells(line);
        at += 2;
        List<List<List<Inline>>> rows = new ArrayList<>();
        while (at < lines.size() && lines.get(at).contains("|")) {
            rows.add(cells(lines.get(at)));
            at++;
        }
        blocks.add(new Block.Table(head, List.copyOf(rows)));
        return true;
    }

    private static List<List<Inline>> cells(String line) {
        String row = line.strip();
        row = row.startsWith("|") ? row.substring(1) : row;
        row = row.endsWith("|") && !row.endsWith("\\|") ? row.substring(0, row.length() - 1) : row;
        List<List<Inline>> cells = new ArrayList<>();
        for (String cell : row.split("(?<!\\\\)\\|", MAX_COLUMNS)) {
            cells.add(Inlines.of(cell.strip().replace("\\|", "|")));
        }
        return List.copyOf(cells);
    }

    private void paragraph() {
        StringBuilder text = new StringBuilder(lines.get(at));
        at++;
        while (at < lines.size() && !lines.get(at).isBlank() && !begins(lines.get(at))) {
            text.append('\n').append(lines.get(at));
            at++;
        }
        blocks.add(new Block.Paragraph(Inlines.of(text.toString())));
    }

    /** Returns the name of a heading's element: a page has its own first and second ones. */
    public static int element(int level) {
        return Math.min(6, level + 2);
    }

    /** Returns a language as a word for a label; empty for what is no word. */
    public static String language(String info) {
        return info.matches("[A-Za-z0-9+#.-]{1,24}") ? info.toLowerCase(Locale.ROOT) : "";
    }
}

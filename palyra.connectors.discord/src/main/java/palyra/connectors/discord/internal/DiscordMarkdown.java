package palyra.connectors.discord.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.channel.MarkdownParts;

/**
 * Turns CommonMark as models write it into what Discord takes for the same. Discord knows code
 * blocks of three backticks alone, ends each at the next three, and begins one in the middle of a
 * line as well. Afterwards three backticks in a row are alone on their line, but for a language,
 * and begin or end a block; all others are kept apart by a character that has no width. Pure.
 */
final class DiscordMarkdown {
    private static final String FENCE = "```";
    private static final String APART = "\u200B"; // zero width space

    /** All possessive: what models write is long, and patterns that look back recurse. */
    private static final Pattern OPENING =
            Pattern.compile("^([ \\t]*+(?:>[ \\t]?)*+[ \\t]*+)(`{3,}+|~{3,}+)(.*+)$");

    private static final Pattern LANGUAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_+.#-]{0,15}");
    private static final Pattern QUOTE = Pattern.compile("^[ \\t]*+(?:>[ \\t]?)++");
    private static final Pattern RUN = Pattern.compile("`{3,}");
    private static final Pattern TWO_OF_MORE = Pattern.compile("``(?=`)");

    /** What is before a fence is before each line of its block as well. */
    private static final int LONGEST_PREFIX = 200;

    private final String[] lines;
    private final List<String> out = new ArrayList<>();
    private int at;

    /** Backticks or tildes that opened the block; empty outside of one. */
    private String marker = "";

    /** What stood before them, which lines of the block may have as well. */
    private String prefix = "";

    private DiscordMarkdown(String markdown) {
        lines = markdown.split("\n", -1);
    }

    /** Returns the messages of an answer, in order. */
    static List<String> render(String markdown, int most) {
        return MarkdownParts.cut(of(markdown), most);
    }

    /** Returns the text as Discord takes it. */
    static String of(String markdown) {
        if (!markdown.contains(FENCE) && !markdown.contains("~~~")) {
            return markdown;
        }
        return new DiscordMarkdown(markdown).text();
    }

    private String text() {
        for (at = 0; at < lines.length; at++) {
            line(lines[at]);
        }
        if (!marker.isEmpty()) {
            out.add(FENCE); // as CommonMark: up to the end
        }
        return String.join("\n", out);
    }

    private void line(String line) {
        if (!marker.isEmpty()) {
            inside(line);
            return;
        }
        Matcher opening = OPENING.matcher(line);
        if (opening.matches()
                && opening.end(1) <= LONGEST_PREFIX
                && (opening.group(2).charAt(0) == '~' || opening.group(3).indexOf('`') < 0)) {
            open(opening.group(1), opening.group(2), opening.group(3).strip());
        } else {
            outside(line);
        }
    }

    private void open(String before, String by, String info) {
        boolean language = LANGUAGE.matcher(info).matches();
        prefix = before;
        marker = by;
        out.add(language ? FENCE + info : FENCE);
        if (!language && !info.isEmpty()) {
            out.add(apart(info)); // Discord takes it for the first line
        }
    }

    private void inside(String line) {
        String content = unprefixed(line);
        String end = content.stripTrailing();
        int length = 0;
        while (length < end.length() && end.charAt(end.length() - 1 - length) == marker.charAt(0)) {
            length++;
        }
        String rest = end.substring(0, end.length() - length);
        // Models end a block behind its last line too, which Discord understands.
        boolean behind = marker.equals(FENCE) && length == 3 && !RUN.matcher(rest).find();
        if (length >= marker.length() && (rest.isBlank() || behind)) {
            if (!rest.isBlank()) {
                out.add(rest);
            }
            out.add(FENCE);
            marker = "";
        } else {
            out.add(apart(content));
        }
    }

    private String unprefixed(String line) {
        String content = line;
        if (prefix.indexOf('>') >= 0) {
            content = QUOTE.matcher(content).replaceFirst("");
        }
        int spaces = 0;
        while (spaces < content.length()
                && spaces < prefix.length()
                && Character.isWhitespace(content.charAt(spaces))) {
            spaces++;
        }
        return prefix.indexOf('>') >= 0 ? content : content.substring(spaces);
    }

    /** A line that begins with no block, but may have one in it. */
    private void outside(String whole) {
        String line = whole;
        do {
            line = block(line);
        } while (!line.isBlank());
    }

    /** Returns what is behind the block that a line has in it; empty for nothing. */
    private String block(String line) {
        Matcher run = RUN.matcher(line);
        if (!run.find() || isSpan(line, run.start())) {
            out.add(apart(line));
            return "";
        }
        String before = line.substring(0, run.start()).stripTrailing();
        String behind = line.substring(run.end());
        Matcher end = RUN.matcher(behind);
        boolean here = end.find();
        if (!here && !endsLater()) {
            out.add(apart(line));
            return "";
        }
        if (!before.isBlank()) {
            out.add(before);
        }
        if (here) {
            String rest = behind.substring(end.end()).stripLeading();
            out.add(FENCE);
            out.add(behind.substring(0, end.start()).strip());
            out.add(FENCE);
            return rest.startsWith("~~~") ? APART + rest : rest; // it began no line
        }
        open("", FENCE, behind.strip());
        return "";
    }

    /** Returns whether the next backticks behind this line are such as end a block. */
    private boolean endsLater() {
        for (int i = at + 1; i < lines.length; i++) {
            Matcher run = RUN.matcher(lines[i]);
            if (run.find()) {
                return lines[i].substring(run.end()).isBlank();
            }
        }
        return false;
    }

    /** Returns whether backticks before a position begin a span of code that it is in. */
    private static boolean isSpan(String line, int position) {
        long singles = line.substring(0, position).chars().filter(c -> c == '`').count();
        return singles % 2 == 1 || line.substring(0, position).matches("(?s).*(\\\\|`` )");
    }

    private static String apart(String text) {
        return TWO_OF_MORE.matcher(text).replaceAll("``" + APART);
    }
}

package palyra.api.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.Require;

/**
 * Cuts Markdown into parts that each stand for themselves: between paragraphs where it can, else
 * between lines, else between words that are in no link. A fenced code block (CommonMark 0.31, 4.5)
 * that goes over a cut is closed and opened again. Pure.
 */
public final class MarkdownParts {
    private static final Pattern FENCE = Pattern.compile("^ {0,3}(`{3,8}(?!`)|~{3,8}(?!~))(.*)$");
    private static final Pattern LINK =
            Pattern.compile(
                    "!?\\[(?:[^\\[\\]\\n]{1,512}+|\\[[^\\[\\]\\n]{0,512}+\\]){0,16}+\\]"
                            + "\\([^)\\n]{0,2048}\\)");

    private static final int LONGEST_FENCE = 40;
    private static final int LONGEST_INFO = 16;

    private final int max;
    private final List<String> parts = new ArrayList<>();
    private final StringBuilder part = new StringBuilder();

    /** Where the last paragraph of the part ended; 0 for none. */
    private int paragraphEnd;

    /** The line that opened the code block that is open; empty for none. */
    private String opening = "";

    private MarkdownParts(int max) {
        this.max = max;
    }

    /**
     * Returns the parts, in order, none of them blank; without the blank lines at their ends.
     *
     * @param markdown not blank
     * @param max longest part in UTF-16 units, at least 64
     */
    public static List<String> cut(String markdown, int max) {
        Require.text(markdown, "text");
        Require.that(max >= 64, "a part has at least 64 characters, not " + max);
        if (markdown.length() <= max) {
            return List.of(markdown.strip());
        }
        MarkdownParts parts = new MarkdownParts(max);
        markdown.lines().forEach(parts::line);
        parts.finish();
        return List.copyOf(parts.parts);
    }

    private void line(String line) {
        if (part.length() == 0 && closes(line)) {
            opening = ""; // the part before ended with it
            return;
        }
        String rest = line;
        while (rest.length() > room(0)) { // no part takes it as a whole
            int here = room(part.length() == 0 ? 0 : part.length() + 1);
            if (here < max / 4) {
                next();
                continue;
            }
            int end = wordEnd(rest, here);
            append(rest.substring(0, end));
            next();
            rest = opening.isEmpty() ? rest.substring(end).stripLeading() : rest.substring(end);
        }
        while (part.length() > 0 && rest.length() + end(line) > room(part.length() + 1)) {
            next(); // it may move a paragraph on, which then goes alone
        }
        append(rest);
        fence(line);
    }

    /** How many characters the end of a code block takes that a line opens. */
    private int end(String line) {
        String opened = opened(line);
        return opened.isEmpty() ? 0 : marker(opened).length() + 1;
    }

    /** Returns how a code block begins that a line opens; empty when it opens none. */
    private String opened(String line) {
        Matcher fence = FENCE.matcher(line);
        if (!opening.isEmpty() || line.length() > LONGEST_FENCE || !fence.matches()) {
            return "";
        }
        String info = fence.group(2).strip();
        boolean usable = fence.group(1).charAt(0) != '`' || info.indexOf('`') < 0;
        return usable ? fence.group(1) + (info.length() <= LONGEST_INFO ? info : "") : "";
    }

    /** How many characters a line may have behind {@code used} ones. */
    private int room(int used) {
        int ends = opening.isEmpty() ? 0 : opening.length() + 2 + marker(opening).length();
        return max
                - used
                - (opening.isEmpty() ? 0 : used == 0 ? ends : marker(opening).length() + 1);
    }

    private void append(String line) {
        if (part.length() > 0) {
            part.append('\n');
        } else if (!opening.isEmpty()) {
            part.append(opening).append('\n');
        }
        if (line.isBlank() && opening.isEmpty()) {
            paragraphEnd = part.length();
        }
        part.append(line);
    }

    private void fence(String line) {
        String opened = opened(line);
        if (!opened.isEmpty()) {
            opening = opened;
        } else if (closes(line)) {
            opening = "";
        }
    }

    private boolean closes(String line) {
        Matcher fence = FENCE.matcher(line);
        return !opening.isEmpty()
                && fence.matches()
                && fence.group(2).isBlank()
                && fence.group(1).startsWith(marker(opening));
    }

    private static String marker(String opening) {
        int end = 0;
        while (end < opening.length() && opening.charAt(end) == opening.charAt(0)) {
            end++;
        }
        return opening.substring(0, end);
    }

    /** Ends the part: after its last paragraph if that is not far back, else here. */
    private void next() {
        String moved = "";
        if (opening.isEmpty() && paragraphEnd > max / 2) {
            moved = part.substring(paragraphEnd).strip();
            part.setLength(paragraphEnd);
        }
        if (!opening.isEmpty()) {
            part.append('\n').append(marker(opening));
        }
        keep();
        part.append(moved);
    }

    private void keep() {
        String text = part.toString().strip();
        if (!text.isEmpty()) {
            parts.add(text);
        }
        part.setLength(0);
        paragraphEnd = 0;
    }

    private void finish() {
        if (!opening.isEmpty() && part.length() > 0) {
            part.append('\n').append(marker(opening));
        }
        keep();
    }

    /** Returns where to cut a line of more than {@code most} characters. */
    private int wordEnd(String line, int most) {
        if (opening.isEmpty()) {
            int end = most;
            while ((end = line.lastIndexOf(' ', end)) > 0) {
                int within = linkAround(line, end);
                boolean fence = FENCE.matcher(line.substring(end).stripLeading()).matches();
                if (within < 0 && !fence) {
                    return end;
                }
                end = within < 0 ? end - 1 : within - 1;
            }
        }
        return Character.isHighSurrogate(line.charAt(most - 1)) ? most - 1 : most;
    }

    /** Returns the beginning of the link around a position; -1 when it is in none. */
    private static int linkAround(String line, int position) {
        Matcher link = LINK.matcher(line);
        while (link.find()) {
            if (link.start() > position) {
                return -1;
            }
            if (position < link.end()) {
                return link.start();
            }
        }
        return -1;
    }
}

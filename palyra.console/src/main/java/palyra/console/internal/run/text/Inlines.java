package palyra.console.internal.run.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a line's emphasis, code and links. A mark without its partner, and whatever is not known,
 * is text. Looks for partners within bounds, so that no text takes long.
 */
final class Inlines {
    /** Emphasis within emphasis. */
    static final int MAX_DEPTH = 6;

    private static final int REACH = 4_000;

    /** Steps that the reading of one line may take; the rest is text. */
    private static final int MAX_WORK = 200_000;

    private static final String ESCAPABLE = "\\`*_{}[]()#+-.!|<>~";
    private static final String ENDS = ".,;:!?)'\"*_~]";

    private final int depth;
    private final int[] work;
    private final List<Inline> parts = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    private Inlines(int depth, int[] work) {
        this.depth = depth;
        this.work = work;
    }

    /** Returns the parts of a text. */
    static List<Inline> of(String text) {
        return new Inlines(0, new int[] {MAX_WORK}).read(text);
    }

    private List<Inline> within(String content) {
        return new Inlines(depth + 1, work).read(content);
    }

    private List<Inline> read(String source) {
        int at = 0;
        while (at < source.length()) {
            int next = work[0] > 0 ? part(source, at) : at;
            if (next == at) {
                text.append(source.charAt(at));
                next = at + 1;
            }
            at = next;
        }
        flush();
        return List.copyOf(parts);
    }

    private void flush() {
        if (!text.isEmpty()) {
            parts.add(new Inline.Text(text.toString()));
            text.setLength(0);
        }
    }

    private int add(Inline part, int end) {
        flush();
        parts.add(part);
        return end;
    }

    /** Reads a part that begins here and returns where it ends; the same place for none. */
    private int part(String source, int at) {
        return switch (source.charAt(at)) {
            case '\\' -> escape(source, at);
            case '\n' -> add(new Inline.Break(), at + 1);
            case '`' -> code(source, at);
            case '*', '_', '~' -> depth < MAX_DEPTH ? emphasis(source, at) : at;
            case '[' -> link(source, at);
            case '<' -> angled(source, at);
            case 'h' -> bare(source, at);
            default -> at;
        };
    }

    private int escape(String source, int at) {
        if (at + 1 < source.length() && ESCAPABLE.indexOf(source.charAt(at + 1)) >= 0) {
            text.append(source.charAt(at + 1));
            return at + 2;
        }
        return at;
    }

    private int find(String source, String what, int from) {
        int limit = Math.min(source.length(), from + REACH);
        int found = source.indexOf(what, from);
        work[0] -= Math.min(REACH, found < 0 ? limit - from : found - from) / 8 + 1;
        return found < 0 || found > limit ? -1 : found;
    }

    private int code(String source, int at) {
        int run = run(source, at, '`');
        String mark = source.substring(at, at + run);
        int end = find(source, mark, at + run);
        while (end >= 0 && run(source, end, '`') != run) {
            end = find(source, mark, end + run(source, end, '`'));
        }
        if (end < 0) {
            text.append(mark);
            return at + run;
        }
        String content = source.substring(at + run, end).replace('\n', ' ');
        boolean padded = content.startsWith(" ") && content.endsWith(" ") && !content.isBlank();
        return add(
                new Inline.Code(padded ? content.substring(1, content.length() - 1) : content),
                end + run);
    }

    private static int run(String source, int at, char mark) {
        int end = at;
        while (end < source.length() && source.charAt(end) == mark) {
            end++;
        }
        return end - at;
    }

    private int emphasis(String source, int at) {
        char mark = source.charAt(at);
        int run = run(source, at, mark);
        int width = Math.min(2, run);
        if (mark == '~' && width < 2) {
            return at;
        }
        int from = at + width;
        boolean opens = from < source.length() && !Character.isWhitespace(source.charAt(from));
        boolean inWord = mark == '_' && at > 0 && Character.isLetterOrDigit(source.charAt(at - 1));
        int end = opens && !inWord ? closing(source, from, mark, width) : -1;
        if (end < 0) {
            text.append(source, at, at + run);
            return at + run;
        }
        List<Inline> content = within(source.substring(from, end));
        Inline part =
                mark == '~'
                        ? new Inline.Struck(content)
                        : width == 2 ? new Inline.Strong(content) : new Inline.Emphasis(content);
        return add(part, end + width);
    }

    private int closing(String source, int from, char mark, int width) {
        int end = find(source, String.valueOf(mark).repeat(width), from);
        while (end >= 0) {
            int run = run(source, end, mark);
            boolean closes =
                    end > from && !Character.isWhitespace(source.charAt(end - 1)) && run >= width;
            boolean inWord =
                    mark == '_'
                            && end + run < source.length()
                            && Character.isLetterOrDigit(source.charAt(end + run));
            boolean exact = width == 2 || run == 1 || run == 3;
            if (closes && !inWord && exact) {
                return end + run - width;
            }
            end = find(source, String.valueOf(mark).repeat(width), end + run);
        }
        return -1;
    }

    /** {@code [text](address)}; an image is written with a mark before and stays text. */
    private int link(String source, int at) {
        int close = find(source, "](", at + 1);
        if (close < 0 || (at > 0 && source.charAt(at - 1) == '!')) {
            return at;
        }
        int end = find(source, ")", close + 2);
        String label = source.substring(at + 1, close);
        if (end < 0 || label.isBlank() || label.indexOf('[') >= 0 || label.indexOf(']') >= 0) {
            return at;
        }
        String address = source.substring(close + 2, end).strip().split("[ \t\n]", 2)[0];
        Optional<String> target = Links.target(address);
        if (target.isEmpty()) {
            return at;
        }
        List<Inline> content = depth < MAX_DEPTH ? plain(label) : List.of(new Inline.Text(label));
        return add(new Inline.Link(address, target.get(), content), end + 1);
    }

    /** A link holds no other link. */
    private List<Inline> plain(String label) {
        return List.of(new Inline.Text(label.replace('\n', ' ')));
    }

    private int angled(String source, int at) {
        int end = find(source, ">", at + 1);
        if (end < 0) {
            return at;
        }
        String address = source.substring(at + 1, end);
        return Links.target(address).map(target -> add(link(address, target), end + 1)).orElse(at);
    }

    private int bare(String source, int at) {
        if (!source.startsWith("http://", at) && !source.startsWith("https://", at)
                || at > 0 && Character.isLetterOrDigit(source.charAt(at - 1))) {
            return at;
        }
        int end = at;
        while (end < source.length()
                && end - at <= Links.MAX_LENGTH
                && source.charAt(end) > ' '
                && source.charAt(end) < 0x7f
                && "\"<>`\\".indexOf(source.charAt(end)) < 0) {
            end++;
        }
        while (end > at && ENDS.indexOf(source.charAt(end - 1)) >= 0) {
            end--;
        }
        work[0] -= (end - at) / 8;
        String address = source.substring(at, end);
        int last = end;
        return Links.target(address).map(target -> add(link(address, target), last)).orElse(at);
    }

    private static Inline.Link link(String address, String target) {
        return new Inline.Link(address, target, List.of(new Inline.Text(address)));
    }
}

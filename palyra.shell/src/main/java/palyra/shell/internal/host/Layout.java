package palyra.shell.internal.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Lays out tables and labelled lines as text.
 *
 * @param style colours of headings and states
 */
record Layout(Style style) {
    private static final int GAP = 2;
    private static final int LEAST_COLUMN = 6;
    private static final int LEAST_LAST_COLUMN = 10;

    /** States, ids, numbers and short times. */
    private static final Pattern TOKEN = Pattern.compile("-|[A-Z0-9_]+|[0-9]{2}-[0-9: ]+");

    private static final Pattern TIME =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z");

    /**
     * Returns an aligned table, each row one line.
     *
     * @param columns width to keep to, 0 for no limit: the last column is cut, then times lose year
     *     and seconds, then the widest texts are cut. States, ids, numbers and the first column
     *     stay whole; where there is no room for them each row takes a line for each cell
     */
    String table(List<String> headings, List<? extends List<?>> rows, int columns) {
        List<List<String>> lines = new ArrayList<>(rows.size() + 1);
        lines.add(headings.stream().map(heading -> heading.toUpperCase(Locale.ROOT)).toList());
        rows.forEach(row -> lines.add(row.stream().map(Layout::cell).toList()));
        int[] widths = widths(lines, headings.size());
        int gap = GAP;
        if (columns > 0 && wanted(widths, gap) > columns) {
            lines.replaceAll(line -> line.stream().map(Layout::shortTime).toList());
            widths = fit(lines, headings.size(), gap, columns);
            if (wanted(widths, gap) > columns) {
                gap = 1;
                widths = fit(lines, headings.size(), gap, columns);
            }
            if (wanted(widths, gap) > columns) {
                return records(headings, rows, columns);
            }
        }
        StringBuilder out = new StringBuilder();
        UnaryOperator<String> paint = style::heading;
        for (List<String> line : lines) {
            out.append(row(line, widths, gap, columns, paint)).append('\n');
            paint = style::state;
        }
        return out.toString();
    }

    /** Returns each row as labelled lines, with an empty line between rows. */
    private String records(List<String> headings, List<? extends List<?>> rows, int columns) {
        List<String> records = new ArrayList<>(rows.size());
        for (List<?> row : rows) {
            Map<String, String> fields = new LinkedHashMap<>();
            for (int i = 0; i < headings.size() && i < row.size(); i++) {
                fields.put(headings.get(i), cell(row.get(i)));
            }
            records.add(fields(fields, columns));
        }
        return String.join("\n", records);
    }

    private static String shortTime(String cell) {
        return TIME.matcher(cell).matches() ? cell.substring(5, 16).replace('T', ' ') : cell;
    }

    private static String cell(Object value) {
        String text =
                switch (value) {
                    case null -> "";
                    case Boolean yes -> yes ? "yes" : "no";
                    case Collection<?> many -> joined(many);
                    case Map<?, ?> map -> joined(map.entrySet());
                    default -> value.toString();
                };
        return text.isEmpty() ? "-" : SafeText.line(text);
    }

    private static String joined(Collection<?> many) {
        return many.stream().map(Objects::toString).collect(Collectors.joining(", "));
    }

    private static int[] widths(List<List<String>> lines, int count) {
        int[] widths = new int[count];
        for (List<String> line : lines) {
            for (int i = 0; i < count && i < line.size(); i++) {
                widths[i] = Math.max(widths[i], DisplayWidth.of(line.get(i)));
            }
        }
        return widths;
    }

    /** Returns which columns have nothing but states, ids and numbers, or come first. */
    private static boolean[] whole(List<List<String>> lines, int count) {
        boolean[] whole = new boolean[count];
        for (int i = 0; i < count; i++) {
            int column = i;
            whole[i] =
                    i == 0
                            || lines.stream()
                                    .skip(1)
                                    .filter(line -> column < line.size())
                                    .allMatch(line -> isWhole(line.get(column)));
        }
        return whole;
    }

    private static boolean isWhole(String cell) {
        return TOKEN.matcher(cell).matches() || Style.isState(cell);
    }

    /** Returns the width of a table whose last column is cut as far as it may be. */
    private static int wanted(int[] widths, int gap) {
        int last = widths.length - 1;
        return Arrays.stream(widths, 0, last).sum()
                + Math.min(widths[last], LEAST_LAST_COLUMN)
                + gap * last;
    }

    /** Returns widths of which the widest of columns that may be cut gave what is over. */
    private static int[] fit(List<List<String>> lines, int count, int gap, int columns) {
        int[] widths = widths(lines, count);
        boolean[] whole = whole(lines, count);
        for (int over = wanted(widths, gap) - columns; over > 0; over--) {
            int widest = -1;
            for (int i = 1; i < count - 1; i++) {
                if (!whole[i] && (widest < 0 || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            if (widest < 0 || widths[widest] <= LEAST_COLUMN) {
                break; // too narrow for so many columns
            }
            widths[widest]--;
        }
        return widths;
    }

    private static String row(
            List<String> cells, int[] widths, int gap, int columns, UnaryOperator<String> paint) {
        StringBuilder out = new StringBuilder();
        int used = 0;
        for (int i = 0; i < cells.size() && i < widths.length; i++) {
            boolean last = i == widths.length - 1;
            String text = cells.get(i);
            if (columns > 0) {
                int room = last ? Math.max(LEAST_LAST_COLUMN, columns - used) : widths[i];
                text = DisplayWidth.cut(text, room);
            }
            out.append(paint.apply(text));
            if (!last) {
                out.append(" ".repeat(widths[i] - DisplayWidth.of(text) + gap));
                used += widths[i] + gap;
            }
        }
        return out.toString().stripTrailing();
    }

    /**
     * Returns one labelled line for each field; a list takes a line for each entry.
     *
     * @param columns width at which lines are broken between words; 0 for no limit
     */
    String fields(Map<String, ?> fields, int columns) {
        int longest = fields.keySet().stream().mapToInt(key -> label(key).length()).max().orElse(0);
        StringBuilder out = new StringBuilder();
        fields.forEach((key, value) -> field(label(key), value, longest + GAP, columns, out));
        return out.toString();
    }

    /** Keys are written for programs; people read {@code run id} more easily than {@code runId}. */
    private static String label(String key) {
        return key.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT) + ":";
    }

    private void field(String label, Object value, int width, int columns, StringBuilder out) {
        String padded = label + " ".repeat(width - label.length());
        String indent = " ".repeat(width);
        boolean first = true;
        for (String line : lines(value)) {
            String text = style.state(DisplayWidth.wrap(line, columns - width, ""));
            out.append(first ? padded : indent)
                    .append(text.replace("\n", "\n" + indent))
                    .append('\n');
            first = false;
        }
    }

    private static List<String> lines(Object value) {
        if (value instanceof Collection<?> many && !many.isEmpty()) {
            return many.stream().map(Layout::inline).toList();
        }
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            return map.entrySet().stream()
                    .map(entry -> entry.getKey() + " " + inline(entry.getValue()))
                    .map(SafeText::line)
                    .toList();
        }
        boolean empty =
                value == null
                        || (value instanceof Collection<?> many && many.isEmpty())
                        || (value instanceof Map<?, ?> map && map.isEmpty());
        String text = empty ? "" : SafeText.block(Objects.toString(value));
        return text.isEmpty() ? List.of("-") : text.lines().toList();
    }

    private static String inline(Object value) {
        if (value instanceof Map<?, ?> map) {
            List<String> parts = new ArrayList<>();
            map.forEach((name, each) -> parts.add(name + "=" + each));
            return SafeText.line(String.join(" ", parts));
        }
        return SafeText.line(Objects.toString(value, "-"));
    }
}

package palyra.shell.internal.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
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

    /**
     * Returns an aligned table, each row one line.
     *
     * @param columns width to keep to by cutting the last column, and the widest others but the
     *     first where that is not enough; 0 for no limit
     */
    String table(List<String> headings, List<? extends List<?>> rows, int columns) {
        List<List<String>> lines = new ArrayList<>(rows.size() + 1);
        lines.add(headings.stream().map(heading -> heading.toUpperCase(Locale.ROOT)).toList());
        rows.forEach(row -> lines.add(row.stream().map(Layout::cell).toList()));
        int[] widths = widths(lines, headings.size());
        if (columns > 0) {
            fit(widths, columns);
        }
        StringBuilder out = new StringBuilder();
        UnaryOperator<String> paint = style::heading;
        for (List<String> line : lines) {
            out.append(row(line, widths, columns, paint)).append('\n');
            paint = style::state;
        }
        return out.toString();
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

    /** Takes width from the widest of the columns between the first and the last. */
    private static void fit(int[] widths, int columns) {
        int last = widths.length - 1;
        int wanted = Math.min(widths[last], LEAST_LAST_COLUMN) + GAP * last;
        for (int i = 0; i < last; i++) {
            wanted += widths[i];
        }
        while (wanted > columns) {
            int widest = 1;
            for (int i = 2; i < last; i++) {
                widest = widths[i] > widths[widest] ? i : widest;
            }
            if (widest >= last || widths[widest] <= LEAST_COLUMN) {
                return; // too narrow for so many columns
            }
            widths[widest]--;
            wanted--;
        }
    }

    private static String row(
            List<String> cells, int[] widths, int columns, UnaryOperator<String> paint) {
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
                out.append(" ".repeat(widths[i] - DisplayWidth.of(text) + GAP));
                used += widths[i] + GAP;
            }
        }
        return out.toString().stripTrailing();
    }

    /** Returns one labelled line for each field; a list takes a line for each entry. */
    String fields(Map<String, ?> fields) {
        int longest = fields.keySet().stream().mapToInt(key -> label(key).length()).max().orElse(0);
        StringBuilder out = new StringBuilder();
        fields.forEach((key, value) -> field(label(key), value, longest + GAP, out));
        return out.toString();
    }

    /** Keys are written for programs; people read {@code run id} more easily than {@code runId}. */
    private static String label(String key) {
        return key.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT) + ":";
    }

    private void field(String label, Object value, int width, StringBuilder out) {
        String padded = label + " ".repeat(width - label.length());
        String indent = " ".repeat(width);
        boolean first = true;
        for (String line : lines(value)) {
            out.append(first ? padded : indent).append(style.state(line)).append('\n');
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

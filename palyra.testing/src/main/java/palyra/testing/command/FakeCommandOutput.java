package palyra.testing.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import palyra.api.command.CommandOutput;

/**
 * Keeps what a command wrote, as the calls it made and as the text that a person or a program would
 * get. Thread-safe.
 */
public final class FakeCommandOutput implements CommandOutput {
    /** One call of {@link CommandOutput#table}, with the cells as text shows them. */
    public record Table(List<String> headings, List<List<String>> rows) {
        /** Copies. */
        public Table {
            headings = List.copyOf(headings);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final boolean json;
    private final List<Table> tables = new ArrayList<>(); // guarded by this
    private final List<Map<String, Object>> fields = new ArrayList<>(); // guarded by this
    private final List<String> notes = new ArrayList<>(); // guarded by this
    private final List<String> progress = new ArrayList<>(); // guarded by this
    private final StringBuilder text = new StringBuilder(); // guarded by this

    FakeCommandOutput(boolean json) {
        this.json = json;
    }

    @Override
    public synchronized void table(List<String> headings, List<? extends List<?>> rows) {
        for (List<?> row : rows) {
            if (row.size() != headings.size()) {
                throw new AssertionError(
                        "row " + row + " does not fit the headings " + headings + ": count them");
            }
        }
        Table table = new Table(headings, rows.stream().map(FakeCommandOutput::texts).toList());
        tables.add(table);
        if (json) {
            writeJson(rows.stream().map(row -> keyed(headings, row)).toList());
        } else {
            line(String.join("\t", headings));
            table.rows().forEach(row -> line(String.join("\t", row)));
        }
    }

    private static List<String> texts(List<?> row) {
        return row.stream().map(FakeCommandOutput::text).toList();
    }

    private static String text(Object cell) {
        if (cell instanceof Boolean yes) {
            return yes ? "yes" : "no";
        }
        if (cell instanceof Map<?, ?> map) {
            return String.join(", ", texts(List.copyOf(map.entrySet())));
        }
        return cell instanceof List<?> many
                ? String.join(", ", texts(many))
                : Objects.toString(cell, "");
    }

    private static Map<String, Object> keyed(List<String> headings, List<?> row) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < headings.size(); i++) {
            object.put(camelCase(headings.get(i)), row.get(i));
        }
        return object;
    }

    private static String camelCase(String heading) {
        StringBuilder key = new StringBuilder();
        boolean wordEnded = false;
        for (char c : heading.toLowerCase(Locale.ROOT).toCharArray()) {
            if (Character.isLetterOrDigit(c)) {
                boolean upper = wordEnded && !key.isEmpty();
                key.append(upper ? Character.toUpperCase(c) : c);
                wordEnded = false;
            } else {
                wordEnded = true;
            }
        }
        return key.toString();
    }

    @Override
    public synchronized void fields(Map<String, ?> given) {
        Map<String, Object> copy = new LinkedHashMap<>(given);
        fields.add(copy);
        if (json) {
            writeJson(copy);
        } else {
            copy.forEach((name, value) -> line(name + ": " + value));
        }
    }

    private void writeJson(Object value) {
        try {
            text.append(MAPPER.writeValueAsString(value)).append('\n');
        } catch (JsonProcessingException e) {
            throw new AssertionError("a command wrote a value that has no JSON form: " + value, e);
        }
    }

    @Override
    public synchronized void line(String line) {
        if (!json) {
            text.append(line).append('\n');
        }
    }

    @Override
    public synchronized void raw(String raw) {
        if (!json) {
            text.append(raw);
        }
    }

    @Override
    public synchronized void note(String note) {
        notes.add(note);
    }

    /** Returns the tables written. */
    public synchronized List<Table> tables() {
        return List.copyOf(tables);
    }

    /** Returns the labelled values written. */
    public synchronized List<Map<String, Object>> fieldSets() {
        return List.copyOf(fields);
    }

    @Override
    public synchronized void progress(String what) {
        progress.add(what);
    }

    /** Returns what the command said about its progress. */
    public synchronized List<String> progressTexts() {
        return List.copyOf(progress);
    }

    /** Returns the lines on standard error. */
    public synchronized List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * Returns standard output: tab-separated tables and {@code name: value} lines, or one JSON
     * value a line.
     */
    public synchronized String text() {
        return text.toString();
    }
}

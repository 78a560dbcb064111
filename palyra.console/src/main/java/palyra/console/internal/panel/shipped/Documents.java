package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import palyra.api.console.Block;
import palyra.api.console.Level;
import palyra.api.console.Value;

/** Blocks for what a command says in JSON. */
final class Documents {
    private static final int LONG_TEXT = 400;
    private static final long FIRST_MILLIS = 1_000_000_000_000L;

    private static final Map<String, Level> STATES =
            Map.ofEntries(
                    Map.entry("active", Level.GOOD),
                    Map.entry("ready", Level.GOOD),
                    Map.entry("running", Level.GOOD),
                    Map.entry("valid", Level.GOOD),
                    Map.entry("succeeded", Level.GOOD),
                    Map.entry("up", Level.GOOD),
                    Map.entry("ok", Level.GOOD),
                    Map.entry("in force", Level.GOOD),
                    Map.entry("enabled", Level.GOOD),
                    Map.entry("granted", Level.GOOD),
                    Map.entry("closed", Level.GOOD),
                    Map.entry("open", Level.NOTICE),
                    Map.entry("pending", Level.NOTICE),
                    Map.entry("accepted", Level.NOTICE),
                    Map.entry("awaiting_approval", Level.NOTICE),
                    Map.entry("probing", Level.NOTICE),
                    Map.entry("starting", Level.NOTICE),
                    Map.entry("connecting", Level.NOTICE),
                    Map.entry("warning", Level.WARNING),
                    Map.entry("degraded", Level.WARNING),
                    Map.entry("quarantined", Level.WARNING),
                    Map.entry("resolved", Level.WARNING),
                    Map.entry("paused", Level.WARNING),
                    Map.entry("expired", Level.WARNING),
                    Map.entry("error", Level.BAD),
                    Map.entry("failed", Level.BAD),
                    Map.entry("denied", Level.BAD),
                    Map.entry("down", Level.BAD),
                    Map.entry("refused", Level.BAD),
                    Map.entry("revoked", Level.BAD));

    private Documents() {}

    /** A column of a table: its title, and what it shows of a row. */
    record Column(String title, Function<JsonNode, Value> value) {}

    static Column text(String title, String field) {
        return new Column(title, row -> Value.text(plain(row.path(field))));
    }

    static Column code(String title, String field) {
        return new Column(title, row -> Value.code(plain(row.path(field))));
    }

    static Column state(String title, String field) {
        return new Column(title, row -> state(plain(row.path(field))));
    }

    static Column time(String title, String field) {
        return new Column(title, row -> time(row.path(field)));
    }

    /** A column of links to a page below {@code prefix}. */
    static Column link(String title, String field, String prefix) {
        return new Column(
                title,
                row -> {
                    String text = plain(row.path(field));
                    return text.isEmpty()
                            ? Value.text("")
                            : new Value.Link(text, prefix + segment(text));
                });
    }

    /** Returns a text as one segment of a path. */
    static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("..", "%2E%2E");
    }

    static Block.Table table(JsonNode rows, String empty, Column... columns) {
        List<String> titles = new ArrayList<>();
        for (Column column : columns) {
            titles.add(column.title());
        }
        List<Block.Row> shown = new ArrayList<>();
        for (JsonNode row : rows) {
            List<Value> values = new ArrayList<>();
            for (Column column : columns) {
                values.add(column.value().apply(row));
            }
            shown.add(new Block.Row(values));
        }
        return new Block.Table(titles, shown, empty);
    }

    /** Returns rows as one document. */
    static JsonNode array(List<JsonNode> rows) {
        return JsonNodeFactory.instance.arrayNode().addAll(rows);
    }

    static Value state(String word) {
        return word.isEmpty()
                ? Value.text("")
                : new Value.State(
                        STATES.getOrDefault(word.toLowerCase(Locale.ROOT), Level.NEUTRAL), word);
    }

    static Value time(JsonNode node) {
        if (node.isNumber()) {
            return new Value.Time(node.longValue());
        }
        String text = node.asText("");
        try {
            return text.isEmpty()
                    ? Value.text("")
                    : new Value.Time(Instant.parse(text).toEpochMilli());
        } catch (DateTimeParseException e) {
            return Value.text(text);
        }
    }

    /** Returns a scalar as text, a list of scalars with commas. */
    static String plain(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return "";
        }
        if (node.isArray()) {
            return String.join(
                    ", ",
                    StreamSupport.stream(node.spliterator(), false).map(Documents::plain).toList());
        }
        if (node.isBoolean()) {
            return node.booleanValue() ? "yes" : "no";
        }
        return node.isValueNode() ? node.asText() : node.toString();
    }

    /** Returns blocks for any document: scalars as facts, lists of objects as tables. */
    static List<Block> blocks(JsonNode document) {
        List<Block> blocks = new ArrayList<>();
        if (document.isArray()) {
            blocks.add(table(document));
            return blocks;
        }
        List<Block.Fact> facts = new ArrayList<>();
        List<Block> below = new ArrayList<>();
        document.properties()
                .forEach(
                        entry -> {
                            String name = words(entry.getKey());
                            JsonNode value = entry.getValue();
                            if (isLong(value)) {
                                below.add(new Block.Preformatted(name, value.asText()));
                            } else if (isPlain(value)) {
                                facts.add(new Block.Fact(name, value(entry.getKey(), value)));
                            } else if (!value.isEmpty()) {
                                below.add(new Block.Heading(name));
                                below.addAll(blocks(value));
                            }
                        });
        if (!facts.isEmpty()) {
            blocks.add(new Block.Facts(facts));
        }
        blocks.addAll(below);
        return blocks;
    }

    private static boolean isLong(JsonNode value) {
        return value.isTextual()
                && (value.asText().length() > LONG_TEXT || value.asText().indexOf('\n') >= 0);
    }

    private static boolean isPlain(JsonNode value) {
        return value.isValueNode()
                || value.isArray()
                        && StreamSupport.stream(value.spliterator(), false)
                                .allMatch(JsonNode::isValueNode);
    }

    /** Returns a table of all fields of the rows, the field {@code linked} as links. */
    static Block.Table list(JsonNode rows, String empty, String linked, String prefix) {
        Set<String> fields = new LinkedHashSet<>();
        rows.forEach(row -> row.fieldNames().forEachRemaining(fields::add));
        Column[] columns =
                fields.stream()
                        .map(
                                field ->
                                        field.equals(linked)
                                                ? link(words(field), field, prefix)
                                                : new Column(
                                                        words(field),
                                                        row -> value(field, row.path(field))))
                        .toArray(Column[]::new);
        return table(rows, empty, columns);
    }

    private static Block table(JsonNode rows) {
        Set<String> fields = new LinkedHashSet<>();
        rows.forEach(row -> row.fieldNames().forEachRemaining(fields::add));
        return fields.isEmpty()
                ? new Block.Paragraph(plain(rows))
                : list(rows, "Nothing is here.", "", "");
    }

    private static Value value(String field, JsonNode value) {
        if (field.endsWith("Millis") && value.isNumber() && value.longValue() > FIRST_MILLIS) {
            return new Value.Time(value.longValue());
        }
        if (field.equals("state") || field.equals("severity") || field.equals("effect")) {
            return state(plain(value));
        }
        if (value.isTextual() && value.asText().matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z")) {
            return time(value);
        }
        boolean id = field.endsWith("Id") || field.endsWith("sha256") || field.equals("digest");
        return id ? Value.code(plain(value)) : Value.text(plain(value));
    }

    /** {@code lastFailureMillis} becomes {@code Last failure}. */
    static String words(String field) {
        String name = field.replaceAll("Millis$", "").replaceAll("([a-z0-9])([A-Z])", "$1 $2");
        String spaced = name.replace('_', ' ').replace('.', ' ').toLowerCase(Locale.ROOT).strip();
        return spaced.isEmpty()
                ? "value"
                : Character.toUpperCase(spaced.charAt(0)) + spaced.substring(1);
    }
}

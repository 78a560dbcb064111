package palyra.skills.internal.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import palyra.shared.json.JsonFields;
import palyra.skills.internal.RefusedException;

/**
 * A table of a manifest that is read key by key. Every error names the key with its path, the value
 * found and the allowed values; {@link #requireNoOthers} refuses keys that were not read. Not
 * thread-safe.
 */
final class Table {
    static final String REASON = "manifest_invalid";

    private final String path;
    private final JsonFields fields;
    private final TreeSet<String> known = new TreeSet<>();

    Table(JsonNode node, String path) {
        this.path = path;
        this.fields = new JsonFields(node, new Refusals(path));
    }

    private record Refusals(String path) implements JsonFields.Refusals {
        @Override
        public RefusedException wrong(String field, JsonNode found, String allowed) {
            String table = path.isEmpty() ? "it" : path;
            return field.isEmpty()
                    ? refuse(table, found, "a table")
                    : refuse(join(path, field), found, allowed);
        }

        @Override
        public RefusedException unknown(String field, Collection<String> known) {
            return new RefusedException(
                    REASON,
                    "skill.toml: "
                            + join(path, field)
                            + " is not a known key; allowed there are "
                            + String.join(", ", known)
                            + ".");
        }
    }

    private static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    String path(String key) {
        return join(path, key);
    }

    boolean has(String key) {
        return fields.has(key);
    }

    static RefusedException refuse(String where, JsonNode found, String allowed) {
        String shown = found.isMissingNode() ? "missing" : JsonFields.shown(found.toString());
        return new RefusedException(
                REASON, "skill.toml: " + where + " is " + shown + "; allowed is " + allowed + ".");
    }

    RuntimeException refuse(String key, String allowed) {
        return fields.wrong(key, allowed);
    }

    /** Returns a text that must be present and match; {@code allowed} describes the pattern. */
    String text(String key, String pattern, String allowed) {
        known.add(key);
        return fields.text(key, pattern, allowed);
    }

    /** Returns a text that may be absent. */
    Optional<String> optional(String key, String pattern, String allowed) {
        known.add(key);
        return has(key) ? Optional.of(text(key, pattern, allowed)) : Optional.empty();
    }

    /** Returns free text for people, of one to {@code most} characters. */
    String words(String key, int most) {
        String text = text(key, "(?s).{1," + most + "}", "text of 1 to " + most + " characters");
        boolean controls =
                text.chars().anyMatch(c -> Character.isISOControl(c) && "\n\r\t".indexOf(c) < 0);
        if (text.isBlank() || controls) {
            throw refuse(key, "text without control characters that is not blank");
        }
        return text;
    }

    Optional<String> optionalWords(String key, int most) {
        known.add(key);
        return has(key) ? Optional.of(words(key, most)) : Optional.empty();
    }

    boolean flag(String key, boolean absent) {
        known.add(key);
        return fields.flag(key, absent);
    }

    long number(String key, long absent, long min, long max) {
        known.add(key);
        return fields.number(key, absent, min, max);
    }

    /** Returns a table; an absent one is empty. */
    Table table(String key) {
        JsonNode value = any(key);
        return new Table(
                value.isMissingNode() ? JsonNodeFactory.instance.objectNode() : value, path(key));
    }

    /** Returns the tables of an array of tables; none when it is absent. */
    List<Table> tables(String key, int most) {
        List<Table> all = new ArrayList<>();
        for (JsonNode each : array(key, most)) {
            all.add(new Table(each, path(key) + "[" + all.size() + "]"));
        }
        return all;
    }

    /** Returns texts that all match, without repetition; none when the key is absent. */
    List<String> texts(String key, int most, String pattern, String allowed) {
        List<String> all = new ArrayList<>();
        for (JsonNode each : array(key, most)) {
            String where = path(key) + "[" + all.size() + "]";
            if (!each.isTextual() || !each.textValue().matches(pattern)) {
                throw refuse(where, each, allowed);
            }
            if (all.contains(each.textValue())) {
                throw refuse(where, each, "each value once");
            }
            all.add(each.textValue());
        }
        return all;
    }

    private JsonNode array(String key, int most) {
        known.add(key);
        return fields.array(key, most);
    }

    /** Returns the value of a key, of any type; a missing node when it is absent. */
    JsonNode any(String key) {
        known.add(key);
        return fields.get(key);
    }

    /** Returns the names of all keys; they count as read. */
    List<String> names() {
        known.addAll(fields.names());
        return fields.names();
    }

    /** Refuses keys that were not read. */
    void requireNoOthers() {
        fields.requireOnly(known);
    }
}

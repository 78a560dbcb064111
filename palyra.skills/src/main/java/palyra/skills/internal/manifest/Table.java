package palyra.skills.internal.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import palyra.skills.internal.RefusedException;

/**
 * A table of a manifest that is read key by key. Every error names the key with its path, what was
 * found and what is allowed; {@link #end} refuses keys that nobody asked for. Not thread-safe.
 */
final class Table {
    static final String REASON = "manifest_invalid";
    private static final int SHOWN = 60;

    private final JsonNode node;
    private final String path;
    private final TreeSet<String> known = new TreeSet<>();

    Table(JsonNode node, String path) {
        this.node = node;
        this.path = path;
        if (!node.isObject()) {
            throw refuse(path.isEmpty() ? "it" : path, node, "a table");
        }
    }

    String path(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    boolean has(String key) {
        return node.has(key);
    }

    private JsonNode get(String key) {
        known.add(key);
        return node.path(key);
    }

    static RefusedException refuse(String where, JsonNode found, String allowed) {
        String text = found.isMissingNode() ? "missing" : found.toString();
        String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
        return new RefusedException(
                REASON, "skill.toml: " + where + " is " + shown + "; allowed is " + allowed + ".");
    }

    RefusedException refuse(String key, String allowed) {
        return refuse(path(key), node.path(key), allowed);
    }

    /** Returns a text that must be there and match; {@code allowed} describes the pattern. */
    String text(String key, String pattern, String allowed) {
        JsonNode value = get(key);
        if (!value.isTextual() || !value.textValue().matches(pattern)) {
            throw refuse(path(key), value, allowed);
        }
        return value.textValue();
    }

    /** Returns a text that may be absent. */
    Optional<String> optional(String key, String pattern, String allowed) {
        return get(key).isMissingNode()
                ? Optional.empty()
                : Optional.of(text(key, pattern, allowed));
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
        return get(key).isMissingNode() ? Optional.empty() : Optional.of(words(key, most));
    }

    boolean flag(String key, boolean otherwise) {
        JsonNode value = get(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isBoolean()) {
            throw refuse(path(key), value, "true or false");
        }
        return value.booleanValue();
    }

    long number(String key, long otherwise, long min, long max) {
        JsonNode value = get(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < min
                || value.longValue() > max) {
            throw refuse(path(key), value, "a whole number from " + min + " to " + max);
        }
        return value.longValue();
    }

    /** Returns a table; an absent one is empty. */
    Table table(String key) {
        JsonNode value = get(key);
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
        JsonNode value = get(key);
        if (value.isMissingNode()) {
            return JsonNodeFactory.instance.arrayNode();
        }
        if (!value.isArray() || value.size() > most) {
            throw refuse(path(key), value, "a list of at most " + most);
        }
        return value;
    }

    /** Returns what stands under a key, whatever it is. */
    JsonNode any(String key) {
        return get(key);
    }

    /** Returns the names of all keys; they count as asked for. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (Iterator<String> each = node.fieldNames(); each.hasNext(); ) {
            names.add(each.next());
        }
        known.addAll(names);
        return names;
    }

    /** Refuses keys that were not asked for. */
    void end() {
        for (Iterator<String> each = node.fieldNames(); each.hasNext(); ) {
            String key = each.next();
            if (!known.contains(key)) {
                throw new RefusedException(
                        REASON,
                        "skill.toml: "
                                + path(key)
                                + " is not a known key; allowed there are "
                                + String.join(", ", known)
                                + ".");
            }
        }
    }
}

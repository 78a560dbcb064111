package palyra.shared.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import palyra.api.PalyraException;
import palyra.api.tool.ToolDescriptor;

/**
 * Reads the fields of one JSON object by name and type, and refuses a field that has another type
 * or is out of bounds. Nothing is converted, but in the input of a tool: {@code "1"} is not a
 * number, and null is not absent. Every method throws the exception that {@link Refusals} makes.
 * Thread-safe.
 */
public final class JsonFields {
    private static final int SHOWN = 60;
    private static final Pattern DIGITS = Pattern.compile("-?[0-9]{1,18}");

    /** Makes the exceptions, so that messages and error types are the reader's own. */
    public interface Refusals {
        /**
         * Refuses the value of a field.
         *
         * @param field name; empty for the object itself
         * @param found a missing node when the field is absent
         * @param wanted what to send, such as {@code true or false}
         */
        RuntimeException wrong(String field, JsonNode found, String wanted);

        /** Refuses a field that is not one of the known ones. */
        RuntimeException unknown(String field, Collection<String> known);
    }

    private final JsonNode node;
    private final Refusals refusals;
    private final String note;
    private final Optional<ToolInput> tool; // of the input of a tool

    /** Reads an object; refuses every other value. */
    public JsonFields(JsonNode node, Refusals refusals) {
        this.node = node;
        this.refusals = refusals;
        this.note = "";
        this.tool = Optional.empty();
        if (!node.isObject()) {
            throw refusals.wrong("", node, "an object");
        }
    }

    private JsonFields(ToolInput input) {
        this.node = input.fields();
        this.refusals = input;
        this.note = input.note();
        this.tool = Optional.of(input);
    }

    /**
     * Reads the input of a tool as models write it: a field with the value null is absent, a number
     * may be a text of digits, and true and false may be texts. A field that is not known is
     * ignored and told by {@link #note}.
     *
     * <p>Known are the properties of the schema that the model sees. Reading another field is a
     * mistake of the tool: IllegalStateException.
     *
     * @param spellings for fields that have other names: all names of one, such as {@code
     *     path|file_path}, the declared one first
     * @throws PalyraException INVALID_ARGUMENT, here and from every method
     */
    public static JsonFields ofToolInput(
            ToolDescriptor tool, String inputJson, String... spellings) {
        return new JsonFields(ToolInput.read(tool, inputJson, List.of(spellings)));
    }

    /** Returns what a caller has to know about fields that were ignored; empty when none was. */
    public String note() {
        return note;
    }

    /**
     * Returns the name under which a field of a tool's input was sent; empty when it is absent, or
     * the input of no tool.
     */
    public Optional<String> spelling(String field) {
        return tool.map(input -> input.spelled().get(field));
    }

    /** Returns the start of a text, for a message. */
    public static String shown(String text) {
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }

    /** Returns a reader to which fields with the value null are absent. */
    public JsonFields withoutNulls() {
        ObjectNode present = JsonNodeFactory.instance.objectNode();
        node.fields()
                .forEachRemaining(
                        each -> {
                            if (!each.getValue().isNull()) {
                                present.set(each.getKey(), each.getValue());
                            }
                        });
        return new JsonFields(present, refusals);
    }

    /** Refuses the first field that is not known. */
    public void requireOnly(Collection<String> known) {
        node.fieldNames()
                .forEachRemaining(
                        field -> {
                            if (!known.contains(field)) {
                                throw refusals.unknown(field, known);
                            }
                        });
    }

    /** Returns the names of all fields, in their order. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Returns whether the field is present; one with the value null is. */
    public boolean has(String field) {
        requireDeclared(field);
        return node.has(field);
    }

    /** Returns the value of a field, of any type; a missing node when it is absent. */
    public JsonNode get(String field) {
        requireDeclared(field);
        return node.path(field);
    }

    private void requireDeclared(String field) {
        if (tool.isPresent() && !tool.get().known().contains(field)) {
            throw new IllegalStateException(
                    tool.get().tool()
                            + " reads '"
                            + field
                            + "', which its schema does not declare");
        }
    }

    /** Returns the exception for a field whose value the caller refuses. */
    public RuntimeException wrong(String field, String wanted) {
        return refusals.wrong(field, get(field), wanted);
    }

    /** Returns a text of at most so many UTF-16 units; refuses an absent field. */
    public String text(String field, int max) {
        JsonNode value = get(field);
        if (!value.isTextual() || value.textValue().length() > max) {
            throw wrong(field, textOf(max, value));
        }
        return value.textValue();
    }

    private static String textOf(int max, JsonNode found) {
        String wanted = "a text of at most " + max + " characters";
        return found.isTextual() ? wanted + ", not " + found.textValue().length() : wanted;
    }

    /** Returns a text of at most so many UTF-16 units; empty when the field is absent. */
    public Optional<String> optionalText(String field, int max) {
        return has(field) ? Optional.of(text(field, max)) : Optional.empty();
    }

    /** Returns a text that matches a pattern, which {@code wanted} describes. */
    public String text(String field, String pattern, String wanted) {
        JsonNode value = get(field);
        if (!value.isTextual() || !value.textValue().matches(pattern)) {
            throw wrong(field, wanted);
        }
        return value.textValue();
    }

    /** Returns a list of texts; an empty list when the field is absent. */
    public List<String> texts(String field, int maxCount, int max) {
        if (get(field).isTextual()) {
            String example = shown(get(field).textValue());
            throw wrong(
                    field,
                    "a list of texts, such as "
                            + JsonNodeFactory.instance.arrayNode().add(example));
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode each : array(field, maxCount)) {
            if (!each.isTextual() || each.textValue().length() > max) {
                throw refusals.wrong(
                        field, each, "a list of texts of at most " + max + " characters");
            }
            texts.add(each.textValue());
        }
        return texts;
    }

    /** Returns an array of at most so many elements; an empty one when the field is absent. */
    public JsonNode array(String field, int maxCount) {
        JsonNode value = get(field);
        if (value.isMissingNode()) {
            return JsonNodeFactory.instance.arrayNode();
        }
        if (!value.isArray() || value.size() > maxCount) {
            throw wrong(field, "a list of at most " + maxCount);
        }
        return value;
    }

    /** Returns a whole number within bounds; refuses an absent field. */
    public long number(String field, long min, long max) {
        JsonNode value = numeric(get(field));
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < min
                || value.longValue() > max) {
            throw wrong(field, "a whole number from " + min + " to " + max);
        }
        return value.longValue();
    }

    private JsonNode numeric(JsonNode value) {
        return tool.isPresent() && value.isTextual() && DIGITS.matcher(value.textValue()).matches()
                ? LongNode.valueOf(Long.parseLong(value.textValue()))
                : value;
    }

    /** Returns a whole number within bounds, or {@code absent} when the field is absent. */
    public long number(String field, long absent, long min, long max) {
        return has(field) ? number(field, min, max) : absent;
    }

    /** Returns true or false, or {@code absent} when the field is absent. */
    public boolean flag(String field, boolean absent) {
        JsonNode value = get(field);
        if (tool.isPresent() && (value.asText().equals("true") || value.asText().equals("false"))) {
            return value.asText().equals("true");
        }
        if (has(field) && !value.isBoolean()) {
            throw wrong(field, "true or false");
        }
        return has(field) ? value.booleanValue() : absent;
    }

    /** Returns an object; empty when the field is absent. */
    public Optional<JsonNode> object(String field) {
        JsonNode value = get(field);
        if (has(field) && !value.isObject()) {
            throw wrong(field, "an object");
        }
        return has(field) ? Optional.of(value) : Optional.empty();
    }
}

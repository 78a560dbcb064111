package palyra.shared.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ValidationMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.shared.json.JsonFields;

/** Tells a model what is wrong with a field of its input, and what to send. Immutable. */
final class InputWords {
    private static final Pattern FIELD = Pattern.compile("(?:\\$\\.|/)(?<name>[^./\\[]+)");
    private static final Pattern WHOLE = Pattern.compile("[$/]?");

    private final String tool;
    private final JsonNode properties;

    InputWords(String tool, JsonNode schema) {
        this.tool = tool;
        this.properties = schema.path("properties");
    }

    /** Returns the words; empty for what is deeper than a field. */
    Optional<String> of(ValidationMessage message, JsonNode input) {
        String place = message.getInstanceLocation().toString();
        if (WHOLE.matcher(place).matches()) {
            return whole(message, input);
        }
        Matcher field = FIELD.matcher(place);
        return field.matches() ? wrong(field.group("name"), input) : Optional.empty();
    }

    private Optional<String> whole(ValidationMessage message, JsonNode input) {
        String field = message.getProperty();
        if (!input.isObject()) {
            return Optional.of("the input of " + tool + " is not an object; send {…}");
        }
        return switch (message.getType()) {
            case "required" -> Optional.of(tool + " needs the field '" + field + "'" + send(field));
            case "additionalProperties", "unevaluatedProperties" ->
                    Optional.of(
                            tool
                                    + " does not know the field '"
                                    + JsonFields.shown(String.valueOf(field))
                                    + "'; its fields are "
                                    + names());
            default -> Optional.empty();
        };
    }

    private String names() {
        List<String> names = properties.properties().stream().map(Map.Entry::getKey).toList();
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    private Optional<String> wrong(String field, JsonNode input) {
        String send = send(field);
        return send.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        tool
                                + " got '"
                                + field
                                + "' "
                                + JsonFields.shown(input.path(field).toString())
                                + send);
    }

    private String send(String field) {
        String wanted = wanted(properties.path(field));
        return wanted.isEmpty() ? "" : "; send " + wanted;
    }

    private static String wanted(JsonNode schema) {
        if (schema.path("enum").isArray()) {
            List<String> all = new ArrayList<>();
            schema.path("enum").forEach(one -> all.add(one.toString()));
            return "one of " + String.join(", ", all);
        }
        return switch (schema.path("type").asText()) {
            case "string" ->
                    "a text"
                            + range(schema, "minLength", "maxLength", " characters")
                            + (schema.has("pattern")
                                    ? " that matches " + schema.path("pattern").asText()
                                    : "");
            case "integer" -> "a whole number" + range(schema, "minimum", "maximum", "");
            case "number" -> "a number" + range(schema, "minimum", "maximum", "");
            case "boolean" -> "true or false";
            case "array" -> "a list" + range(schema, "minItems", "maxItems", " elements");
            case "object" -> "an object";
            default -> "";
        };
    }

    private static String range(JsonNode schema, String least, String most, String unit) {
        String from = schema.path(least).asText();
        String to = schema.path(most).asText();
        if (!from.isEmpty() && !to.isEmpty()) {
            return " from " + from + " to " + to + unit;
        }
        return !from.isEmpty()
                ? " of at least " + from + unit
                : to.isEmpty() ? "" : " of at most " + to + unit;
    }
}

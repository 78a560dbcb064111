package palyra.sandbox.internal.process;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.shared.json.StrictJson;

/** The input of a tool, read strictly: every refusal names the field and says what to send. */
final class InputFields {
    private final String tool;
    private final JsonNode fields;

    private InputFields(String tool, JsonNode fields) {
        this.tool = tool;
        this.fields = fields;
    }

    /** Reads an input that may have these fields and no others. */
    static InputFields read(String tool, String inputJson, String... known) {
        JsonNode fields = StrictJson.parse(inputJson, "the input of " + tool);
        Require.that(
                fields.isObject(),
                "the input of " + tool + " is not an object; send {\"" + known[0] + "\": …}");
        List<String> names = List.of(known);
        for (Iterator<String> given = fields.fieldNames(); given.hasNext(); ) {
            String name = given.next();
            Require.that(
                    names.contains(name),
                    tool + " does not know the field '" + shown(name) + "'; it takes " + names);
        }
        return new InputFields(tool, fields);
    }

    /** Returns a text that must be there. */
    String text(String name, int maxCharacters) {
        return optionalText(name, maxCharacters)
                .orElseThrow(() -> wrong(name, fields.path(name), "a text"));
    }

    /** Returns a text; empty when it is not there. */
    Optional<String> optionalText(String name, int maxCharacters) {
        JsonNode value = fields.path(name);
        return value.isMissingNode()
                ? Optional.empty()
                : Optional.of(bounded(name, value, maxCharacters));
    }

    private String bounded(String name, JsonNode value, int maxCharacters) {
        if (!value.isTextual()) {
            throw wrong(name, value, "a text");
        }
        Require.that(
                value.textValue().length() <= maxCharacters,
                tool
                        + " got "
                        + value.textValue().length()
                        + " characters in '"
                        + name
                        + "'; send at most "
                        + maxCharacters);
        return value.textValue();
    }

    /** Returns a list of texts; an empty one when it is not there. */
    List<String> texts(String name, int maxCount, int maxCharacters) {
        JsonNode value = fields.path(name);
        if (value.isMissingNode()) {
            return List.of();
        }
        if (!value.isArray() || value.size() > maxCount) {
            throw wrong(name, value, "a list of at most " + maxCount + " texts");
        }
        List<String> texts = new ArrayList<>(value.size());
        value.forEach(element -> texts.add(bounded(name, element, maxCharacters)));
        return texts;
    }

    /** Returns a whole number within bounds, or {@code otherwise} when it is not there. */
    long number(String name, long otherwise, long min, long max) {
        JsonNode value = fields.path(name);
        if (value.isMissingNode()) {
            return otherwise;
        }
        boolean usable =
                value.isIntegralNumber()
                        && value.canConvertToLong()
                        && value.longValue() >= min
                        && value.longValue() <= max;
        if (!usable) {
            throw wrong(name, value, "a whole number from " + min + " to " + max);
        }
        return value.longValue();
    }

    /** Returns a truth value; false when it is not there. */
    boolean flag(String name) {
        JsonNode value = fields.path(name);
        if (!value.isMissingNode() && !value.isBoolean()) {
            throw wrong(name, value, "true or false");
        }
        return value.asBoolean();
    }

    private PalyraException wrong(String name, JsonNode value, String wanted) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                value.isMissingNode()
                        ? tool + " needs the field '" + name + "'; send " + wanted
                        : tool
                                + " got '"
                                + name
                                + "' "
                                + shown(value.toString())
                                + "; send "
                                + wanted);
    }

    private static String shown(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}

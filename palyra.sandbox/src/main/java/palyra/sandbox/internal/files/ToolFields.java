package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.List;
import palyra.api.Require;
import palyra.shared.json.StrictJson;

/** The input of a file tool, read strictly: every refusal names the field and what to send. */
final class ToolFields {
    private final String tool;
    private final JsonNode fields;

    private ToolFields(String tool, JsonNode fields) {
        this.tool = tool;
        this.fields = fields;
    }

    /** Reads an input that may have these fields and no others. */
    static ToolFields read(String tool, String inputJson, String... known) {
        JsonNode fields = StrictJson.parse(inputJson, "the input of " + tool);
        Require.that(fields.isObject(), "the input of " + tool + " is not an object; send one");
        List<String> names = List.of(known);
        for (Iterator<String> given = fields.fieldNames(); given.hasNext(); ) {
            String name = given.next();
            Require.that(
                    names.contains(name),
                    tool
                            + " does not know the field '"
                            + FileRefusal.shown(name)
                            + "'; it takes "
                            + names);
        }
        return new ToolFields(tool, fields);
    }

    /** Returns a text of at least one and at most so many characters (UTF-16 units). */
    String text(String name, int maxCharacters) {
        String text = textOr(name, "", maxCharacters);
        Require.that(!text.isEmpty(), tool + " needs the field '" + name + "'; send a text");
        return text;
    }

    /** Returns a text, or another one when the field is absent. */
    String textOr(String name, String absent, int maxCharacters) {
        JsonNode value = fields.path(name);
        if (value.isMissingNode()) {
            return absent;
        }
        Require.that(value.isTextual(), problem(name, "a text"));
        String text = value.textValue();
        Require.that(
                text.length() <= maxCharacters,
                tool
                        + " got "
                        + text.length()
                        + " characters in '"
                        + name
                        + "'; send at most "
                        + maxCharacters);
        return text;
    }

    /** Returns a whole number within bounds, or another one when the field is absent. */
    int numberOr(String name, int absent, int min, int max) {
        JsonNode value = fields.path(name);
        if (value.isMissingNode()) {
            return absent;
        }
        boolean usable =
                value.isIntegralNumber()
                        && value.canConvertToInt()
                        && value.intValue() >= min
                        && value.intValue() <= max;
        Require.that(usable, problem(name, "a whole number from " + min + " to " + max));
        return value.intValue();
    }

    /** Returns a truth value; false when the field is absent. */
    boolean flag(String name) {
        JsonNode value = fields.path(name);
        Require.that(value.isMissingNode() || value.isBoolean(), problem(name, "true or false"));
        return value.asBoolean(false);
    }

    private String problem(String name, String wanted) {
        String got = FileRefusal.shown(fields.path(name).toString());
        return tool + " got '" + name + "' " + got + "; send " + wanted;
    }
}

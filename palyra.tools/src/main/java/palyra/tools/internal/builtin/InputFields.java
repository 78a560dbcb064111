package palyra.tools.internal.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.List;
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

    /** Returns a text of at most so many characters (code points). */
    String text(String name, int maxCharacters) {
        JsonNode value = fields.path(name);
        Require.that(value.isTextual(), problem(name, value, "a text"));
        String text = value.textValue();
        int characters = text.codePointCount(0, text.length());
        Require.that(
                characters <= maxCharacters,
                tool
                        + " got "
                        + characters
                        + " characters in '"
                        + name
                        + "'; send at most "
                        + maxCharacters);
        return text;
    }

    /** Returns a whole number within bounds. */
    long number(String name, long min, long max) {
        JsonNode value = fields.path(name);
        boolean usable =
                value.isIntegralNumber()
                        && value.canConvertToLong()
                        && value.longValue() >= min
                        && value.longValue() <= max;
        Require.that(usable, problem(name, value, "a whole number from " + min + " to " + max));
        return value.longValue();
    }

    private String problem(String name, JsonNode value, String wanted) {
        return value.isMissingNode()
                ? tool + " needs the field '" + name + "'; send " + wanted
                : tool + " got '" + name + "' " + shown(value.toString()) + "; send " + wanted;
    }

    private static String shown(String text) {
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }
}

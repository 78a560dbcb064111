package palyra.shared.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.text.Nearest;

/**
 * The input of a tool under the names that the tool knows, and what was left of it.
 *
 * @param spelled under which name each field was sent
 */
record ToolInput(
        String tool,
        List<String> known,
        ObjectNode fields,
        String note,
        Map<String, String> spelled)
        implements JsonFields.Refusals {
    private static final int MOST_TOLD = 8;

    static ToolInput read(ToolDescriptor descriptor, String inputJson, List<String> spellings) {
        String tool = descriptor.name();
        List<String> known = declared(descriptor);
        Map<String, String> names = new HashMap<>(); // by every spelling
        known.forEach(name -> names.put(name, name));
        for (String field : spellings) {
            String[] all = field.split("\\|");
            if (known.contains(all[0])) {
                List.of(all).forEach(spelling -> names.put(spelling, all[0]));
            }
        }
        JsonNode given = StrictJson.parse(inputJson, "the input of " + tool);
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        Map<String, String> spelled = new HashMap<>();
        ToolInput input = new ToolInput(tool, known, fields, "", spelled);
        if (!given.isObject()) {
            throw input.wrong("", given, "an object");
        }
        List<String> ignored = new ArrayList<>();
        for (Map.Entry<String, JsonNode> each : given.properties()) {
            String name = names.get(each.getKey());
            if (name == null) {
                ignored.add(each.getKey());
            } else if (!each.getValue().isNull()) {
                input.put(name, each.getKey(), each.getValue());
            }
        }
        return new ToolInput(
                tool, known, fields, ignored.isEmpty() ? "" : note(ignored, known), spelled);
    }

    private static List<String> declared(ToolDescriptor tool) {
        JsonNode schema =
                StrictJson.parse(tool.inputSchemaJson(), "the input schema of " + tool.name());
        return schema.path("properties").properties().stream().map(Map.Entry::getKey).toList();
    }

    private void put(String name, String spelling, JsonNode value) {
        spelled.put(name, spelling);
        JsonNode before = fields.replace(name, value);
        if (before != null && !before.equals(value)) {
            throw refusal(
                    tool
                            + " got '"
                            + name
                            + "' twice, once as '"
                            + spelling
                            + "'; send '"
                            + name
                            + "' alone");
        }
    }

    private static String note(List<String> ignored, List<String> known) {
        String told =
                ignored.stream()
                        .limit(MOST_TOLD)
                        .map(name -> "'" + JsonFields.shown(name) + "'")
                        .collect(Collectors.joining(", "));
        return (ignored.size() == 1 ? "ignored unknown field " : "ignored unknown fields ")
                + told
                + (ignored.size() > MOST_TOLD ? " and others" : "")
                + Nearest.to(ignored.get(0), known)
                        .map(name -> " (did you mean '" + name + "'?)")
                        .orElse("")
                + "; known fields: "
                + String.join(", ", known);
    }

    @Override
    public RuntimeException wrong(String field, JsonNode found, String wanted) {
        String problem =
                field.isEmpty()
                        ? "the input of " + tool + " is not an object"
                        : found.isMissingNode()
                                ? tool + " needs the field '" + field + "'"
                                : tool
                                        + " got '"
                                        + field
                                        + "' "
                                        + JsonFields.shown(found.toString());
        String remedy = field.isEmpty() ? "{\"" + known.get(0) + "\": …}" : wanted;
        return refusal(problem + "; send " + remedy + (note.isEmpty() ? "" : " (" + note + ")"));
    }

    @Override
    public RuntimeException unknown(String field, Collection<String> allowed) {
        return refusal(tool + " does not know the field '" + JsonFields.shown(field) + "'");
    }

    private static PalyraException refusal(String message) {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, message);
    }
}

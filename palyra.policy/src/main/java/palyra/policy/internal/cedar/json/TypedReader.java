package palyra.policy.internal.cedar.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.SetValue;
import palyra.policy.internal.cedar.value.StringValue;
import palyra.policy.internal.cedar.value.Value;

/**
 * Reads values of which the schema knows the type: entities and extension values then need no
 * escape, and what has another type is refused.
 */
final class TypedReader {
    private static final ValueReader VALUES = ValueReader.trusted();

    private TypedReader() {}

    static RecordValue record(JsonNode node, SchemaType.RecordOf type, String place) {
        if (!node.isObject()) {
            throw mismatch(place, "an object");
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (!type.fields().containsKey(field.getKey())) {
                throw new CedarFormatException(
                        place + ": the schema knows no \"" + field.getKey() + "\" here.");
            }
        }
        Map<String, Value> values = new HashMap<>();
        type.fields()
                .forEach(
                        (name, field) -> {
                            JsonNode child = node.get(name);
                            if (child != null) {
                                values.put(name, read(child, field.type(), place + "." + name));
                            } else if (field.required()) {
                                throw new CedarFormatException(
                                        place + ": \"" + name + "\" is missing.");
                            }
                        });
        return RecordValue.of(values);
    }

    /** Depth is bounded by the type. */
    static Value read(JsonNode node, SchemaType type, String place) {
        return switch (type) {
            case SchemaType.Plain plain -> plain(node, plain, place);
            case SchemaType.SetOf set -> set(node, set, place);
            case SchemaType.RecordOf fields -> record(node, fields, place);
            case SchemaType.EntityOf entity -> entity(node, entity, place);
            case SchemaType.Extension extension -> extension(node, extension, place);
        };
    }

    private static Value plain(JsonNode node, SchemaType.Plain type, String place) {
        boolean fits =
                switch (type) {
                    case BOOL -> node.isBoolean();
                    case LONG -> node.isNumber();
                    case STRING -> node.isTextual();
                };
        if (!fits) {
            throw mismatch(place, "a " + type.name().toLowerCase(java.util.Locale.ROOT));
        }
        return VALUES.read(node, place);
    }

    private static SetValue set(JsonNode node, SchemaType.SetOf type, String place) {
        if (!node.isArray()) {
            throw mismatch(place, "a list");
        }
        List<Value> elements = new ArrayList<>(node.size());
        for (JsonNode element : node) {
            elements.add(read(element, type.element(), place + "[" + elements.size() + "]"));
        }
        return SetValue.of(elements);
    }

    private static EntityUid entity(JsonNode node, SchemaType.EntityOf type, String place) {
        EntityUid uid = Json.uid(node, place);
        if (!uid.type().equals(type.type())) {
            throw mismatch(place, "an entity of type " + type.type());
        }
        return uid;
    }

    private static Value extension(JsonNode node, SchemaType.Extension type, String place) {
        Value value;
        if (node.isTextual()) {
            List<Value> text = List.of(new StringValue(node.textValue()));
            value = ValueReader.call(type.constructor(), text, place);
        } else {
            JsonNode body = node.has("__extn") && node.size() == 1 ? node.get("__extn") : node;
            value = VALUES.extension(body, place);
        }
        if (!value.typeName().equals(type.name())) {
            throw mismatch(place, "a value of type " + type.name());
        }
        return value;
    }

    private static CedarFormatException mismatch(String place, String expected) {
        return new CedarFormatException(place + ": the schema expects " + expected + " here.");
    }
}

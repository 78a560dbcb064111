package palyra.policy.internal.cedar.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import palyra.policy.internal.cedar.value.CedarFormatException;

/** Resolves the type expressions of a schema: a name means the nearest thing that has it. */
final class SchemaNames {
    private static final int MAX_DEPTH = 100;
    private static final Map<String, SchemaType> BUILT_IN =
            Map.of(
                    "Long",
                    SchemaType.Plain.LONG,
                    "String",
                    SchemaType.Plain.STRING,
                    "Bool",
                    SchemaType.Plain.BOOL,
                    "Boolean",
                    SchemaType.Plain.BOOL,
                    "ipaddr",
                    new SchemaType.Extension("ip", "ipaddr"),
                    "decimal",
                    new SchemaType.Extension("decimal", "decimal"),
                    "datetime",
                    new SchemaType.Extension("datetime", "datetime"),
                    "duration",
                    new SchemaType.Extension("duration", "duration"));

    private final JsonNode root;
    private int depth;

    SchemaNames(JsonNode root) {
        this.root = root;
    }

    static String join(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "::" + name;
    }

    SchemaType.RecordOf record(JsonNode node, String namespace, String place) {
        if (type(node, namespace, place) instanceof SchemaType.RecordOf found) {
            return found;
        }
        throw new CedarFormatException(place + ": the schema must say a record here.");
    }

    SchemaType type(JsonNode node, String namespace, String place) {
        if (++depth > MAX_DEPTH) {
            throw new CedarFormatException(place + ": a type refers to itself.");
        }
        String kind = Json.text(node, "type", place);
        SchemaType type =
                switch (kind) {
                    case "Set" ->
                            new SchemaType.SetOf(
                                    type(Json.required(node, "element", place), namespace, place));
                    case "Record" -> fields(node.path("attributes"), namespace, place);
                    case "Entity" ->
                            new SchemaType.EntityOf(
                                    entity(Json.text(node, "name", place), namespace, place));
                    case "Extension" -> builtIn(Json.text(node, "name", place), place);
                    case "EntityOrCommon" ->
                            named(Json.text(node, "name", place), namespace, place);
                    case "Long", "String", "Bool", "Boolean" -> BUILT_IN.get(kind);
                    default -> named(kind, namespace, place);
                };
        depth--;
        return type;
    }

    /** The full name of an entity type. */
    String entity(String name, String namespace, String place) {
        String near = join(namespace, name);
        if (isEntity(near)) {
            return near;
        }
        if (isEntity(name)) {
            return name;
        }
        throw new CedarFormatException(place + ": there is no entity type " + name + ".");
    }

    private SchemaType named(String name, String namespace, String place) {
        for (String full : new String[] {join(namespace, name), name}) {
            JsonNode common = root.path(namespaceOf(full)).path("commonTypes").get(lastOf(full));
            if (common != null) {
                return type(common, namespaceOf(full), place);
            }
            if (isEntity(full)) {
                return new SchemaType.EntityOf(full);
            }
        }
        return builtIn(name, place);
    }

    private static SchemaType builtIn(String name, String place) {
        String prefix = "__cedar::";
        String plain = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
        SchemaType type = BUILT_IN.get(plain);
        if (type == null) {
            throw new CedarFormatException(place + ": there is no type " + name + ".");
        }
        return type;
    }

    private SchemaType.RecordOf fields(JsonNode attributes, String namespace, String place) {
        Map<String, SchemaType.Field> fields = new HashMap<>();
        for (Map.Entry<String, JsonNode> entry : attributes.properties()) {
            JsonNode body = entry.getValue();
            boolean required = body.path("required").asBoolean(true);
            String inside = place + "." + entry.getKey();
            fields.put(
                    entry.getKey(), new SchemaType.Field(type(body, namespace, inside), required));
        }
        return new SchemaType.RecordOf(fields);
    }

    private boolean isEntity(String full) {
        return root.path(namespaceOf(full)).path("entityTypes").has(lastOf(full));
    }

    private static String namespaceOf(String full) {
        int end = full.lastIndexOf("::");
        return end < 0 ? "" : full.substring(0, end);
    }

    private static String lastOf(String full) {
        int end = full.lastIndexOf("::");
        return end < 0 ? full : full.substring(end + 2);
    }
}

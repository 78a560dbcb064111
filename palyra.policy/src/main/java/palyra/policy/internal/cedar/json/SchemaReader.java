package palyra.policy.internal.cedar.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;

/** Reads a schema in Cedar's JSON form: namespaces of entity types, actions and common types. */
final class SchemaReader {
    private final JsonNode root;
    private final SchemaNames names;

    SchemaReader(JsonNode root) {
        this.root = root;
        this.names = new SchemaNames(root);
    }

    Schema read() {
        Map<String, Schema.EntityType> entityTypes = new HashMap<>();
        Map<EntityUid, Schema.Action> actions = new HashMap<>();
        for (Map.Entry<String, JsonNode> entry : Json.object(root, "the schema")) {
            String namespace = entry.getKey();
            JsonNode body = entry.getValue();
            for (Map.Entry<String, JsonNode> type : body.path("entityTypes").properties()) {
                String name = SchemaNames.join(namespace, type.getKey());
                entityTypes.put(name, entityType(type.getValue(), namespace, name));
            }
            for (Map.Entry<String, JsonNode> action : body.path("actions").properties()) {
                EntityUid uid = EntityUid.of(actionType(namespace), action.getKey());
                actions.put(uid, action(action.getValue(), namespace, uid));
            }
        }
        return new Schema(entityTypes, actions);
    }

    private Schema.EntityType entityType(JsonNode body, String namespace, String name) {
        Set<String> parents = new HashSet<>();
        for (JsonNode parent : body.path("memberOfTypes")) {
            parents.add(names.entity(Json.text(parent, name), namespace, name));
        }
        JsonNode shape = body.get("shape");
        JsonNode tags = body.get("tags");
        return new Schema.EntityType(
                parents,
                shape == null ? SchemaType.RecordOf.EMPTY : names.record(shape, namespace, name),
                tags == null ? null : names.type(tags, namespace, name),
                ids(body.get("enum"), name));
    }

    private static Set<String> ids(JsonNode list, String name) {
        if (list == null) {
            return null;
        }
        Set<String> ids = new HashSet<>();
        Json.array(list, name).forEach(id -> ids.add(Json.text(id, name)));
        return ids;
    }

    private Schema.Action action(JsonNode body, String namespace, EntityUid uid) {
        Set<EntityUid> groups = new HashSet<>();
        for (JsonNode group : body.path("memberOf")) {
            groups.add(group(group, namespace, uid));
        }
        JsonNode context = body.path("appliesTo").get("context");
        return new Schema.Action(
                groups,
                context == null
                        ? SchemaType.RecordOf.EMPTY
                        : names.record(context, namespace, uid.toString()));
    }

    /** A group without a type, or with the type {@code Action} alone, is of the same namespace. */
    private EntityUid group(JsonNode node, String namespace, EntityUid uid) {
        String id = Json.text(node, "id", uid.toString());
        JsonNode type = node.get("type");
        if (type == null || type.isNull()) {
            return EntityUid.of(actionType(namespace), id);
        }
        String name = Json.text(type, uid.toString());
        EntityUid near = EntityUid.of(SchemaNames.join(namespace, name), id);
        EntityUid asWritten = EntityUid.of(name, id);
        if (!name.contains("::") && declared(namespace, id)) {
            return near;
        }
        if (!declared(namespaceOf(name), id)) {
            throw new CedarFormatException(uid + ": the group " + asWritten + " is not declared.");
        }
        return asWritten;
    }

    private boolean declared(String namespace, String id) {
        return root.path(namespace).path("actions").has(id);
    }

    private static String namespaceOf(String type) {
        int end = type.lastIndexOf("::");
        return end < 0 ? "" : type.substring(0, end);
    }

    private static String actionType(String namespace) {
        return SchemaNames.join(namespace, "Action");
    }
}

package palyra.policy.internal.cedar.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.Value;

/**
 * Reads entities and contexts from Cedar's JSON form. With a schema, data is read by the types the
 * schema gives, and what does not fit them is refused; without one, only the escapes tell an entity
 * from a record.
 */
public final class EntitiesReader {
    private static final Set<String> KEYS = Set.of("uid", "attrs", "parents", "tags");

    private final Schema schema;

    private EntitiesReader(Schema schema) {
        this.schema = schema;
    }

    public static EntitiesReader withoutSchema() {
        return new EntitiesReader(null);
    }

    public static EntitiesReader by(Schema schema) {
        return new EntitiesReader(schema);
    }

    /**
     * @param json a list of entities
     * @throws CedarFormatException if it is not one; names the entity
     */
    public List<Entity> read(String json) {
        return read(Json.parse(json, "The entities"));
    }

    /** As {@link #read(String)}. */
    public List<Entity> read(JsonNode json) {
        List<Entity> entities = new ArrayList<>();
        Json.array(json, "the entities").forEach(node -> entities.add(entity(node)));
        return entities;
    }

    /**
     * The context of a request from a caller who may name entities.
     *
     * @param action by which the schema knows the types
     * @throws CedarFormatException if it does not fit
     */
    public RecordValue context(EntityUid action, JsonNode json) {
        if (schema == null) {
            return ValueReader.trusted().record(json, "context");
        }
        Schema.Action known =
                schema.action(action)
                        .orElseThrow(
                                () ->
                                        new CedarFormatException(
                                                "The schema knows no action " + action + "."));
        return TypedReader.record(json, known.context(), "context");
    }

    private Entity entity(JsonNode node) {
        Json.keys(node, KEYS, "an entity");
        EntityUid uid = Json.uid(Json.required(node, "uid", "an entity"), "an entity");
        String place = uid.toString();
        List<EntityUid> parents = new ArrayList<>();
        if (node.has("parents")) {
            Json.array(node.get("parents"), place).forEach(p -> parents.add(Json.uid(p, place)));
        }
        JsonNode attributes = node.path("attrs");
        JsonNode tags = node.path("tags");
        if (schema == null || schema.isAction(uid)) {
            return Entity.of(uid, untyped(attributes, place), untyped(tags, place), parents);
        }
        return typed(uid, attributes, tags, parents);
    }

    private Entity typed(
            EntityUid uid, JsonNode attributes, JsonNode tags, List<EntityUid> parents) {
        String place = uid.toString();
        Schema.EntityType type =
                schema.entityType(uid.type())
                        .orElseThrow(
                                () ->
                                        new CedarFormatException(
                                                place + ": the schema knows no such type."));
        if (type.ids() != null && !type.ids().contains(uid.id())) {
            throw new CedarFormatException(place + ": the schema lists other ids for this type.");
        }
        for (EntityUid parent : parents) {
            if (!type.parents().contains(parent.type())) {
                throw new CedarFormatException(
                        place + ": the schema allows no parent " + parent + ".");
            }
        }
        RecordValue shape =
                attributes.isMissingNode()
                        ? TypedReader.record(Json.parse("{}", place), type.shape(), place)
                        : TypedReader.record(attributes, type.shape(), place);
        return Entity.of(uid, shape, tags(tags, type, place), parents);
    }

    private static RecordValue tags(JsonNode tags, Schema.EntityType type, String place) {
        Map<String, Value> values = new HashMap<>();
        if (!tags.isMissingNode()) {
            for (Map.Entry<String, JsonNode> tag : Json.object(tags, place + ".tags")) {
                if (type.tags() == null) {
                    throw new CedarFormatException(place + ": the schema allows no tags.");
                }
                String inside = place + ".tags." + tag.getKey();
                values.put(tag.getKey(), TypedReader.read(tag.getValue(), type.tags(), inside));
            }
        }
        return RecordValue.of(values);
    }

    private static RecordValue untyped(JsonNode node, String place) {
        return node.isMissingNode() ? RecordValue.EMPTY : ValueReader.trusted().record(node, place);
    }
}

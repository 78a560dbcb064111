package palyra.policy.internal.cedar.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.value.EntityUid;

/**
 * What a schema says of entities and actions: enough to read data by it. Whether policies fit the
 * schema is not decided here.
 */
public final class Schema {
    /**
     * What it says of an entity type.
     *
     * @param parents the types its parents may have
     * @param shape its attributes
     * @param tags the type of its tags, or null if it has none
     * @param ids the ids there are, or null if any is possible
     */
    record EntityType(
            Set<String> parents, SchemaType.RecordOf shape, SchemaType tags, Set<String> ids) {}

    /** What it says of an action. */
    record Action(Set<EntityUid> groups, SchemaType.RecordOf context) {}

    private final Map<String, EntityType> entityTypes;
    private final Map<EntityUid, Action> actions;
    private final List<Entity> actionEntities;

    Schema(Map<String, EntityType> entityTypes, Map<EntityUid, Action> actions) {
        this.entityTypes = Map.copyOf(entityTypes);
        this.actions = Map.copyOf(actions);
        this.actionEntities =
                actions.entrySet().stream()
                        .map(a -> Entity.of(a.getKey(), Map.of(), a.getValue().groups()))
                        .toList();
    }

    /**
     * @param json the schema in Cedar's JSON form
     * @throws palyra.policy.internal.cedar.value.CedarFormatException if it is not one
     */
    public static Schema parse(String json) {
        return parse(Json.parse(json, "The schema"));
    }

    /** As {@link #parse(String)}. */
    public static Schema parse(JsonNode json) {
        return new SchemaReader(json).read();
    }

    /** The actions as entities, each with the groups it is in. */
    public Collection<Entity> actionEntities() {
        return actionEntities;
    }

    public boolean isAction(EntityUid uid) {
        return actions.containsKey(uid);
    }

    Optional<EntityType> entityType(String name) {
        return Optional.ofNullable(entityTypes.get(name));
    }

    Optional<Action> action(EntityUid uid) {
        return Optional.ofNullable(actions.get(uid));
    }
}

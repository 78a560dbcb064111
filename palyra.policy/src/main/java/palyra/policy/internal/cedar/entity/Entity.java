package palyra.policy.internal.cedar.entity;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.Value;

/**
 * An entity.
 *
 * @param uid its name
 * @param attributes what {@code .} and {@code has} see
 * @param tags what {@code getTag} and {@code hasTag} see
 * @param parents the direct parents
 * @param ancestors parents, their parents and so on, without the entity itself; only the direct
 *     parents until the entity is part of an {@link Entities}
 */
public record Entity(
        EntityUid uid,
        RecordValue attributes,
        RecordValue tags,
        Set<EntityUid> parents,
        Set<EntityUid> ancestors) {

    public Entity {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(attributes, "attributes");
        Objects.requireNonNull(tags, "tags");
        parents = Set.copyOf(parents);
        ancestors = Set.copyOf(ancestors);
    }

    public static Entity of(
            EntityUid uid,
            RecordValue attributes,
            RecordValue tags,
            Collection<EntityUid> parents) {
        Set<EntityUid> direct = Set.copyOf(parents);
        return new Entity(uid, attributes, tags, direct, direct);
    }

    /** An entity without tags. */
    public static Entity of(
            EntityUid uid, Map<String, ? extends Value> attributes, Collection<EntityUid> parents) {
        return of(uid, RecordValue.of(attributes), RecordValue.EMPTY, parents);
    }

    /** True if both have the same name, attributes and tags; ancestors are not compared. */
    boolean sameAs(Entity other) {
        return uid.equals(other.uid)
                && attributes.equals(other.attributes)
                && tags.equals(other.tags)
                && parents.equals(other.parents);
    }

    Entity withAncestors(Set<EntityUid> all) {
        return new Entity(uid, attributes, tags, parents, all);
    }
}

package palyra.policy.internal.cedar.entity;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;

/**
 * A set of entities with the closure of their hierarchy. Immutable. A few entities of one request
 * can be laid over a large shared set without copying it.
 */
public final class Entities {
    public static final Entities EMPTY = new Entities(null, Map.of(), Set.of());

    private final Entities base;
    private final Map<EntityUid, Entity> own;

    /** Everything that is an ancestor of an entity in {@code own} or in the base. */
    private final Set<EntityUid> ancestors;

    private Entities(Entities base, Map<EntityUid, Entity> own, Set<EntityUid> ancestors) {
        this.base = base;
        this.own = own;
        this.ancestors = ancestors;
    }

    /**
     * @throws CedarFormatException if an entity is there twice with different content, or is its
     *     own ancestor
     */
    public static Entities of(Collection<Entity> entities) {
        return entities.isEmpty() ? EMPTY : build(null, index(entities));
    }

    /**
     * These entities and the given ones; a given one takes the place of one with the same name.
     *
     * @throws CedarFormatException as {@link #of}
     */
    public Entities with(Collection<Entity> more) {
        if (more.isEmpty()) {
            return this;
        }
        Map<EntityUid, Entity> added = index(more);
        for (Entity entity : added.values()) {
            if (changesOthers(entity)) {
                return build(null, merged(added));
            }
        }
        return build(this, added);
    }

    /** The entity of that name, or null if absent. */
    public Entity find(EntityUid uid) {
        Entity found = own.get(uid);
        return found != null || base == null ? found : base.find(uid);
    }

    /** All entities, each once. */
    public Collection<Entity> all() {
        return merged(Map.of()).values();
    }

    /** True if the ancestors of entities that are already here depend on the entity. */
    private boolean changesOthers(Entity entity) {
        if (!isAncestor(entity.uid())) {
            return false;
        }
        Entity present = find(entity.uid());
        Set<EntityUid> before = present == null ? Set.of() : present.parents();
        return !before.equals(entity.parents());
    }

    private boolean isAncestor(EntityUid uid) {
        return ancestors.contains(uid) || (base != null && base.isAncestor(uid));
    }

    private Map<EntityUid, Entity> merged(Map<EntityUid, Entity> added) {
        Map<EntityUid, Entity> all = base == null ? new LinkedHashMap<>() : base.merged(Map.of());
        all.putAll(own);
        all.putAll(added);
        return all;
    }

    private static Map<EntityUid, Entity> index(Collection<Entity> entities) {
        Map<EntityUid, Entity> byUid = new LinkedHashMap<>();
        for (Entity entity : entities) {
            Entity earlier = byUid.putIfAbsent(entity.uid(), entity);
            if (earlier != null && !earlier.sameAs(entity)) {
                throw new CedarFormatException(
                        "The entity "
                                + entity.uid()
                                + " is there twice with different content; keep one of them.");
            }
        }
        return byUid;
    }

    private static Entities build(Entities base, Map<EntityUid, Entity> added) {
        Map<EntityUid, Entity> own = HashMap.newHashMap(added.size());
        Set<EntityUid> ancestors = new HashSet<>();
        for (Entity entity : added.values()) {
            Set<EntityUid> closure =
                    entity.parents().isEmpty() ? Set.of() : closure(entity, base, added);
            own.put(entity.uid(), entity.withAncestors(closure));
            ancestors.addAll(closure);
        }
        return new Entities(base, own, ancestors);
    }

    private static Set<EntityUid> closure(
            Entity entity, Entities base, Map<EntityUid, Entity> added) {
        Set<EntityUid> closure = new HashSet<>(entity.parents());
        List<EntityUid> open = new ArrayList<>(entity.parents());
        while (!open.isEmpty()) {
            EntityUid next = open.removeLast();
            Entity parent = added.get(next);
            if (parent == null && base != null) {
                parent = base.find(next);
            }
            if (parent != null) {
                for (EntityUid above : parent.parents()) {
                    if (closure.add(above)) {
                        open.add(above);
                    }
                }
            }
        }
        if (closure.contains(entity.uid())) {
            throw new CedarFormatException(
                    "The entity "
                            + entity.uid()
                            + " is its own ancestor; remove one of the parents.");
        }
        return closure;
    }
}

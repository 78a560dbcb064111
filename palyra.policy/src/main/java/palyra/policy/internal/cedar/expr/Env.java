package palyra.policy.internal.cedar.expr;

import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.RecordValue;

/** What an expression is evaluated in: the request and the entities. */
public final class Env {
    final EntityUid principal;
    final EntityUid action;
    final EntityUid resource;
    final RecordValue context;
    private final Entities entities;
    private final Entity principalEntity;
    private final Entity actionEntity;
    private final Entity resourceEntity;

    public Env(
            EntityUid principal,
            EntityUid action,
            EntityUid resource,
            RecordValue context,
            Entities entities) {
        this.principal = principal;
        this.action = action;
        this.resource = resource;
        this.context = context;
        this.entities = entities;
        this.principalEntity = entities.find(principal);
        this.actionEntity = entities.find(action);
        this.resourceEntity = entities.find(resource);
    }

    /** Null if there is no such entity. */
    @SuppressWarnings("ReferenceEquality") // a fast path; the slow one compares by value
    public Entity entity(EntityUid uid) {
        if (uid == principal) {
            return principalEntity;
        }
        if (uid == action) {
            return actionEntity;
        }
        return uid == resource ? resourceEntity : entities.find(uid);
    }

    public EntityUid principal() {
        return principal;
    }

    public EntityUid action() {
        return action;
    }

    public EntityUid resource() {
        return resource;
    }
}

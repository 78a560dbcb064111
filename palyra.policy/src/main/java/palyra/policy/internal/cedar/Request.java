package palyra.policy.internal.cedar;

import java.util.Objects;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.RecordValue;

/**
 * The policy request whether a principal may do an action to a resource. The three need not exist
 * among the entities.
 */
public record Request(
        EntityUid principal,
        EntityUid action,
        EntityUid resource,
        RecordValue context,
        Entities entities) {
    public Request {
        Objects.requireNonNull(principal, "principal");
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(entities, "entities");
    }
}

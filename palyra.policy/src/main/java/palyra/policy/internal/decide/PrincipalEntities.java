package palyra.policy.internal.decide;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.access.PrincipalKind;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.StringValue;

/** Principals as entities: their whole name is their id, their groups are their parents. */
final class PrincipalEntities {
    /** Types of principals. */
    static final Set<String> TYPES = Set.of("User", "Device", "Service", "System");

    private PrincipalEntities() {}

    static EntityUid uid(PrincipalKind kind, String id) {
        return EntityUid.of(type(kind), id);
    }

    /** Returns the entity of a name of which only its beginning tells what it is. */
    static EntityUid uid(String id) {
        return EntityUid.of(type(kind(id)), id);
    }

    private static String type(PrincipalKind kind) {
        return switch (kind) {
            case USER -> "User";
            case DEVICE -> "Device";
            case SERVICE -> "Service";
            case SYSTEM -> "System";
        };
    }

    /** As in {@code palyra.access}: a name without a known beginning is a program's. */
    private static PrincipalKind kind(String id) {
        if (id.startsWith("user:")) {
            return PrincipalKind.USER;
        }
        if (id.startsWith("device:")) {
            return PrincipalKind.DEVICE;
        }
        boolean own = id.equals("system") || id.startsWith("system:");
        return own ? PrincipalKind.SYSTEM : PrincipalKind.SERVICE;
    }

    static Entity entity(EntityUid uid, Collection<String> groups) {
        return Entity.of(
                uid,
                Map.of("id", new StringValue(uid.id())),
                new TreeSet<>(groups).stream().map(PrincipalEntities::group).toList());
    }

    static EntityUid group(String name) {
        return EntityUid.of("Group", name);
    }
}

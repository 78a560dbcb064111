package palyra.api.core.access;

import java.util.Map;
import palyra.api.Require;
import palyra.api.access.Principal;

/**
 * A policy request: may this principal perform this action on this resource?
 *
 * @param principal who
 * @param action what: {@code run.start}, {@code run.cancel}, {@code tape.read}, {@code
 *     access.token.create} …
 * @param resource what it is about, such as {@code session:01J…}; may be empty
 * @param owner principal that the resource belongs to; empty when it has no owner
 * @param facts further facts for the decision and the record; never secrets
 */
public record AccessRequest(
        Principal principal,
        String action,
        String resource,
        String owner,
        Map<String, String> facts) {
    /** Checks and copies. */
    public AccessRequest {
        Require.present(principal, "principal");
        Require.that(
                action != null && action.matches("[a-z]+(\\.[a-z_]+)*"),
                "action '" + action + "' is not usable");
        resource = Require.orEmpty(resource);
        owner = Require.orEmpty(owner);
        facts = Map.copyOf(facts);
    }

    /** Returns a request without an owner and further facts. */
    public static AccessRequest of(Principal principal, String action, String resource) {
        return new AccessRequest(principal, action, resource, "", Map.of());
    }
}

package palyra.front.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.shared.approval.PairingApprovals;

/**
 * Asks access about a resource by its owner. A resource of another principal is answered exactly as
 * one that does not exist; a caller who may not touch even own resources gets DENIED in both cases.
 */
public final class OwnershipCheck {
    private final Access access;

    /** Creates the check over one access control. */
    public OwnershipCheck(Access access) {
        this.access = access;
    }

    /**
     * The resource of a request.
     *
     * @param kind {@code run}, {@code session}, {@code message}, {@code approval} or {@code grant}
     * @param owner whose it is; empty when it does not exist
     */
    public record Resource(String kind, String id, Optional<String> owner) {
        String name() {
            return kind + ":" + id;
        }

        /** Returns the refusal of a resource that is not there, or not to be known of. */
        public PalyraException notFound() {
            return new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "There is no "
                            + kind
                            + " "
                            + id
                            + " of yours; look for its id in the list of "
                            + kind
                            + "s.");
        }
    }

    /** Decides about a change. NOT_FOUND, DENIED. */
    public Authorized change(
            Principal principal, String action, Resource resource, Map<String, String> facts) {
        return decide(principal, action, resource, facts, access::authorize);
    }

    /**
     * Decides about a change of a pairing, as about the command that does the same. DENIED.
     *
     * @param verb {@code approve}, {@code deny} or {@code revoke}
     */
    public Authorized pairing(Principal principal, String verb, Map<String, String> facts) {
        Map<String, String> all = new HashMap<>(facts);
        all.put("command", "pairing " + verb);
        return access.authorize(
                new AccessRequest(
                        principal, PairingApprovals.ACTION, "command:pairing." + verb, "", all));
    }

    /** Decides about reading. NOT_FOUND, DENIED. */
    public Permit read(Principal principal, String action, Resource resource) {
        return decide(principal, action, resource, Map.of(), access::authorizeRead);
    }

    private <T> T decide(
            Principal principal,
            String action,
            Resource resource,
            Map<String, String> facts,
            Function<AccessRequest, T> ask) {
        AccessRequest asOwn =
                new AccessRequest(principal, action, resource.name(), principal.id(), facts);
        String owner = resource.owner().orElse(principal.id());
        if (owner.equals(principal.id())) {
            T answer = ask.apply(asOwn);
            if (resource.owner().isEmpty()) {
                throw resource.notFound();
            }
            return answer;
        }
        try {
            return ask.apply(new AccessRequest(principal, action, resource.name(), owner, facts));
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.DENIED) {
                throw e;
            }
            access.authorizeRead(asOwn);
            throw resource.notFound();
        }
    }

    /** Decides about reading; false for what the principal cannot know of. DENIED. */
    public boolean readable(Principal principal, String action, Resource resource) {
        try {
            read(principal, action, resource);
            return true;
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    /** Decides about a list: everything for operators, own resources for other callers. */
    public String listOwner(Principal principal, String action) {
        return listOwner(principal, action, "operator");
    }

    /** Decides about a list: everything for {@code groups}, own resources for other callers. */
    public String listOwner(Principal principal, String action, String... groups) {
        String owner = Stream.of(groups).anyMatch(principal::in) ? "" : principal.id();
        access.authorizeRead(new AccessRequest(principal, action, "", owner, Map.of()));
        return owner;
    }
}

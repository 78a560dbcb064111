package palyra.front.internal;

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

/**
 * Asks access about a resource by its owner. A resource of another principal is answered exactly as one that does
 * not exist; a caller who may not touch even own resources gets DENIED in both cases.
 */
public final class OwnershipCheck {
    private final Access access;

    /** Creates the question to one access control. */
    public OwnershipCheck(Access access) {
        this.access = access;
    }

    /**
     * The resource of a request.
     *
     * @param kind {@code run}, {@code session}, {@code message}, {@code approval} or {@code grant}
     * @param owner whose it is; empty when it does not exist
     */
    public record Thing(String kind, String id, Optional<String> owner) {
        String resource() {
            return kind + ":" + id;
        }

        /** Returns the refusal of a thing that is not there, or not to be known of. */
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
            Principal principal, String action, Thing thing, Map<String, String> facts) {
        return decide(principal, action, thing, facts, access::authorize);
    }

    /** Decides about reading. NOT_FOUND, DENIED. */
    public Permit read(Principal principal, String action, Thing thing) {
        return decide(principal, action, thing, Map.of(), access::authorizeRead);
    }

    private <T> T decide(
            Principal principal,
            String action,
            Thing thing,
            Map<String, String> facts,
            Function<AccessRequest, T> ask) {
        AccessRequest asOwn =
                new AccessRequest(principal, action, thing.resource(), principal.id(), facts);
        String owner = thing.owner().orElse(principal.id());
        if (owner.equals(principal.id())) {
            T answer = ask.apply(asOwn);
            if (thing.owner().isEmpty()) {
                throw thing.notFound();
            }
            return answer;
        }
        try {
            return ask.apply(new AccessRequest(principal, action, thing.resource(), owner, facts));
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.DENIED) {
                throw e;
            }
            access.authorizeRead(asOwn);
            throw thing.notFound();
        }
    }

    /** Decides about reading; false for what the principal cannot know of. DENIED. */
    public boolean readable(Principal principal, String action, Thing thing) {
        try {
            read(principal, action, thing);
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

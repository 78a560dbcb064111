package palyra.access.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;
import palyra.shared.json.StrictJson;

/**
 * Which principals operators linked accounts of chat platforms to (docs/formats.md,
 * channel_identity). Nothing is cached: each call reads the journal.
 */
final class IdentityLinks {
    private static final String COLLECTION = "channel_identity";

    /** What a link may pass on besides. */
    private static final Set<String> LINKABLE =
            Set.of(BuiltInRules.APPROVER, BuiltInRules.INTEGRATOR, BuiltInRules.VIEWER);

    private final Gate<Journal> journal;

    IdentityLinks(Gate<Journal> journal) {
        this.journal = journal;
    }

    /**
     * A link.
     *
     * @param principal who the account is
     * @param groups groups in which it is besides those of every sender; never operator
     */
    record Link(String principal, Set<String> groups) {}

    /** Returns the link of the principal that a connector speaks for. */
    Optional<Link> find(String account) {
        return journal.call(store -> store.document(COLLECTION, account))
                .map(document -> StrictJson.parse(document.content(), "a linked identity"))
                .map(IdentityLinks::link);
    }

    private static Link link(JsonNode tree) {
        Set<String> groups = new TreeSet<>();
        tree.path("groups").forEach(group -> groups.add(group.asText()));
        groups.retainAll(LINKABLE);
        return new Link(PrincipalNames.require(tree.path("principal").asText()), groups);
    }
}

package palyra.access.internal;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;

/** Lets one principal speak for another, with at most its own rights. */
final class Delegation {
    static final String ACTION = "access.speak_for";

    /** Groups that may be passed on: to start and read runs; not to approve, not to administer. */
    private static final Set<String> PASSED_ON =
            Set.of(BuiltInRules.INTEGRATOR, BuiltInRules.VIEWER);

    /** Credentials of connectors, which an operator configured in this gateway. */
    private static final String CONNECTOR = "connector:";

    private final Authorizer decisions;
    private final IdentityLinks links;

    Delegation(Authorizer decisions, IdentityLinks links) {
        this.decisions = decisions;
        this.links = links;
    }

    Principal speakFor(Principal speaker, String principalId) {
        Require.present(speaker, "speaker");
        if (speaker.id().equals(principalId)) {
            return speaker;
        }
        Principal spokenFor = spokenFor(speaker, principalId);
        decisions.authorizeRead(AccessRequest.of(speaker, ACTION, "principal:" + principalId));
        return spokenFor;
    }

    private Principal spokenFor(Principal speaker, String principalId) {
        Set<String> groups = new TreeSet<>(speaker.groups());
        groups.retainAll(PASSED_ON);
        if (!speaker.credentialId().startsWith(CONNECTOR)) {
            return of(speaker, principalId, groups, speaker.person());
        }
        // Each account of a platform is a person of its own, and may be a person whom the operator
        // knows.
        Optional<IdentityLinks.Link> link = links.find(principalId);
        link.ifPresent(known -> groups.addAll(known.groups()));
        String id = link.map(IdentityLinks.Link::principal).orElse(principalId);
        return of(speaker, id, groups, id);
    }

    private static Principal of(Principal speaker, String id, Set<String> groups, String person) {
        return new Principal(
                PrincipalNames.requireNotReserved(id),
                kind(id),
                groups,
                speaker.scopes(),
                speaker.credentialId(),
                person);
    }

    private static PrincipalKind kind(String principalId) {
        return PrincipalNames.kind(principalId).orElse(PrincipalKind.SERVICE);
    }
}

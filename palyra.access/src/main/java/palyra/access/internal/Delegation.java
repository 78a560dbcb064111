package palyra.access.internal;

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

    private final Authorizer decisions;

    Delegation(Authorizer decisions) {
        this.decisions = decisions;
    }

    Principal speakFor(Principal speaker, String principalId) {
        Require.present(speaker, "speaker");
        if (speaker.id().equals(principalId)) {
            return speaker;
        }
        Set<String> groups = new TreeSet<>(speaker.groups());
        groups.retainAll(PASSED_ON);
        Principal spokenFor =
                new Principal(
                        PrincipalNames.requireNotReserved(principalId),
                        kind(principalId),
                        groups,
                        speaker.scopes(),
                        speaker.credentialId(),
                        speaker.person());
        decisions.authorizeRead(AccessRequest.of(speaker, ACTION, "principal:" + principalId));
        return spokenFor;
    }

    private static PrincipalKind kind(String principalId) {
        return PrincipalNames.kind(principalId).orElse(PrincipalKind.SERVICE);
    }
}

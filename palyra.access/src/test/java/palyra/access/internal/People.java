package palyra.access.internal;

import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;

/** Principals of tests. */
public final class People {
    private People() {}

    /** Returns a person with these groups, come by token. */
    public static Principal person(String name, String... groups) {
        return new Principal(
                "user:" + name, PrincipalKind.USER, Set.of(groups), Set.of(), "token:" + name);
    }

    /** Returns the same with scopes. */
    static Principal scoped(Principal principal, String... scopes) {
        return new Principal(
                principal.id(),
                principal.kind(),
                principal.groups(),
                Set.of(scopes),
                principal.credentialId());
    }
}

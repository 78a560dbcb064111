package palyra.front.internal;

import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;

/** Principals of tests. */
final class People {
    private People() {}

    /** Returns a person with these groups, come by token. */
    static Principal person(String name, String... groups) {
        return new Principal(
                "user:" + name, PrincipalKind.USER, Set.of(groups), Set.of(), "token:" + name);
    }

    /** Returns the same person with a credential that is limited to these scopes. */
    static Principal scoped(Principal person, String... scopes) {
        return new Principal(
                person.id(), person.kind(), person.groups(), Set.of(scopes), person.credentialId());
    }
}

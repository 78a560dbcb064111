package palyra.access.internal;

import java.util.Set;
import palyra.api.Require;

/**
 * The scopes of a credential: action names, or prefixes that end in {@code *}. No scope means no
 * limit, which only an unlimited credential may pass on.
 */
final class Scopes {
    private static final int MOST = 64;
    private static final String ANY = "*";

    private Scopes() {}

    /** Returns whether a credential with these scopes may do {@code action} at all. */
    static boolean allow(Set<String> scopes, String action) {
        return scopes.isEmpty() || scopes.stream().anyMatch(scope -> covers(scope, action));
    }

    /** Returns whether everything that {@code inner} allows is allowed by {@code outer}. */
    static boolean within(Set<String> inner, Set<String> outer) {
        if (outer.isEmpty()) {
            return true;
        }
        return !inner.isEmpty()
                && inner.stream()
                        .allMatch(wanted -> outer.stream().anyMatch(had -> covers(had, wanted)));
    }

    /** A scope covers another one that begins with its prefix, whether that is open or not. */
    private static boolean covers(String scope, String wanted) {
        return scope.endsWith(ANY)
                ? wanted.startsWith(scope.substring(0, scope.length() - ANY.length()))
                : scope.equals(wanted);
    }

    /** Refuses scopes that could never match anything. */
    static void require(Set<String> scopes) {
        Require.that(scopes.size() <= MOST, "a token has at most " + MOST + " scopes");
        for (String scope : scopes) {
            boolean usable =
                    scope.endsWith(ANY)
                            ? scope.matches("([a-z_]+\\.)*[a-z_]*\\*") && matchesSomething(scope)
                            : scope.matches("[a-z_]+(\\.[a-z_]+)*") && Actions.known(scope);
            Require.that(
                    usable,
                    "scope '"
                            + scope
                            + "' fits no action: use one such as run.start, or a prefix such as"
                            + " run.*");
        }
    }

    private static boolean matchesSomething(String scope) {
        String prefix = scope.substring(0, scope.length() - ANY.length());
        return prefix.startsWith(Actions.EXTENSION_PREFIX)
                || Actions.named().stream().anyMatch(action -> action.startsWith(prefix));
    }
}

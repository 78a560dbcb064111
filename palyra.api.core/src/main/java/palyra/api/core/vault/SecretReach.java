package palyra.api.core.vault;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import palyra.api.Require;

/**
 * The stored values that are searched on behalf of one reader. Other values are not compared with
 * anything, so neither an answer nor the time that it takes says whether a text holds it.
 *
 * @param scopes scopes whose values all count, as {@link SecretRef#scope} writes them; may be empty
 * @param secrets values that count as well, in any scope; may be empty
 */
public record SecretReach(Set<String> scopes, Set<SecretRef> secrets) {
    /** Reaches no value. */
    public static final SecretReach NONE = new SecretReach(Set.of(), Set.of());

    /** Checks and copies. */
    public SecretReach {
        scopes = Set.copyOf(Require.present(scopes, "scopes"));
        secrets = Set.copyOf(Require.present(secrets, "secrets"));
    }

    /** Returns a reach over the values of some scopes. */
    public static SecretReach of(String... scopes) {
        return new SecretReach(Set.of(scopes), Set.of());
    }

    /** Returns this reach with further values. */
    public SecretReach with(Collection<SecretRef> more) {
        if (more.isEmpty()) {
            return this;
        }
        Set<SecretRef> all = new HashSet<>(secrets);
        all.addAll(more);
        return new SecretReach(scopes, all);
    }

    /** Returns this reach without a scope and without every value of it. */
    public SecretReach without(String scope) {
        Set<String> otherScopes = new HashSet<>(scopes);
        otherScopes.remove(scope);
        Set<SecretRef> others = new HashSet<>(secrets);
        others.removeIf(secret -> secret.scope().equals(scope));
        return new SecretReach(otherScopes, others);
    }

    /** Returns whether a value counts. */
    public boolean covers(SecretRef secret) {
        return scopes.contains(secret.scope()) || secrets.contains(secret);
    }
}

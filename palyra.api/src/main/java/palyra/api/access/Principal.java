package palyra.api.access;

import java.util.Set;
import palyra.api.Require;

/**
 * The authenticated caller, as established from a credential and never from a header alone.
 *
 * @param id stable name such as {@code user:alice} or {@code service:discord}; at most 128
 *     characters of {@code [A-Za-z0-9._:@-]}
 * @param kind the kind of principal
 * @param groups groups it belongs to ({@code operator}, {@code approver}, {@code integrator},
 *     {@code viewer}); empty means no rights of any group
 * @param scopes what the credential was limited to, as action names or prefixes ending in {@code
 *     *}; empty means no further limit
 * @param credentialId which credential established it, for the journal; never the secret itself
 * @param person principal that the credential belongs to: the id itself, or the one that speaks for
 *     it; never empty
 */
public record Principal(
        String id,
        PrincipalKind kind,
        Set<String> groups,
        Set<String> scopes,
        String credentialId,
        String person) {
    private static final int MAX_ID = 128;

    /** Checks and copies. */
    public Principal {
        requireUsable(id, "principal id");
        Require.present(kind, "principal kind");
        groups = Set.copyOf(groups);
        scopes = Set.copyOf(scopes);
        credentialId = Require.orEmpty(credentialId);
        requireUsable(person, "person");
    }

    /** Creates a principal that comes with its own credential. */
    public Principal(
            String id,
            PrincipalKind kind,
            Set<String> groups,
            Set<String> scopes,
            String credentialId) {
        this(id, kind, groups, scopes, credentialId, id);
    }

    private static void requireUsable(String name, String what) {
        Require.text(name, what);
        Require.that(
                name.length() <= MAX_ID && name.matches("[A-Za-z0-9._:@-]+"),
                what + " '" + name + "' is not usable: up to 128 of letters, digits and . _ : @ -");
    }

    /** Returns whether the principal belongs to {@code group}. */
    public boolean in(String group) {
        return groups.contains(group);
    }
}

package palyra.access.internal;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.core.access.TokenView;

/** The limits of a new token: form, and no more rights than its creator. Pure. */
final class TokenLimits {
    private static final int LONGEST_LABEL = 128;
    private static final long SHORTEST_TTL_MILLIS = 1_000;
    private static final long LONGEST_TTL_MILLIS = 10L * 365 * 24 * 60 * 60 * 1_000;

    private TokenLimits() {}

    /** INVALID_ARGUMENT unless the parts make a usable token. */
    static void requireUsable(
            String label, String principal, Set<String> groups, Set<String> scopes, long ttl) {
        Require.that(
                Require.orEmpty(label).length() <= LONGEST_LABEL
                        && Require.orEmpty(label).chars().noneMatch(Character::isISOControl),
                "the label is longer than "
                        + LONGEST_LABEL
                        + " characters or holds control characters");
        PrincipalNames.require(principal);
        Require.that(
                groups != null && !groups.isEmpty() && BuiltInRules.GROUPS.containsAll(groups),
                "groups "
                        + groups
                        + " are not usable: give one or more of operator, approver, integrator,"
                        + " viewer");
        Scopes.require(Require.present(scopes, "scopes"));
        Require.that(
                ttl == 0 || (ttl >= SHORTEST_TTL_MILLIS && ttl <= LONGEST_TTL_MILLIS),
                "a token is valid for 1 second to 10 years, or 0 for until it is revoked; "
                        + ttl
                        + " ms was asked for");
    }

    /**
     * DENIED when the wanted token could do what its maker cannot, or longer than its maker can.
     *
     * @param makerToken the token by which the maker came; empty when it was none
     */
    static void requireWithin(TokenView wanted, Principal maker, Optional<TokenView> makerToken) {
        boolean operator = maker.in(BuiltInRules.OPERATOR);
        require(
                operator || maker.groups().containsAll(wanted.groups()),
                "its groups " + wanted.groups() + " go beyond those of its maker");
        require(
                operator || wanted.principal().equals(maker.id()),
                "it would speak for "
                        + wanted.principal()
                        + ", and only operators may arrange that");
        require(
                Scopes.within(wanted.scopes(), maker.scopes()),
                "its scopes "
                        + (wanted.scopes().isEmpty() ? "(no limit)" : wanted.scopes())
                        + " go beyond those of its maker");
        require(
                operator || maker.scopes().containsAll(namedScopes(wanted)),
                "its scopes " + namedScopes(wanted) + " are given out by operators only");
        long until = makerToken.map(TokenView::expiresAtMillis).orElse(0L);
        require(
                until == 0 || (wanted.expiresAtMillis() != 0 && wanted.expiresAtMillis() <= until),
                "it would outlive the token that makes it");
    }

    /** Scopes that let their holder do what an unlimited credential may not. */
    private static Set<String> namedScopes(TokenView wanted) {
        return wanted.scopes().stream()
                .filter(BuiltInRules::needsScopeByName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void require(boolean within, String why) {
        if (!within) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The token was not made: " + why + ". Ask for less, or let an operator do it.");
        }
    }
}

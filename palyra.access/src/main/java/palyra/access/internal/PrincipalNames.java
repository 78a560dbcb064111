package palyra.access.internal;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.Require;
import palyra.api.access.PrincipalKind;

/**
 * Names that a token may speak for: {@code user:}, {@code device:} or {@code service:} and a name.
 * The gateway's own names have other forms.
 */
final class PrincipalNames {
    private static final Map<String, PrincipalKind> KINDS =
            Map.of(
                    "user:", PrincipalKind.USER,
                    "device:", PrincipalKind.DEVICE,
                    "service:", PrincipalKind.SERVICE);

    /** Names under which the gateway records its own work and that of files on its machine. */
    private static final Set<String> RESERVED = Set.of("operator", "local-files", "system");

    /** What begins so is the gateway itself, or a group in a list of approvers. */
    private static final List<String> RESERVED_PREFIXES = List.of("system:", "group:");

    private PrincipalNames() {}

    /**
     * Refuses the gateway's own names and groups, in upper or lower case: no credential has them.
     */
    static String requireNotReserved(String principal) {
        String name = Require.text(principal, "principal").toLowerCase(Locale.ROOT);
        Require.that(
                !RESERVED.contains(name)
                        && !name.endsWith(":")
                        && RESERVED_PREFIXES.stream().noneMatch(name::startsWith),
                "no credential speaks for '"
                        + principal
                        + "': the gateway records its own work under that name, or it is a group"
                        + " or no name at all; name a user:, device: or service: principal");
        return principal;
    }

    /** Returns the kind that a name has by its beginning; empty for a name that no token has. */
    static Optional<PrincipalKind> kind(String principal) {
        return KINDS.entrySet().stream()
                .filter(
                        kind ->
                                principal.startsWith(kind.getKey())
                                        && principal.length() > kind.getKey().length())
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Refuses a name that a token may not speak for. */
    static String require(String principal) {
        requireNotReserved(principal);
        Require.that(
                kind(principal).isPresent()
                        && principal.length() <= 128
                        && principal.matches("[A-Za-z0-9._:@-]+"),
                "principal '"
                        + principal
                        + "' is not usable: user:, device: or service: and a name of up to 128"
                        + " letters, digits and . _ : @ -");
        return principal;
    }
}

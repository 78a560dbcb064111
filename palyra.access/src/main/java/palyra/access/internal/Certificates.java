package palyra.access.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Credential;
import palyra.api.core.ops.Finding;

/**
 * Whose client certificates are, as configured. A line that cannot be understood, or that names a
 * certificate which another line names too, admits no caller.
 *
 * @param holders by SHA-256 of the certificate, lower-case hex
 * @param findings one for each bad line
 */
record Certificates(Map<String, Holder> holders, List<Finding> findings) {
    /** Credential ids of certificates begin with it. */
    static final String CREDENTIAL_PREFIX = "cert:";

    private static final int SHOWN_DIGITS = 16;
    private static final int SHOWN_LINE = 100;
    private static final String REMEDY =
            "Correct the line: write sha256=principal;group,group with 64 digits of hex, a"
                    + " principal such as service:ci, and groups of operator, approver,"
                    + " integrator, viewer.";

    /** Who comes with a certificate. */
    record Holder(String principal, Set<String> groups) {}

    Certificates {
        holders = Map.copyOf(holders);
        findings = List.copyOf(findings);
    }

    static Certificates none() {
        return new Certificates(Map.of(), List.of());
    }

    /** Reads lines of configuration; blank ones say nothing. */
    static Certificates of(String[] lines) {
        Map<String, Holder> holders = new HashMap<>();
        Set<String> named = new HashSet<>();
        List<Finding> findings = new ArrayList<>();
        int number = 0;
        for (String line : lines == null ? new String[0] : lines) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                String sha256 = sha256(line);
                if (!named.add(sha256)) {
                    holders.remove(sha256);
                    throw bad("its certificate is named more than once, so none of them counts");
                }
                holders.put(sha256, holder(line));
            } catch (PalyraException e) {
                findings.add(finding(number, line, e.getMessage()));
            }
        }
        return new Certificates(holders, findings);
    }

    private static String sha256(String line) {
        int at = line.indexOf('=');
        String hex = at < 0 ? "" : line.substring(0, at).strip().replace(":", "");
        if (!hex.matches("[0-9A-Fa-f]{64}")) {
            throw bad("the text before = is not the SHA-256 of a certificate");
        }
        return hex.toLowerCase(Locale.ROOT);
    }

    private static Holder holder(String line) {
        String[] parts = line.substring(line.indexOf('=') + 1).split(";", -1);
        if (parts.length != 2) {
            throw bad("the text after = is not one principal, a semicolon and groups");
        }
        List<String> groups = List.of(parts[1].strip().split("\\s*,\\s*", -1));
        if (!BuiltInRules.GROUPS.containsAll(groups)) {
            throw bad("it names a group that does not exist");
        }
        return new Holder(PrincipalNames.require(parts[0].strip()), Set.copyOf(groups));
    }

    private static PalyraException bad(String why) {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, why);
    }

    private static Finding finding(int number, String line, String why) {
        String shown = line.length() <= SHOWN_LINE ? line : line.substring(0, SHOWN_LINE) + "…";
        return new Finding(
                Finding.Severity.ERROR,
                "access",
                "Line "
                        + number
                        + " of certificates of palyra.access, '"
                        + shown
                        + "', admits no caller: "
                        + why
                        + ".",
                REMEDY);
    }

    /** Returns the principal of a certificate; UNAUTHENTICATED when no line names it. */
    Principal principal(Credential.ClientCertificate certificate) {
        String shown = certificate.sha256().substring(0, SHOWN_DIGITS);
        Holder holder = holders.get(certificate.sha256());
        if (holder == null) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED,
                    "The client certificate "
                            + shown
                            + "… is not known here; an operator can name it in certificates of"
                            + " palyra.access.");
        }
        return new Principal(
                holder.principal(),
                PrincipalNames.kind(holder.principal()).orElseThrow(),
                holder.groups(),
                Set.of(),
                CREDENTIAL_PREFIX + shown);
    }
}

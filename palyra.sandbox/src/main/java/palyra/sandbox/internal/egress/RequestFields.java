package palyra.sandbox.internal.egress;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import palyra.api.core.egress.EgressRequest;

/**
 * The fields that a caller gives with a request: checked once, and without credentials as soon as
 * the request leaves its first origin.
 *
 * @param open fields for every origin
 * @param secret fields for the first origin alone
 */
record RequestFields(List<Head.Field> open, List<Head.Field> secret) {
    /** Fields that are credentials, or are named as if they were. */
    private static final Pattern CREDENTIAL =
            Pattern.compile(
                    ".*(auth|cookie|token|secret|api-?key|passw|session|credential|signature).*");

    private static final Set<String> OF_THE_BODY =
            Set.of("content-type", "content-encoding", "content-language", "content-location");

    /**
     * Checks fields.
     *
     * @throws RefusedException when one may not be set, or is no field
     */
    static RequestFields of(Map<String, String> headers, Map<String, String> secretHeaders) {
        Set<String> names = new HashSet<>();
        List<Head.Field> open = new ArrayList<>();
        List<Head.Field> secret = new ArrayList<>();
        new TreeMap<>(headers)
                .forEach(
                        (name, value) -> {
                            Head.Field field = checked(name, value, names);
                            boolean credential =
                                    CREDENTIAL.matcher(name.toLowerCase(Locale.ROOT)).matches();
                            (credential ? secret : open).add(field);
                        });
        new TreeMap<>(secretHeaders)
                .forEach((name, value) -> secret.add(checked(name, value, names)));
        Map<String, String> usual =
                Map.of("accept", "*/*", "accept-encoding", "gzip", "user-agent", "palyra");
        new TreeMap<>(usual)
                .forEach(
                        (name, value) -> {
                            if (!names.contains(name)) {
                                open.add(new Head.Field(name, value));
                            }
                        });
        return new RequestFields(List.copyOf(open), List.copyOf(secret));
    }

    private static Head.Field checked(String name, String value, Set<String> names) {
        String lower = name.toLowerCase(Locale.ROOT);
        String problem =
                !Head.isToken(name)
                        ? "is no name of a field"
                        : EgressRequest.RESERVED_HEADERS.contains(lower)
                                        || lower.startsWith("proxy-")
                                        || lower.equals("keep-alive")
                                ? "is set by the gateway alone"
                                : !Head.isValue(value)
                                        ? "has a value with characters that no field may have"
                                        : names.add(lower) ? "" : "is given twice";
        if (!problem.isEmpty()) {
            throw RefusedException.unusable(
                    Reason.REQUEST, "The header '" + DisplayText.text(name) + "' " + problem + ".");
        }
        return new Head.Field(name, value);
    }

    /**
     * Returns the fields to send.
     *
     * @param home whether the request has not left its first origin
     * @param withBody whether the body goes along
     */
    List<Head.Field> to(boolean home, boolean withBody) {
        List<Head.Field> fields = new ArrayList<>(open);
        if (home) {
            fields.addAll(secret);
        }
        if (!withBody) {
            fields.removeIf(field -> OF_THE_BODY.contains(field.name().toLowerCase(Locale.ROOT)));
        }
        return fields;
    }
}

package palyra.sandbox.internal.shape;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.CallPattern;
import palyra.sandbox.internal.egress.Target;
import palyra.shared.json.Jcs;

/** Tells what a call of the fetch tool would do. Pure. */
public final class FetchShape {
    private FetchShape() {}

    /**
     * Describes a call. Calls with the same method, origin, headers and secrets may be allowed
     * together, with any path and query; a call that sends a body may not.
     *
     * @param secretHeaders names of headers with the names of the secrets that they hold
     * @param bodyBytes how many bytes it sends
     */
    public static CallDescription of(
            String tool,
            String method,
            Target target,
            Map<String, String> headers,
            Map<String, String> secretHeaders,
            int bodyBytes) {
        StringBuilder summary = new StringBuilder("Sends ").append(method).append(' ');
        summary.append(CommandSummary.word(target.text()));
        summary.append(with(" with the headers ", headers.keySet()));
        summary.append(with(" with the secrets ", secretHeaders.values()));
        summary.append(bodyBytes > 0 ? " with a body of " + bodyBytes + " bytes." : ".");
        boolean reads = (method.equals("GET") || method.equals("HEAD")) && bodyBytes == 0;
        return new CallDescription(
                summary.toString(),
                List.of(),
                "",
                reads
                        ? Optional.of(pattern(tool, method, target, headers, secretHeaders))
                        : Optional.empty());
    }

    private static CallPattern pattern(
            String tool,
            String method,
            Target target,
            Map<String, String> headers,
            Map<String, String> secretHeaders) {
        String origin = origin(target);
        ObjectNode fixed = JsonNodeFactory.instance.objectNode();
        fixed.put("tool", tool);
        fixed.put("method", method);
        fixed.put("origin", origin);
        texts(fixed.putObject("headers"), headers);
        texts(fixed.putObject("secret_headers"), secretHeaders);
        return new CallPattern(
                "Sends "
                        + method
                        + " requests to "
                        + origin
                        + " with any path and query, with "
                        + (headers.isEmpty() ? "no header" : "the same headers")
                        + " and "
                        + (secretHeaders.isEmpty()
                                ? "no secret"
                                : "the secrets " + shown(secretHeaders.values()))
                        + "; the path and query of each request are sent there.",
                Jcs.text(fixed),
                Set.of(),
                Set.of(target.host() + ":" + target.port()));
    }

    private static void texts(ObjectNode node, Map<String, String> texts) {
        new TreeMap<>(texts).forEach(node::put);
    }

    private static String origin(Target target) {
        String text = target.text();
        String host = target.host().contains(":") ? "[" + target.host() + "]" : target.host();
        return text.substring(0, text.indexOf(':')) + "://" + host + ":" + target.port();
    }

    private static String with(String lead, java.util.Collection<String> names) {
        return names.isEmpty() ? "" : lead + shown(names);
    }

    private static String shown(java.util.Collection<String> names) {
        return new TreeSet<>(names)
                .stream().map(CommandSummary::word).collect(Collectors.joining(" "));
    }
}

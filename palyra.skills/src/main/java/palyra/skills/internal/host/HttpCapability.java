package palyra.skills.internal.host;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.api.core.egress.EgressResponse;

/**
 * {@code host_capability_http_request}: one request through the one way out, to a host of the
 * manifest. Redirects are returned, never followed, so that each host is decided on for itself.
 */
final class HttpCapability {
    private static final Set<String> FIELDS =
            Set.of(
                    "method",
                    "url",
                    "headers",
                    "secret_headers",
                    "body",
                    "body_base64",
                    "timeout_ms");
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final Set<String> HARMLESS = Set.of("GET", "HEAD");
    private static final int MOST_URL = 8_192;
    private static final int MOST_HEADERS = 64;
    private static final int MOST_HEADER = 8_192;
    private static final int MOST_BODY = 2 << 20;
    private static final long MOST_ANSWER = 4L << 20;
    private static final long USUAL_MILLIS = 10_000;
    private static final long MOST_MILLIS = 120_000;

    private final HostCall call;
    private final Supplier<EgressClient> client;
    private final SecretCapabilities secrets;

    HttpCapability(HostCall call, Supplier<EgressClient> client, SecretCapabilities secrets) {
        this.call = call;
        this.client = client;
        this.secrets = secrets;
    }

    ObjectNode request(RequestFields fields) {
        fields.requireOnly(FIELDS);
        String method = fields.optionalText("method", 16).orElse("GET");
        if (!METHODS.contains(method)) {
            throw HostError.of(HostError.INVALID, "The method must be one of " + METHODS + ".");
        }
        WebTarget target = WebTarget.of(fields.text("url", MOST_URL));
        if (!HostPattern.anyFits(call.scope().grants().httpHosts(), target.host(), target.port())) {
            throw HostError.denied(
                    "The manifest does not allow "
                            + target.host()
                            + ":"
                            + target.port()
                            + " among its hosts.",
                    target.grant());
        }
        secrets.requireAllowedTarget(target);
        EgressLimits limits = limits(fields, target);
        byte[] body = fields.bytes("body", MOST_BODY).orElse(new byte[0]);
        Map<String, String> headers = headers(fields);
        if (!HARMLESS.contains(method)) {
            call.beginEffect();
        }
        EgressRequest request =
                new EgressRequest(
                        call.scope().circumstances(),
                        method,
                        target.text(),
                        headers,
                        secretHeaders(fields, headers.keySet(), target),
                        body,
                        limits);
        return send(request, target);
    }

    private EgressLimits limits(RequestFields fields, WebTarget target) {
        long requested = fields.number("timeout_ms", USUAL_MILLIS, 1, MOST_MILLIS);
        long remaining = call.scope().deadlineMillis() - System.currentTimeMillis();
        int millis = (int) Math.max(1, Math.min(requested, remaining));
        long bytes = Math.min(MOST_ANSWER, call.buffers().room() / 2); // base64 and escapes
        return new EgressLimits(
                Math.min(millis, EgressLimits.DEFAULT.connectMillis()),
                millis,
                millis,
                millis,
                bytes,
                0,
                Set.of(target.port()));
    }

    private static Map<String, String> headers(RequestFields fields) {
        Map<String, String> headers = new HashMap<>();
        JsonNode given = fields.object("headers").orElse(JsonNodeFactory.instance.objectNode());
        for (Map.Entry<String, JsonNode> each : given.properties()) {
            String name = name(each.getKey());
            if (!each.getValue().isTextual() || headers.containsKey(name)) {
                throw HostError.of(
                        HostError.INVALID,
                        "The header " + name + " is not a text, or is given twice.");
            }
            headers.put(name, value(name, each.getValue().textValue()));
        }
        return bounded(headers);
    }

    private static Map<String, String> bounded(Map<String, String> headers) {
        if (headers.size() > MOST_HEADERS) {
            throw HostError.of(
                    HostError.LIMIT, "There are more than " + MOST_HEADERS + " headers.");
        }
        return headers;
    }

    private static String name(String given) {
        String name = given.toLowerCase(Locale.ROOT);
        if (!name.matches("[a-z0-9!#$%&'*+.^_`|~-]{1,128}")
                || EgressRequest.RESERVED_HEADERS.contains(name)) {
            throw HostError.of(
                    HostError.INVALID,
                    "A header name is not usable, or is one that the gateway sets itself.");
        }
        return name;
    }

    private static String value(String name, String value) {
        if (value.length() > MOST_HEADER || !value.matches("[\\t\\x20-\\x7e\\x80-\\xff]*")) {
            throw HostError.of(
                    HostError.INVALID,
                    "The value of the header "
                            + name
                            + " has characters that headers cannot have.");
        }
        return value;
    }

    private Map<String, String> secretHeaders(
            RequestFields fields, Set<String> taken, WebTarget target) {
        Map<String, String> headers = new HashMap<>();
        Set<String> names = new HashSet<>(taken);
        JsonNode given =
                fields.object("secret_headers").orElse(JsonNodeFactory.instance.objectNode());
        for (Map.Entry<String, JsonNode> each : given.properties()) {
            String name = name(each.getKey());
            if (!names.add(name)) {
                throw HostError.of(HostError.INVALID, "The header " + name + " is given twice.");
            }
            RequestFields one = new RequestFields("secret_headers", each.getValue());
            one.requireOnly(Set.of("secret", "prefix"));
            String prefix = value(name, one.optionalText("prefix", 128).orElse(""));
            int handle = (int) one.number("secret", -1, 0, Integer.MAX_VALUE);
            headers.put(name, prefix + secrets.field(handle, name, target));
        }
        return bounded(headers);
    }

    private ObjectNode send(EgressRequest request, WebTarget target) {
        try (EgressResponse response = client.get().send(request)) {
            return answer(response);
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CANCELLED) {
                throw e;
            }
            throw HostError.of(e, "policy network.connect host:" + target.host());
        } catch (IOException e) {
            throw HostError.of(
                    HostError.LIMIT,
                    "The response could not be read to its end: " + e.getMessage() + ".");
        }
    }

    private static ObjectNode answer(EgressResponse response) throws IOException {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("status", response.status());
        ObjectNode headers = answer.putObject("headers");
        response.headers()
                .forEach(
                        (name, values) ->
                                headers.put(
                                        name.toLowerCase(Locale.ROOT), String.join(", ", values)));
        RequestFields.put(answer, "body", response.body().readAllBytes());
        return answer;
    }
}

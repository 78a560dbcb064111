package palyra.health.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An HTTP response.
 *
 * @param status HTTP status
 * @param contentType type of the body
 * @param body the body; not copied
 * @param headers further headers
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
record Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
    static final int OK = 200;
    static final int UNAUTHENTICATED = 401;
    static final int DENIED = 403;
    static final int METHOD_NOT_ALLOWED = 405;
    static final int MISDIRECTED = 421;
    static final int UNAVAILABLE = 503;
    private static final String JSON = "application/json";

    Reply {
        headers = Map.copyOf(headers);
    }

    static Reply json(int status, ObjectNode body) {
        return new Reply(status, JSON, body.toString().getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** Returns a refusal; {@code reason} is one sentence that any caller may read. */
    static Reply refusal(int status, String reason, Map<String, String> headers) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("status", "refused");
        body.put("message", reason);
        return new Reply(status, JSON, json(status, body).body(), headers);
    }
}

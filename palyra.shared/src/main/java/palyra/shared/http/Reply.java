package palyra.shared.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
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
public record Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
    /** Answered. */
    public static final int OK = 200;

    /** No accepted credential. */
    public static final int UNAUTHENTICATED = 401;

    /** Not permitted. */
    public static final int DENIED = 403;

    /** Another method is needed. */
    public static final int METHOD_NOT_ALLOWED = 405;

    /** Addressed to another host. */
    public static final int MISDIRECTED = 421;

    /** Not now. */
    public static final int UNAVAILABLE = 503;

    private static final String JSON = "application/json";

    /** Copies the headers. */
    public Reply {
        headers = Map.copyOf(headers);
    }

    /** Returns a JSON body. */
    public static Reply json(int status, ObjectNode body) {
        return new Reply(status, JSON, body.toString().getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** Returns a refusal; {@code reason} is one sentence that any caller may read. */
    public static Reply refusal(int status, String reason, Map<String, String> headers) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("status", "refused");
        body.put("message", reason);
        return new Reply(status, JSON, json(status, body).body(), headers);
    }

    /** Sends it with the headers that every response carries. */
    public void send(boolean headOnly, HttpServletResponse response) throws IOException {
        response.setStatus(status);
        secure(response);
        headers.forEach(response::setHeader);
        response.setContentType(contentType);
        response.setContentLength(body.length);
        if (!headOnly) {
            response.getOutputStream().write(body);
        }
    }

    /** Sets the headers that every response carries; a page sets a wider content policy after. */
    public static void secure(HttpServletResponse response) {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    }
}

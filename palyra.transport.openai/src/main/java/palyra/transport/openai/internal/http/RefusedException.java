package palyra.transport.openai.internal.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.http.Bearer;
import palyra.shared.http.Reply;

/** A request is answered with an error, in OpenAI's form. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String INVALID = "invalid_request_error";
    private static final String SERVER = "server_error";

    /** Keeps clients that repeat requests by themselves from doing so. */
    private static final Map<String, String> FINAL = Map.of("x-should-retry", "false");

    private final int status;
    private final String type;
    private final String code;
    private final String parameter;
    private final transient Map<String, String> headers;
    private final boolean ofRun;

    /**
     * Creates one.
     *
     * @param status HTTP status
     * @param type OpenAI's word for the kind of error
     * @param code short machine-readable reason
     * @param parameter field of the request that it is about; empty for none
     * @param message what was asked, what was found, what to do
     * @param headers further headers
     */
    public RefusedException(
            int status,
            String type,
            String code,
            String parameter,
            String message,
            Map<String, String> headers) {
        this(status, type, code, parameter, message, headers, false);
    }

    private RefusedException(
            int status,
            String type,
            String code,
            String parameter,
            String message,
            Map<String, String> headers,
            boolean ofRun) {
        super(message, null, false, false);
        this.ofRun = ofRun;
        this.status = status;
        this.type = type;
        this.code = code;
        this.parameter = parameter;
        this.headers = headers;
    }

    /** Returns one about a field of the request, or about the whole when {@code field} is empty. */
    public static RefusedException invalid(String field, String message) {
        return new RefusedException(400, INVALID, "invalid_value", field, message, Map.of());
    }

    /**
     * Returns one about a field that would change the meaning of the request if it were ignored.
     */
    public static RefusedException unsupported(String field, String message) {
        return new RefusedException(
                400, INVALID, "unsupported_parameter", field, message, Map.of());
    }

    /** Returns one about something that is not there. */
    public static RefusedException notFound(String code, String field, String message) {
        return new RefusedException(404, INVALID, code, field, message, Map.of());
    }

    /** Returns one that a client may try again. */
    public static RefusedException later(int status, String code, String message, int seconds) {
        return new RefusedException(
                status,
                status == 429 ? "rate_limit_error" : status == 409 ? "conflict_error" : SERVER,
                code,
                "",
                message,
                Map.of("Retry-After", String.valueOf(seconds)));
    }

    /** Returns one about what a request came upon, which a client does not try again by itself. */
    public static RefusedException notAgain(String code, String message) {
        return new RefusedException(409, "conflict_error", code, "", message, FINAL);
    }

    /** Returns one about the caller's credential. */
    public static RefusedException unauthenticated() {
        return new RefusedException(
                401,
                "authentication_error",
                "invalid_api_key",
                "",
                "An API token of this gateway is needed: Authorization: Bearer palyra_….",
                Bearer.CHALLENGE);
    }

    /** Returns the answer to a refusal of the gateway. */
    public static RefusedException of(PalyraException e) {
        String code = e.code().name().toLowerCase(Locale.ROOT);
        return switch (e.code()) {
            case INVALID_ARGUMENT, IDEMPOTENCY_MISMATCH ->
                    new RefusedException(400, INVALID, code, "", e.getMessage(), FINAL);
            case NOT_FOUND -> notFound(code, "", e.getMessage());
            case ALREADY_EXISTS, CONFLICT ->
                    new RefusedException(409, "conflict_error", code, "", e.getMessage(), FINAL);
            case UNAUTHENTICATED -> unauthenticated();
            case DENIED ->
                    new RefusedException(
                            403, "permission_error", code, "", e.getMessage(), Map.of());
            case RESOURCE_EXHAUSTED -> later(429, code, e.getMessage(), 5);
            default ->
                    e.code().kind() == ErrorCode.Kind.UNAVAILABLE
                                    || e.code().kind() == ErrorCode.Kind.RESOURCE
                            ? later(503, code, e.getMessage(), 2)
                            : internal();
        };
    }

    /**
     * Returns the answer for a run that ended without an answer. It is not tried again: that would
     * be another run.
     *
     * @param code why it failed; null for a cancellation
     */
    public static RefusedException ofRun(ErrorCode code, String message) {
        int status =
                code == null
                        ? 500
                        : switch (code.kind()) {
                            case POLICY -> 403;
                            case RESOURCE -> code == ErrorCode.RESOURCE_EXHAUSTED ? 429 : 503;
                            case UNAVAILABLE -> 503;
                            case USER, INTERNAL -> 500;
                        };
        String word = code == null ? "run_cancelled" : code.name().toLowerCase(Locale.ROOT);
        return new RefusedException(status, SERVER, word, "", message, FINAL, true);
    }

    /** Returns the answer to a defect. */
    public static RefusedException internal() {
        return new RefusedException(
                500,
                SERVER,
                "internal",
                "",
                "The request failed; the log has the reason (palyra logs).",
                Map.of());
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns the short reason. */
    public String code() {
        return code;
    }

    /** Returns whether a run ended without an answer. */
    public boolean isOfRun() {
        return ofRun;
    }

    /** Returns the body. */
    public ObjectNode body() {
        ObjectNode error = JsonNodeFactory.instance.objectNode();
        error.put("message", getMessage()).put("type", type);
        if (parameter.isEmpty()) {
            error.putNull("param");
        } else {
            error.put("param", parameter);
        }
        error.put("code", code);
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.set("error", error);
        return body;
    }

    /** Returns the response. */
    public Reply reply() {
        return new Reply(status, "application/json", Reply.json(status, body()).body(), headers);
    }
}

package palyra.transport.openai.internal;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.transport.openai.internal.http.RefusedException;

/**
 * What a path names.
 *
 * @param kind which endpoint
 * @param id id within the path; empty for none
 */
record Endpoint(Kind kind, String id) {
    /** The endpoints that there are. */
    enum Kind {
        /** The list of models. */
        MODELS("models", "GET"),
        /** One model. */
        MODEL("model", "GET"),
        /** Chat completions. */
        CHAT("chat", "POST"),
        /** New responses. */
        RESPONSES("responses", "POST"),
        /** One response. */
        RESPONSE("response", "GET"),
        /** The cancellation of a response. */
        CANCEL("cancel", "POST"),
        /** Nothing. */
        UNKNOWN("unknown", "");

        private final String label;
        private final String method;

        Kind(String label, String method) {
            this.label = label;
            this.method = method;
        }

        String label() {
            return label;
        }
    }

    private static final Pattern MODEL = Pattern.compile("/models/([^/]{1,128})");
    private static final Pattern CANCEL = Pattern.compile("/responses/([^/]{1,128})/cancel");
    private static final Pattern RESPONSE = Pattern.compile("/responses/([^/]{1,128})");

    /** Returns what a path below {@code /v1} names. */
    static Endpoint of(String path) {
        return switch (path) {
            case "/models" -> new Endpoint(Kind.MODELS, "");
            case "/chat/completions" -> new Endpoint(Kind.CHAT, "");
            case "/responses" -> new Endpoint(Kind.RESPONSES, "");
            default -> withId(path);
        };
    }

    private static Endpoint withId(String path) {
        Matcher model = MODEL.matcher(path);
        if (model.matches()) {
            return new Endpoint(Kind.MODEL, model.group(1));
        }
        Matcher cancel = CANCEL.matcher(path);
        if (cancel.matches()) {
            return new Endpoint(Kind.CANCEL, cancel.group(1));
        }
        Matcher response = RESPONSE.matcher(path);
        return response.matches()
                ? new Endpoint(Kind.RESPONSE, response.group(1))
                : new Endpoint(Kind.UNKNOWN, "");
    }

    /** Refuses methods that the endpoint does not have. */
    void require(String method) {
        if (kind == Kind.UNKNOWN) {
            throw RefusedException.notFound(
                    "unknown_url",
                    "",
                    "There is no such address here; /v1/models, /v1/chat/completions and"
                            + " /v1/responses are.");
        }
        if (kind == Kind.RESPONSE && method.equals("DELETE")) {
            throw Requests.notDeletable();
        }
        if (!method.equals(kind.method)) {
            throw new RefusedException(
                    405,
                    "invalid_request_error",
                    "method_not_allowed",
                    "",
                    "Only " + kind.method + " is answered at this address.",
                    Map.of("Allow", kind.method));
        }
    }
}

package palyra.connectors.webhook.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import palyra.api.channel.Acceptance;

/**
 * The answer to a request.
 *
 * @param status HTTP status
 * @param result what became of the request, for the count of requests
 * @param body JSON; not copied
 * @param headers further headers
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
record Answer(int status, String result, byte[] body, Map<String, String> headers) {
    private static final String RETRY_AFTER = "Retry-After";

    static Answer accepted(Acceptance acceptance) {
        String outcome = acceptance.outcome().name().toLowerCase(Locale.ROOT);
        ObjectNode body =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("id", acceptance.messageId())
                        .put("status", outcome)
                        .put("reason", acceptance.reason());
        return new Answer(202, outcome, bytes(body), Map.of());
    }

    /** Returns one to a caller that did not show that it has the secret: the same for each. */
    static Answer unauthenticated(String result) {
        return refused(
                401,
                result,
                "The signature is not valid: webhook-id, webhook-timestamp and webhook-signature of"
                        + " the Standard Webhooks specification are needed, with this account's"
                        + " secret and the present time.",
                Map.of());
    }

    /** Returns one after which the sender is to send again. */
    static Answer later(int status, String result, String message, int seconds) {
        return refused(status, result, message, Map.of(RETRY_AFTER, Integer.toString(seconds)));
    }

    static Answer refused(int status, String result, String message) {
        return refused(status, result, message, Map.of());
    }

    static Answer refused(int status, String result, String message, Map<String, String> headers) {
        ObjectNode body =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("status", "refused")
                        .put("message", message);
        return new Answer(status, result, bytes(body), headers);
    }

    private static byte[] bytes(ObjectNode body) {
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }
}

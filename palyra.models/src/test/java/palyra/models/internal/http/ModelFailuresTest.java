package palyra.models.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;

class ModelFailuresTest {
    private static final String KEY = "sk-0123456789";

    private static ModelEvent.Failed failed(int status, String body) {
        ProviderError error =
                AnswerStream.error(body.getBytes(StandardCharsets.UTF_8), KeyRedactor.of(KEY));
        return ModelFailures.answered("test", status, Map.of(), error, 0);
    }

    private static void check(FailureCause cause, int status, String body) {
        assertEquals(cause, failed(status, body).cause(), status + " " + body);
    }

    /** What servers really send, by their documentation or source. */
    @Test
    void understandsTheFormsOfErrors() {
        check(
                FailureCause.CONTEXT_EXCEEDED,
                400,
                "{\"error\":{\"code\":400,\"message\":\"the request exceeds the available context"
                        + " size\",\"type\":\"exceed_context_size_error\"}}");
        check(
                FailureCause.CONTEXT_EXCEEDED,
                400,
                "{\"object\":\"error\",\"message\":\"This model's maximum context length is 4096"
                        + " tokens.\",\"type\":\"BadRequestError\",\"code\":400}");
        check(
                FailureCause.CONTEXT_EXCEEDED,
                400,
                "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
                        + "\"prompt is too long: 210000 tokens > 200000 maximum\"}}");
        check(
                FailureCause.QUOTA,
                400,
                "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
                        + "\"Your credit balance is too low\"}}");
        check(
                FailureCause.CONTENT_BLOCKED,
                400,
                "{\"error\":{\"code\":\"content_filter\",\"message\":\"blocked\"}}");
        check(FailureCause.UNAVAILABLE, 404, "{\"error\":\"model 'x' not found\"}");
        check(FailureCause.BAD_REQUEST, 422, "{\"detail\":[{\"msg\":\"field required\"}]}");
        check(FailureCause.AUTHENTICATION, 401, "");
        check(FailureCause.TIMEOUT, 504, "<html>");
        check(
                FailureCause.SERVER,
                529,
                "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}");
    }

    @Test
    void showsTheServersSentenceCleanShortAndWithoutTheKey() {
        String message =
                failed(
                                400,
                                "{\"error\":\"bad \\u001b[31m\\n\\n"
                                        + KEY
                                        + " "
                                        + "x".repeat(5_000)
                                        + "\"}")
                        .message();
        assertFalse(message.contains(KEY), message);
        assertTrue(message.contains("bad [31m [key]"), message);
        assertTrue(message.length() < 700, message);
        assertTrue(message.chars().noneMatch(Character::isISOControl), message);
        assertTrue(failed(500, "plain words").message().contains("plain words"));
        assertFalse(failed(500, "<html>x").message().contains("html"));
    }

    @Test
    void findsAKeyWhereverItStands() {
        KeyRedactor mark = KeyRedactor.of(KEY);
        assertEquals("[key]", mark.hide(KEY));
        assertEquals("a[key][key]b", mark.hide("a" + KEY + KEY + "b"));
        assertEquals(KEY.substring(1), mark.hide(KEY.substring(1)));
        assertEquals("x", KeyRedactor.NONE.hide("x"));
    }
}

package palyra.models.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import palyra.models.internal.sse.SseEvent;
import palyra.models.internal.sse.SseLimitException;
import palyra.models.internal.sse.SseParser;

/**
 * Distinguishes a stream of events from a plain JSON answer by the first character that is not
 * white space, and passes either to the reader. Not thread-safe.
 */
final class AnswerStream {
    static final int MAX_LINE_BYTES = 4 * 1_024 * 1_024;
    static final int MAX_WHOLE_BYTES = 16 * 1_024 * 1_024;

    /** Memory for each collected byte: as bytes, as text and as JSON. */
    private static final int BYTES_EACH = 6;

    private static final int MAX_EVENTS = 2_000_000;
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private final String provider;
    private final Dialect.AnswerReader reader;
    private final SseParser parser = new SseParser(MAX_LINE_BYTES, MAX_LINE_BYTES);
    private final ByteArrayOutputStream whole = new ByteArrayOutputStream();
    private boolean begun;
    private boolean plain;
    private int events;

    AnswerStream(String provider, Dialect.AnswerReader reader) {
        this.provider = provider;
        this.reader = reader;
    }

    void feed(byte[] bytes, int length) throws TurnFailure {
        if (!begun) {
            look(bytes, length);
        }
        if (plain) {
            if (whole.size() + length > MAX_WHOLE_BYTES) {
                throw ModelFailures.tooLarge(
                        provider, "it has more than " + MAX_WHOLE_BYTES + " bytes.");
            }
            whole.write(bytes, 0, length);
            return;
        }
        try {
            for (SseEvent event : parser.feed(bytes, 0, length)) {
                take(event);
            }
        } catch (SseLimitException e) {
            throw ModelFailures.tooLarge(provider, e.getMessage());
        }
    }

    private void look(byte[] bytes, int length) {
        for (int i = 0; i < length && !begun; i++) {
            boolean blank = bytes[i] == ' ' || bytes[i] == '\n' || bytes[i] == '\r';
            boolean mark =
                    bytes[i] == (byte) 0xEF || bytes[i] == (byte) 0xBB || bytes[i] == (byte) 0xBF;
            if (!blank && !mark) {
                begun = true;
                plain = bytes[i] == '{';
            }
        }
    }

    private void take(SseEvent event) throws TurnFailure {
        if (++events > MAX_EVENTS) {
            throw ModelFailures.tooLarge(provider, "it has more than " + MAX_EVENTS + " events.");
        }
        if (!reader.complete()) {
            reader.event(event);
        }
    }

    /** Returns the approximate memory of the incomplete part, in bytes. */
    long held() {
        return BYTES_EACH * (whole.size() + parser.held());
    }

    /** Handles the end of the body. */
    void end() throws TurnFailure {
        if (plain) {
            reader.whole(json(whole.toByteArray()));
        } else if (events == 0) {
            throw begun
                    ? ModelFailures.malformed(
                            provider, "it is not a stream of events. Check baseUrl.")
                    : ModelFailures.broken(provider, "it is empty.");
        }
    }

    private JsonNode json(byte[] bytes) throws TurnFailure {
        try {
            return JSON.readTree(bytes);
        } catch (IOException e) {
            throw ModelFailures.broken(provider, "it is not complete JSON.");
        }
    }

    /** Parses the body of an error answer; empty when it is not readable. */
    static ProviderError error(byte[] body, KeyRedactor key) {
        String text = key.hide(new String(body, StandardCharsets.UTF_8));
        try {
            JsonNode node = JSON.readTree(text);
            if (node.isContainerNode()) {
                return ProviderError.of(node.isArray() ? node.path(0) : node);
            }
        } catch (IOException e) {
            // it is plain text or empty
        }
        boolean readable = !text.isBlank() && !text.stripLeading().startsWith("<");
        return readable
                ? new ProviderError("", "", ProviderError.clean(text, 200))
                : ProviderError.NONE;
    }
}

package palyra.models.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import palyra.api.model.ModelRequest;
import palyra.models.internal.sse.SseEvent;

/** Protocol of one kind of server. Immutable and thread-safe; its readers are not. */
public interface Dialect {
    /** Returns what follows the base URL, beginning with a slash. */
    String path();

    /** Returns headers beside content type and those of the configuration. */
    Map<String, String> headers();

    /** Returns the headers that carry the key. */
    Map<String, String> keyHeaders(String key);

    /**
     * Returns the request as UTF-8 of JSON.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when an option is not known or not usable
     */
    byte[] body(ModelRequest request, ToolNames names);

    /** Returns a reader of one answer. */
    AnswerReader reader(AnswerWriter writer);

    /** Reads one answer, on one thread. */
    interface AnswerReader {
        /** Takes the next event of the stream. */
        void event(SseEvent event) throws TurnFailure;

        /** Reads an answer that is not streamed although streaming was requested. */
        void whole(JsonNode answer) throws TurnFailure;

        /** Returns whether the server announced the end. */
        boolean complete();
    }
}

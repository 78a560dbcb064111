package palyra.models.internal.anthropic;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import palyra.models.internal.http.AnswerWriter;
import palyra.models.internal.http.Dialect;
import palyra.models.internal.http.TurnFailure;
import palyra.models.internal.sse.SseEvent;

/**
 * Reads the events of a message, or a whole one. Events and kinds of content that it does not know
 * are passed over, as the API's rules of versioning ask for.
 */
final class MessagesReader implements Dialect.AnswerReader {
    private final AnswerWriter writer;
    private final Set<Integer> calls = new HashSet<>(); // indexes of blocks that are for us
    private boolean done;
    private long read;
    private long cached;

    MessagesReader(AnswerWriter writer) {
        this.writer = writer;
    }

    @Override
    public void event(SseEvent event) throws TurnFailure {
        if (event.data().isBlank()) {
            return;
        }
        JsonNode said = writer.object(event);
        switch (said.path("type").asText(event.name())) {
            case "message_start" -> usage(said.path("message").path("usage"));
            case "content_block_start" ->
                    begin(said.path("index").asInt(-1), said.path("content_block"), false);
            case "content_block_delta" -> more(said.path("index").asInt(-1), said.path("delta"));
            case "message_delta" -> {
                usage(said.path("usage"));
                stop(said.path("delta"));
            }
            case "message_stop" -> done = true;
            case "error" -> throw writer.brokenOff(said);
            default -> {} // ping, content_block_stop, and what may come
        }
    }

    @Override
    public void whole(JsonNode answer) throws TurnFailure {
        if (answer.path("type").asText().equals("error")) {
            throw writer.brokenOff(answer);
        }
        if (!answer.path("content").isArray()) {
            throw writer.malformed("it has no content.");
        }
        int index = 0;
        for (JsonNode block : answer.path("content")) {
            begin(index++, block, true);
        }
        usage(answer.path("usage"));
        stop(answer);
        done = true;
    }

    @Override
    public boolean complete() {
        return done;
    }

    /** In a stream the input of a call begins as an empty object that its pieces replace. */
    private void begin(int index, JsonNode block, boolean whole) throws TurnFailure {
        switch (block.path("type").asText()) {
            case "text" -> writer.text(block.path("text").asText());
            case "thinking" -> writer.thought(block.path("thinking").asText());
            case "tool_use" -> {
                JsonNode input = block.path("input");
                boolean given = whole || (input.isObject() && !input.isEmpty());
                calls.add(index);
                writer.call(
                        index,
                        block.path("id").asText(),
                        block.path("name").asText(),
                        given ? input.toString() : "");
            }
            default -> {} // the server's own calls and their results, and what may come
        }
    }

    private void more(int index, JsonNode delta) throws TurnFailure {
        switch (delta.path("type").asText()) {
            case "text_delta" -> writer.text(delta.path("text").asText());
            case "thinking_delta" -> writer.thought(delta.path("thinking").asText());
            case "input_json_delta" -> {
                if (calls.contains(index)) {
                    writer.call(index, "", "", delta.path("partial_json").asText());
                }
            }
            default -> {} // signatures, citations, and what may come
        }
    }

    private void stop(JsonNode delta) throws TurnFailure {
        String reason = delta.path("stop_reason").asText("");
        switch (reason) {
            case "", "null" -> {}
            case "refusal" -> throw writer.blocked(reason);
            case "end_turn", "stop_sequence" -> writer.finish("stop");
            case "tool_use" -> writer.finish("tool_calls");
            case "max_tokens", "model_context_window_exceeded" -> writer.finish("length");
            case "pause_turn" ->
                    throw writer.unusable(
                            "it paused for tools that the server runs itself (stop_reason"
                                    + " pause_turn), which is not gone on with. Switch such tools"
                                    + " off at the server.");
            default -> writer.finish(reason);
        }
    }

    /** Input tokens are in the first event, output tokens in the last, as a total. */
    private void usage(JsonNode usage) {
        if (usage.path("input_tokens").isNumber()) {
            cached = usage.path("cache_read_input_tokens").asLong();
            read =
                    usage.path("input_tokens").asLong()
                            + usage.path("cache_creation_input_tokens").asLong()
                            + cached;
        }
        if (usage.path("output_tokens").isNumber()) {
            writer.usage(read, usage.path("output_tokens").asLong(), cached);
        }
    }
}

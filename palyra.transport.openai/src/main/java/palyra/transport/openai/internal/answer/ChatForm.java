package palyra.transport.openai.internal.answer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Chat completions as JSON. Pure functions.
 *
 * @param id of the completion
 * @param model agent that answers
 * @param createdSeconds unix time
 */
record ChatForm(String id, String model, long createdSeconds) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private ObjectNode head(String kind) {
        return JSON.objectNode()
                .put("id", id)
                .put("object", kind)
                .put("created", createdSeconds)
                .put("model", model)
                .putNull("system_fingerprint");
    }

    /** Returns a chunk; {@code finish} is empty while more follows. */
    ObjectNode chunk(ObjectNode delta, String finish) {
        ObjectNode chunk = head("chat.completion.chunk");
        ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
        choice.set("delta", delta);
        choice.putNull("logprobs");
        if (finish.isEmpty()) {
            choice.putNull("finish_reason");
        } else {
            choice.put("finish_reason", finish);
        }
        return chunk;
    }

    ObjectNode delta(String field, String text) {
        return JSON.objectNode().put(field, text);
    }

    /** Returns the chunk after the last one, which has no choice. */
    ObjectNode usageChunk(Outcome.Usage usage) {
        ObjectNode chunk = head("chat.completion.chunk");
        chunk.putArray("choices");
        chunk.set("usage", usage(usage));
        return chunk;
    }

    ObjectNode whole(String reasoning, String content, Outcome outcome) {
        ObjectNode body = head("chat.completion");
        ObjectNode choice = body.putArray("choices").addObject().put("index", 0);
        ObjectNode message =
                choice.putObject("message").put("role", "assistant").put("content", content);
        message.putNull("refusal");
        if (!reasoning.isEmpty()) {
            message.put("reasoning_content", reasoning);
        }
        choice.putNull("logprobs").put("finish_reason", outcome.finishReason());
        body.set("usage", usage(outcome.usage()));
        return body;
    }

    private static ObjectNode usage(Outcome.Usage usage) {
        ObjectNode tokens =
                JSON.objectNode()
                        .put("prompt_tokens", usage.input())
                        .put("completion_tokens", usage.output())
                        .put("total_tokens", usage.input() + usage.output());
        tokens.putObject("prompt_tokens_details").put("cached_tokens", usage.cached());
        return tokens;
    }
}

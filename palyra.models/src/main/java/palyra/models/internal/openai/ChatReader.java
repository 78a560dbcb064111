package palyra.models.internal.openai;

import com.fasterxml.jackson.databind.JsonNode;
import palyra.models.internal.http.AnswerWriter;
import palyra.models.internal.http.Dialect;
import palyra.models.internal.http.TurnFailure;
import palyra.models.internal.sse.SseEvent;

/**
 * Reads chunks of a chat completion, or a whole one. Beside what OpenAI sends it takes what
 * compatible servers do: thoughts as {@code reasoning_content} (DeepSeek, vLLM, llama.cpp) or
 * {@code reasoning} (OpenRouter, Groq), calls without index or id, arguments as an object, usage in
 * any chunk, errors within the stream.
 */
final class ChatReader implements Dialect.AnswerReader {
    private static final String DONE = "[DONE]";

    private final AnswerWriter writer;
    private boolean done;
    private boolean refused;

    ChatReader(AnswerWriter writer) {
        this.writer = writer;
    }

    @Override
    public void event(SseEvent event) throws TurnFailure {
        String data = event.data().strip();
        if (data.equals(DONE)) {
            done = true;
            return;
        }
        if (data.isEmpty()) {
            return;
        }
        JsonNode chunk = writer.object(event);
        requireNoError(chunk, event.name().equals("error"));
        JsonNode choice = choice(chunk);
        said(choice.path("delta"), choice);
        finish(choice);
        usage(chunk);
    }

    @Override
    public void whole(JsonNode answer) throws TurnFailure {
        requireNoError(answer, false);
        JsonNode choice = choice(answer);
        if (choice.isMissingNode()) {
            throw writer.malformed("it has no choices.");
        }
        said(choice.path("message"), choice);
        finish(choice);
        usage(answer);
        done = true;
    }

    @Override
    public boolean complete() {
        return done;
    }

    private void requireNoError(JsonNode chunk, boolean error) throws TurnFailure {
        boolean told = chunk.hasNonNull("error") || chunk.path("object").asText().equals("error");
        if (told || error) {
            throw writer.brokenOff(chunk);
        }
    }

    /** Only one answer is asked for; some servers send a chunk about the prompt without any. */
    private static JsonNode choice(JsonNode chunk) {
        for (JsonNode choice : chunk.path("choices")) {
            if (choice.path("index").asInt(0) == 0) {
                return choice;
            }
        }
        return chunk.path("no choice");
    }

    private void said(JsonNode delta, JsonNode choice) throws TurnFailure {
        String thought = text(delta.path("reasoning_content"));
        writer.thought(thought.isEmpty() ? text(delta.path("reasoning")) : thought);
        writer.text(text(delta.path("content")));
        String refusal = text(delta.path("refusal"));
        refused |= !refusal.isEmpty();
        writer.text(refusal);
        if (delta.isMissingNode()) {
            writer.text(text(choice.path("text")));
        }
        if (delta.hasNonNull("function_call")) {
            throw writer.unusable(
                    "it calls a function in the old form (function_call), which knows no ids and"
                            + " takes no results of several calls. Use a server and a model that"
                            + " know tool_calls.");
        }
        for (JsonNode call : delta.path("tool_calls")) {
            call(call);
        }
    }

    /** Some servers send text as a list of parts. */
    private static String text(JsonNode content) {
        if (!content.isArray()) {
            return content.isTextual() ? content.asText() : "";
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            text.append(
                    part.path("type").asText("text").equals("text")
                            ? part.path("text").asText()
                            : "");
        }
        return text.toString();
    }

    private void call(JsonNode call) throws TurnFailure {
        JsonNode function = call.path("function");
        JsonNode input = function.path("arguments");
        writer.call(
                call.path("index").isInt() ? call.path("index").asInt() : -1,
                text(call.path("id")),
                text(function.path("name")),
                input.isContainerNode() ? input.toString() : text(input));
    }

    private void finish(JsonNode choice) throws TurnFailure {
        String reason = text(choice.path("finish_reason"));
        switch (reason) {
            case "" -> {}
            case "content_filter" -> throw writer.blocked(reason);
            case "error" -> throw writer.brokenOff(choice);
            case "stop" -> writer.finish(refused ? "refusal" : "stop");
            default -> writer.finish(reason);
        }
    }

    private void usage(JsonNode chunk) {
        JsonNode usage = chunk.path("usage");
        if (usage.path("prompt_tokens").isNumber() || usage.path("completion_tokens").isNumber()) {
            long cached = usage.path("prompt_tokens_details").path("cached_tokens").asLong();
            writer.usage(
                    usage.path("prompt_tokens").asLong(),
                    usage.path("completion_tokens").asLong(),
                    Math.max(cached, usage.path("prompt_cache_hit_tokens").asLong()));
        }
    }
}

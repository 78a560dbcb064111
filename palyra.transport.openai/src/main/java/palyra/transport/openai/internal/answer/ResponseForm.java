package palyra.transport.openai.internal.answer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import palyra.transport.openai.internal.http.RefusedException;
import palyra.transport.openai.internal.session.ResponseIds;

/**
 * Responses as JSON. Pure functions.
 *
 * @param runId run of the response
 * @param model agent that answers
 * @param createdSeconds unix time
 * @param previous id of the response before; empty for none
 */
public record ResponseForm(String runId, String model, long createdSeconds, String previous) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String STATUS = "status";
    private static final String COMPLETED = "completed";

    /** Returns a response that goes on. */
    public ObjectNode going(List<Kept.Stretch> said) {
        return response("in_progress", output(said));
    }

    /** Returns the response of a run that ended, or goes on. */
    public ObjectNode of(Kept kept) {
        Optional<RefusedException> failure = kept.failure();
        if (failure.isPresent()) {
            return failed(output(kept.stretches()), failure.get());
        }
        return kept.outcome()
                .map(outcome -> completed(output(kept.stretches()), outcome))
                .orElseGet(() -> going(kept.stretches()));
    }

    ObjectNode completed(ArrayNode output, Outcome outcome) {
        boolean whole = outcome.finishReason().equals("stop");
        ObjectNode body = response(whole ? COMPLETED : "incomplete", output);
        if (!whole) {
            body.putObject("incomplete_details")
                    .put(
                            "reason",
                            outcome.finishReason().equals("length")
                                    ? "max_output_tokens"
                                    : outcome.finishReason());
        }
        Outcome.Usage used = outcome.usage();
        ObjectNode usage = body.putObject("usage").put("input_tokens", used.input());
        usage.putObject("input_tokens_details").put("cached_tokens", used.cached());
        usage.put("output_tokens", used.output());
        usage.putObject("output_tokens_details").put("reasoning_tokens", 0);
        usage.put("total_tokens", used.input() + used.output());
        return body;
    }

    ObjectNode failed(ArrayNode output, RefusedException reason) {
        boolean cancelled = reason.code().equals("run_cancelled");
        ObjectNode body = response(cancelled ? "cancelled" : "failed", output);
        body.putObject("error").put("code", "server_error").put("message", reason.getMessage());
        return body;
    }

    ObjectNode response(String status, ArrayNode output) {
        ObjectNode body =
                JSON.objectNode()
                        .put("id", ResponseIds.of(runId))
                        .put("object", "response")
                        .put("created_at", createdSeconds)
                        .put(STATUS, status)
                        .put("background", false)
                        .putNull("error")
                        .putNull("incomplete_details")
                        .putNull("instructions")
                        .putNull("max_output_tokens")
                        .put("model", model);
        body.set("output", output);
        body.put("parallel_tool_calls", true);
        if (previous.isEmpty()) {
            body.putNull("previous_response_id");
        } else {
            body.put("previous_response_id", previous);
        }
        body.putObject("reasoning").putNull("effort").putNull("summary");
        body.put("store", true).putNull("temperature");
        body.putObject("text").putObject("format").put("type", "text");
        body.put("tool_choice", "auto").putArray("tools");
        body.putNull("top_p").put("truncation", "disabled").putNull("usage").putNull("user");
        body.putObject("metadata");
        return body;
    }

    private ArrayNode output(List<Kept.Stretch> said) {
        ArrayNode output = JSON.arrayNode();
        for (Kept.Stretch each : said) {
            output.add(item(output.size(), each.reasoning(), each.text(), COMPLETED));
        }
        return output;
    }

    String itemId(int index, boolean reasoning) {
        return (reasoning ? "rs_" : "msg_") + runId + "_" + index;
    }

    /** Returns an item; one without text has no part yet. */
    ObjectNode item(int index, boolean reasoning, String text, String status) {
        ObjectNode item = JSON.objectNode().put("id", itemId(index, reasoning));
        ArrayNode parts;
        if (reasoning) {
            parts = item.put("type", "reasoning").putArray("summary");
        } else {
            item.put("type", "message").put(STATUS, status).put("role", "assistant");
            parts = item.putArray("content");
        }
        if (!text.isEmpty()) {
            parts.add(part(reasoning, text));
        }
        return item;
    }

    static JsonNode part(boolean reasoning, String text) {
        ObjectNode part = JSON.objectNode();
        if (reasoning) {
            return part.put("type", "summary_text").put("text", text);
        }
        part.put("type", "output_text").put("text", text).putArray("annotations");
        part.putArray("logprobs");
        return part;
    }
}

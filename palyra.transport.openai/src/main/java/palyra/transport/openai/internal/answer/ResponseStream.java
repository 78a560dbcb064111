package palyra.transport.openai.internal.answer;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import palyra.transport.openai.internal.http.RefusedException;

/** Streams a response: its events in the order that clients expect. */
public final class ResponseStream implements AnswerSink {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ResponseForm form;
    private final BiConsumer<String, String> events;
    private final Consumer<String> whenAnswered;
    private final ArrayNode output = JSON.arrayNode();
    private final StringBuilder item = new StringBuilder();
    private final StringBuilder content = new StringBuilder();
    private boolean open; // an item is
    private boolean isReasoning;
    private long sequence;

    /**
     * Creates a stream.
     *
     * @param events takes events by name and data
     * @param whenAnswered takes the text as the client has it, before the client knows that it is
     *     whole
     */
    public ResponseStream(
            ResponseForm form, BiConsumer<String, String> events, Consumer<String> whenAnswered) {
        this.form = form;
        this.events = events;
        this.whenAnswered = whenAnswered;
    }

    private void put(String type, ObjectNode event) {
        ObjectNode whole = JSON.objectNode().put("type", type).put("sequence_number", sequence++);
        whole.setAll(event);
        events.accept(type, whole.toString());
    }

    private void put(String type, String field, ObjectNode value) {
        ObjectNode event = JSON.objectNode();
        event.set(field, value);
        put(type, event);
    }

    @Override
    public void opened() {
        put("response.created", "response", form.response("in_progress", output));
        put("response.in_progress", "response", form.response("in_progress", output));
    }

    @Override
    public void reasoning(String text) {
        say(true, text);
    }

    @Override
    public void content(String text) {
        content.append(text);
        say(false, text);
    }

    private void say(boolean reasoning, String text) {
        if (open && reasoning != isReasoning) {
            end();
        }
        if (!open) {
            begin(reasoning);
        }
        item.append(text);
        ObjectNode delta = place().put("delta", text);
        if (!reasoning) {
            delta.putArray("logprobs");
        }
        put(
                reasoning ? "response.reasoning_summary_text.delta" : "response.output_text.delta",
                delta);
    }

    private ObjectNode place() {
        return JSON.objectNode()
                .put("item_id", form.itemId(output.size(), isReasoning))
                .put("output_index", output.size())
                .put(isReasoning ? "summary_index" : "content_index", 0);
    }

    private void begin(boolean reasoning) {
        open = true;
        isReasoning = reasoning;
        item.setLength(0);
        ObjectNode added = JSON.objectNode().put("output_index", output.size());
        added.set("item", form.item(output.size(), reasoning, "", "in_progress"));
        put("response.output_item.added", added);
        ObjectNode part = place();
        part.set("part", ResponseForm.part(reasoning, ""));
        put(
                reasoning ? "response.reasoning_summary_part.added" : "response.content_part.added",
                part);
    }

    private void end() {
        if (!open) {
            return;
        }
        String text = item.toString();
        ObjectNode done = place().put("text", text);
        if (!isReasoning) {
            done.putArray("logprobs");
        }
        put(
                isReasoning ? "response.reasoning_summary_text.done" : "response.output_text.done",
                done);
        ObjectNode part = place();
        part.set("part", ResponseForm.part(isReasoning, text));
        put(
                isReasoning ? "response.reasoning_summary_part.done" : "response.content_part.done",
                part);
        ObjectNode whole = form.item(output.size(), isReasoning, text, "completed");
        ObjectNode event = JSON.objectNode().put("output_index", output.size());
        event.set("item", whole);
        put("response.output_item.done", event);
        output.add(whole);
        open = false;
    }

    @Override
    public void finished(Outcome outcome) {
        end();
        whenAnswered.accept(content.toString());
        ObjectNode body = form.completed(output, outcome);
        put("response." + body.path("status").asText(), "response", body);
    }

    /** A run that failed is a response that failed; anything else says that the stream is over. */
    @Override
    public void failed(RefusedException reason) {
        end();
        if (reason.isOfRun()) {
            put("response.failed", "response", form.failed(output, reason));
        } else {
            put(
                    "error",
                    JSON.objectNode()
                            .put("code", reason.code())
                            .put("message", reason.getMessage())
                            .putNull("param"));
        }
    }
}

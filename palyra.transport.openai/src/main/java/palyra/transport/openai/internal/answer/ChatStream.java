package palyra.transport.openai.internal.answer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import palyra.transport.openai.internal.http.RefusedException;

/** Streams a chat completion. */
public final class ChatStream implements AnswerSink {
    private final ChatForm form;
    private final boolean tellUsage;
    private final BiConsumer<String, String> events;
    private final Consumer<String> whenAnswered;
    private final StringBuilder content = new StringBuilder();

    /**
     * Creates a stream.
     *
     * @param tellUsage whether what was used is told at the end
     * @param events takes events by name, which is empty here, and data
     * @param whenAnswered takes the text as the client has it, before the client knows that it is
     *     whole
     */
    public ChatStream(
            String id,
            String model,
            long createdSeconds,
            boolean tellUsage,
            BiConsumer<String, String> events,
            Consumer<String> whenAnswered) {
        this.form = new ChatForm(id, model, createdSeconds);
        this.tellUsage = tellUsage;
        this.events = events;
        this.whenAnswered = whenAnswered;
    }

    /** Returns a completion as a whole. */
    public static ObjectNode whole(
            String id, String model, long createdSeconds, String reasoning, Outcome outcome) {
        return new ChatForm(id, model, createdSeconds).whole(reasoning, outcome.answer(), outcome);
    }

    private void put(ObjectNode chunk) {
        events.accept("", chunk.toString());
    }

    @Override
    public void opened() {
        put(form.chunk(form.delta("role", "assistant").put("content", ""), ""));
    }

    @Override
    public void reasoning(String text) {
        put(form.chunk(form.delta("reasoning_content", text), ""));
    }

    @Override
    public void content(String text) {
        content.append(text);
        put(form.chunk(form.delta("content", text), ""));
    }

    @Override
    public void finished(Outcome outcome) {
        whenAnswered.accept(content.toString());
        ObjectNode none = form.delta("content", "");
        none.remove("content");
        put(form.chunk(none, outcome.finishReason()));
        if (tellUsage) {
            put(form.usageChunk(outcome.usage()));
        }
        events.accept("", "[DONE]");
    }

    /** A client takes a chunk with an error as the end. */
    @Override
    public void failed(RefusedException reason) {
        events.accept("", reason.body().toString());
    }
}

package palyra.models.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelSink;
import palyra.api.model.ToolProposal;
import palyra.models.internal.sse.SseEvent;

/**
 * Takes the answer of one turn from a dialect: passes deltas to the sink at once, calls and the end
 * when the answer is complete. Not thread-safe.
 */
public final class AnswerWriter {
    /** Most characters of answer and thoughts together. */
    static final int MAX_CHARS = 8 * 1_024 * 1_024;

    private static final int BYTES_OF_INPUT_CHAR = 6;
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private final String provider;
    private final ToolNames names;
    private final KeyRedactor key;
    private final ModelSink sink;
    private final CallAssembler calls;
    private final TextChunker text = new TextChunker();
    private final TextChunker thoughts = new TextChunker();
    private boolean listening = true;
    private long progress;
    private long chars;
    private boolean answered;
    private String finish = "";
    private long inputTokens;
    private long outputTokens;
    private long cachedTokens;
    private boolean counted;

    AnswerWriter(String provider, ToolNames names, KeyRedactor key, ModelSink sink) {
        this.provider = provider;
        this.names = names;
        this.key = key;
        this.sink = sink;
        calls = new CallAssembler(provider);
    }

    /** Adds answer text; an empty piece has no effect. */
    public void text(String piece) throws TurnFailure {
        count(piece);
        answered |= !piece.isBlank();
        for (String whole : text.take(piece)) {
            emit(new ModelEvent.TextDelta(whole));
        }
    }

    /** Adds reasoning text; an empty piece has no effect. */
    public void thought(String piece) throws TurnFailure {
        count(piece);
        for (String whole : thoughts.take(piece)) {
            emit(new ModelEvent.ThoughtDelta(whole));
        }
    }

    private void count(String piece) throws TurnFailure {
        progress += piece.isEmpty() ? 0 : 1;
        chars += piece.length();
        if (chars > MAX_CHARS) {
            throw ModelFailures.tooLarge(
                    provider, "it is longer than " + MAX_CHARS + " characters.");
        }
    }

    /** Adds a piece of a call; see {@link CallAssembler#piece}. */
    public void call(int index, String id, String name, String input) throws TurnFailure {
        progress++;
        calls.piece(index, id, name, input);
    }

    /** Sets the token counts; negative numbers count as 0. The last call wins. */
    public void usage(long input, long output, long cached) {
        inputTokens = Math.max(0, input);
        outputTokens = Math.max(0, output);
        cachedTokens = Math.max(0, cached);
        counted = true;
    }

    /** Marks the answer as finished; usage may still follow. The first reason wins. */
    public void finish(String reason) {
        finish = finish.isEmpty() ? reason : finish;
    }

    /** Returns the failure of an answer that the server blocked. */
    public TurnFailure blocked(String why) {
        return new TurnFailure(
                ErrorCode.MODEL_FAILED,
                FailureCause.CONTENT_BLOCKED,
                false,
                "Model provider '"
                        + provider
                        + "' refused to answer ("
                        + ProviderError.clean(why, 100)
                        + "). Change the request.");
    }

    /** Returns the failure of an answer with an error inside. */
    public TurnFailure brokenOff(JsonNode said) {
        ProviderError error = ProviderError.of(said);
        return new TurnFailure(
                ModelFailures.midway(
                        provider,
                        new ProviderError(error.type(), error.code(), key.hide(error.message()))));
    }

    /** Returns the failure of a malformed answer. */
    public TurnFailure malformed(String what) {
        return ModelFailures.malformed(provider, what);
    }

    /** Returns the failure of an answer in an unsupported form, which a retry does not solve. */
    public TurnFailure unusable(String what) {
        return ModelFailures.unusable(provider, what);
    }

    /** Parses an event, which must be a JSON object. */
    public JsonNode object(SseEvent event) throws TurnFailure {
        try {
            JsonNode node = JSON.readTree(event.data());
            if (node != null && node.isObject()) {
                return node;
            }
        } catch (IOException e) {
            // said below
        }
        throw malformed("an event is not a JSON object.");
    }

    /** Returns the approximate memory of the calls, in bytes. */
    long held() {
        return BYTES_OF_INPUT_CHAR * calls.chars();
    }

    boolean finished() {
        return !finish.isEmpty();
    }

    boolean listening() {
        return listening;
    }

    /** Counter that grows with each piece of output. */
    long progress() {
        return progress;
    }

    private TurnFailure empty() {
        return finish.equals("length")
                ? unusable(
                        "the model reached its token limit before any output. Raise maxOutputTokens of the model profile, or lower its reasoning.")
                : malformed("it has neither text nor a call.");
    }

    private void emit(ModelEvent event) {
        listening = listening && sink.accept(event);
    }

    /**
     * Emits the held-back text and the calls in order, and returns the end. Fails for an answer
     * without text and calls.
     */
    ModelEvent.Finished end() throws TurnFailure {
        List<ToolProposal> proposals = calls.proposals(names);
        if (proposals.isEmpty() && !answered && text.rest().isEmpty()) {
            throw empty();
        }
        if (!thoughts.rest().isEmpty()) {
            emit(new ModelEvent.ThoughtDelta("\uFFFD"));
        }
        if (!text.rest().isEmpty()) {
            emit(new ModelEvent.TextDelta("\uFFFD"));
        }
        proposals.forEach(proposal -> emit(new ModelEvent.Proposed(proposal)));
        boolean calling = !proposals.isEmpty() && (finish.isEmpty() || finish.equals("stop"));
        String reason = calling ? "tool_calls" : finish.isEmpty() ? "stop" : finish;
        return new ModelEvent.Finished(reason, inputTokens, outputTokens, cachedTokens, counted);
    }
}

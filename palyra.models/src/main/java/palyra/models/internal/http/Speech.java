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
 * What a model says in one turn, as a dialect understands it: deltas go to the sink at once, calls
 * and the end when the answer is complete. Not thread-safe.
 */
public final class Speech {
    /** Most characters of answer and thoughts together. */
    static final int MAX_CHARS = 8 * 1_024 * 1_024;

    private static final int BYTES_OF_INPUT_CHAR = 6;
    private static final ObjectMapper JSON = JsonMapper.builder().build();

    private final String provider;
    private final ToolNames names;
    private final KeyMark key;
    private final ModelSink sink;
    private final CallAssembler calls;
    private final TextPieces text = new TextPieces();
    private final TextPieces thoughts = new TextPieces();
    private boolean listening = true;
    private long signs;
    private long chars;
    private boolean answered;
    private String finish = "";
    private long inputTokens;
    private long outputTokens;
    private long cachedTokens;
    private boolean counted;

    Speech(String provider, ToolNames names, KeyMark key, ModelSink sink) {
        this.provider = provider;
        this.names = names;
        this.key = key;
        this.sink = sink;
        calls = new CallAssembler(provider);
    }

    /** Says more of the answer; an empty piece is nothing. */
    public void text(String piece) throws TurnFailure {
        count(piece);
        answered |= !piece.isBlank();
        for (String whole : text.take(piece)) {
            tell(new ModelEvent.TextDelta(whole));
        }
    }

    /** Says more of the thoughts; an empty piece is nothing. */
    public void thought(String piece) throws TurnFailure {
        count(piece);
        for (String whole : thoughts.take(piece)) {
            tell(new ModelEvent.ThoughtDelta(whole));
        }
    }

    private void count(String piece) throws TurnFailure {
        signs += piece.isEmpty() ? 0 : 1;
        chars += piece.length();
        if (chars > MAX_CHARS) {
            throw ModelFailures.tooLarge(
                    provider, "it is longer than " + MAX_CHARS + " characters.");
        }
    }

    /** Takes a piece of a call; see {@link CallAssembler#piece}. */
    public void call(int index, String id, String name, String input) throws TurnFailure {
        signs++;
        calls.piece(index, id, name, input);
    }

    /** Takes how many tokens were counted; numbers below 0 stand for 0. The last word counts. */
    public void usage(long input, long output, long cached) {
        inputTokens = Math.max(0, input);
        outputTokens = Math.max(0, output);
        cachedTokens = Math.max(0, cached);
        counted = true;
    }

    /** The model came to its end; usage may still follow. The first reason counts. */
    public void finish(String reason) {
        finish = finish.isEmpty() ? reason : finish;
    }

    /** Fails because the server refuses to speak of this. */
    public TurnFailure blocked(String why) {
        return new TurnFailure(
                ErrorCode.MODEL_FAILED,
                FailureCause.CONTENT_BLOCKED,
                false,
                "Model provider '"
                        + provider
                        + "' does not answer this ("
                        + ProviderError.clean(why, 100)
                        + "). Ask differently.");
    }

    /** Fails because the server says within its answer that something went wrong. */
    public TurnFailure brokenOff(JsonNode said) {
        ProviderError error = ProviderError.of(said);
        return new TurnFailure(
                ModelFailures.midway(
                        provider,
                        new ProviderError(error.type(), error.code(), key.hide(error.message()))));
    }

    /** Fails because what the server says makes no sense. */
    public TurnFailure malformed(String what) {
        return ModelFailures.malformed(provider, what);
    }

    /** Fails because the server speaks in a form that is not taken; asking again does not help. */
    public TurnFailure unusable(String what) {
        return ModelFailures.unusable(provider, what);
    }

    /** Reads the JSON of an event; anything but an object makes no sense. */
    public JsonNode object(SseEvent event) throws TurnFailure {
        try {
            JsonNode node = JSON.readTree(event.data());
            if (node != null && node.isObject()) {
                return node;
            }
        } catch (IOException e) {
            // said below
        }
        throw malformed("an event is no JSON object.");
    }

    /** Returns about how many bytes of memory the calls take that are not told yet. */
    long held() {
        return BYTES_OF_INPUT_CHAR * calls.chars();
    }

    boolean finished() {
        return !finish.isEmpty();
    }

    boolean listening() {
        return listening;
    }

    /** Counts what was said so far: it grows whenever the model says something. */
    long signs() {
        return signs;
    }

    private TurnFailure empty() {
        return finish.equals("length")
                ? unusable(
                        "it reached its limit of tokens before it said anything. Raise"
                                + " maxOutputTokens of the model profile, or have it think less.")
                : malformed("it has neither text nor a call.");
    }

    private void tell(ModelEvent event) {
        listening = listening && sink.accept(event);
    }

    /**
     * Tells the rest: what was held back, the calls in order, and the end. Fails when the model
     * said nothing and called nothing: that is no answer to anybody.
     */
    ModelEvent.Finished end() throws TurnFailure {
        List<ToolProposal> proposals = calls.proposals(names);
        if (proposals.isEmpty() && !answered && text.rest().isEmpty()) {
            throw empty();
        }
        if (!thoughts.rest().isEmpty()) {
            tell(new ModelEvent.ThoughtDelta("\uFFFD"));
        }
        if (!text.rest().isEmpty()) {
            tell(new ModelEvent.TextDelta("\uFFFD"));
        }
        proposals.forEach(proposal -> tell(new ModelEvent.Proposed(proposal)));
        boolean calling = !proposals.isEmpty() && (finish.isEmpty() || finish.equals("stop"));
        String reason = calling ? "tool_calls" : finish.isEmpty() ? "stop" : finish;
        return new ModelEvent.Finished(reason, inputTokens, outputTokens, cachedTokens, counted);
    }
}

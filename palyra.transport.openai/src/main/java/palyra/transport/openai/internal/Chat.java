package palyra.transport.openai.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import palyra.transport.openai.internal.answer.AnswerSink;
import palyra.transport.openai.internal.answer.ChatStream;
import palyra.transport.openai.internal.answer.Kept;
import palyra.transport.openai.internal.answer.Outcome;
import palyra.transport.openai.internal.ask.Ask;
import palyra.transport.openai.internal.ask.ChatReader;

/** Chat completions. */
final class Chat implements Face {
    private static final String PREFIX = "chatcmpl-";

    @Override
    public Ask read(ObjectNode body) {
        return ChatReader.read(body);
    }

    @Override
    public AnswerSink stream(
            Ask ask,
            String runId,
            long createdSeconds,
            BiConsumer<String, String> events,
            Consumer<String> whenAnswered) {
        return new ChatStream(
                PREFIX + runId, ask.model(), createdSeconds, ask.usage(), events, whenAnswered);
    }

    /** The answer is what the run answered at last; what it said before is reasoning. */
    @Override
    public Whole whole(Ask ask, String runId, long createdSeconds, Kept kept, Outcome outcome) {
        return new Whole(
                ChatStream.whole(
                        PREFIX + runId, ask.model(), createdSeconds, kept.allReasoning(), outcome),
                outcome.answer());
    }

    @Override
    public boolean liveWhole() {
        return false;
    }
}

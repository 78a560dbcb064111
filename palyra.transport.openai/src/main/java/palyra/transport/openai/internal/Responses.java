package palyra.transport.openai.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import palyra.transport.openai.internal.answer.AnswerSink;
import palyra.transport.openai.internal.answer.Kept;
import palyra.transport.openai.internal.answer.Outcome;
import palyra.transport.openai.internal.answer.ResponseForm;
import palyra.transport.openai.internal.answer.ResponseStream;
import palyra.transport.openai.internal.ask.Ask;
import palyra.transport.openai.internal.ask.ResponsesReader;

/** Responses. */
final class Responses implements Face {
    @Override
    public Ask read(ObjectNode body) {
        return ResponsesReader.read(body);
    }

    @Override
    public AnswerSink stream(
            Ask ask,
            String runId,
            long createdSeconds,
            BiConsumer<String, String> events,
            Consumer<String> whenAnswered) {
        return new ResponseStream(form(ask, runId, createdSeconds), events, whenAnswered);
    }

    private static ResponseForm form(Ask ask, String runId, long createdSeconds) {
        return new ResponseForm(runId, ask.model(), createdSeconds, ask.previousResponseId());
    }

    @Override
    public Whole whole(Ask ask, String runId, long createdSeconds, Kept kept, Outcome outcome) {
        return new Whole(
                form(ask, runId, createdSeconds).of(kept),
                kept.stretches().stream()
                        .filter(each -> !each.reasoning())
                        .map(Kept.Stretch::text)
                        .collect(Collectors.joining()));
    }

    /** Its items keep apart what was said between tool calls. */
    @Override
    public boolean liveWhole() {
        return true;
    }
}

package palyra.transport.openai.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import palyra.transport.openai.internal.answer.AnswerSink;
import palyra.transport.openai.internal.answer.Kept;
import palyra.transport.openai.internal.answer.Outcome;
import palyra.transport.openai.internal.ask.Ask;

/** One of the forms in which clients ask and are answered. Stateless. */
interface Face {
    /** Returns what a body asks. */
    Ask read(ObjectNode body);

    /**
     * Returns a sink that streams.
     *
     * @param events takes events by name and data
     * @param whenAnswered takes the text as the client has it, before it knows that it is whole
     */
    AnswerSink stream(
            Ask ask,
            String runId,
            long createdSeconds,
            BiConsumer<String, String> events,
            Consumer<String> whenAnswered);

    /**
     * An answer as a whole.
     *
     * @param text the answer as the client has it
     */
    record Whole(ObjectNode body, String text) {}

    /** Returns an answer as a whole. */
    Whole whole(Ask ask, String runId, long createdSeconds, Kept kept, Outcome outcome);

    /** Returns whether an answer as a whole has the text of every turn. */
    boolean liveWhole();
}

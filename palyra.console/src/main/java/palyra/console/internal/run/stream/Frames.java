package palyra.console.internal.run.stream;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import palyra.api.run.RunEvent;
import palyra.api.tape.TapeEvent;
import palyra.shared.tape.TapeCodec;

/** Writes stream events. Data is one line of JSON. Pure functions. */
final class Frames {
    private static final String NO_ID = "";

    private Frames() {}

    /** Returns a comment, which browsers skip: it shows both ends that the other is there. */
    static byte[] heartbeat() {
        return ":\n\n".getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a hint that something under a topic changed. */
    static byte[] hint(String topic) {
        return frame(topic, NO_ID, JsonNodeFactory.instance.objectNode());
    }

    /** Returns the last event: the browser connects again after a while. */
    static byte[] end(long retryMillis) {
        String text = "retry: " + retryMillis + "\nevent: stream-end\ndata: {}\n\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns an event about a run without a position. */
    static byte[] about(String event, String runId, String reason) {
        return frame(event, NO_ID, run(runId).put("reason", reason));
    }

    /** Returns an event of a followed run. */
    static byte[] of(EventId after, RunEvent event) {
        ObjectNode data = run(after.runId());
        return switch (event) {
            case RunEvent.Text text ->
                    frame(
                            "run-text",
                            after.toString(),
                            data.put("turn", text.turn())
                                    .put("attempt", text.attempt())
                                    .put("thought", text.thought())
                                    .put("offset", text.offset())
                                    .put("text", text.text()));
            case RunEvent.Dropped dropped ->
                    frame("run-dropped", after.toString(), data.put("turn", dropped.turn()));
            case RunEvent.Recorded recorded ->
                    frame(
                            "run-record",
                            after.toString(),
                            data.put("seq", recorded.seq())
                                    .put("type", TapeCodec.type(recorded.event()))
                                    .put("turn", finished(recorded.event())));
            case RunEvent.Waiting waiting ->
                    frame(
                            "run-waiting",
                            after.toString(),
                            data.put("state", waiting.state().name())
                                    .put("reason", waiting.reason()));
            case RunEvent.Ended ended ->
                    frame(
                            "run-ended",
                            after.toString(),
                            data.put("state", ended.state().name()).put("reason", ended.reason()));
        };
    }

    /** Returns the turn whose whole text a record has; 0 for none. */
    private static int finished(TapeEvent event) {
        return event instanceof TapeEvent.TurnFinished turn ? turn.turn() : 0;
    }

    private static ObjectNode run(String runId) {
        return JsonNodeFactory.instance.objectNode().put("run", runId);
    }

    private static byte[] frame(String event, String id, ObjectNode data) {
        StringBuilder frame = new StringBuilder("event: ").append(event).append('\n');
        if (!id.isEmpty()) {
            frame.append("id: ").append(id).append('\n');
        }
        frame.append("data: ").append(data).append("\n\n");
        return frame.toString().getBytes(StandardCharsets.UTF_8);
    }
}

package palyra.testing.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;

class ScriptedModelProviderTest extends ModelProviderContract {
    private final ScriptedModelProvider model = new ScriptedModelProvider();

    static ModelRequest request(String requestId) {
        return new ModelRequest(
                requestId,
                "run-1",
                "",
                List.of(new ModelMessage.User("hello")),
                List.of(),
                false,
                System.currentTimeMillis() + 60_000);
    }

    @Override
    protected ModelProvider open() {
        return model;
    }

    @Override
    protected void withdraw(ModelProvider provider) {
        model.close();
    }

    @Override
    protected ModelRequest shortRequest(String requestId) {
        model.answer("Hello 🙂");
        return request(requestId);
    }

    @Override
    protected ModelRequest lastingRequest(String requestId) {
        model.hold(new ModelEvent.TextDelta("wait"));
        return request(requestId);
    }

    private RecordingSink ask(String requestId) {
        RecordingSink sink = new RecordingSink();
        model.start(request(requestId), sink);
        return sink;
    }

    @Test
    void playsItsTurnsInOrderAndKeepsWhatItWasAsked() {
        model.answer("one").propose("test.a", "{}").fail(ErrorCode.MODEL_FAILED, "Down.", true);
        RecordingSink first = ask("run-1/1/1");
        first.awaitFinished();
        assertEquals("one", first.text());
        RecordingSink second = ask("run-1/2/1");
        assertEquals("tool_calls", second.awaitFinished().finishReason());
        assertEquals("test.a", second.proposals().get(0).toolName());
        assertEquals("Down.", ask("run-1/3/1").awaitFailed().message());
        assertEquals(
                List.of("run-1/1/1", "run-1/2/1", "run-1/3/1"),
                model.requests().stream().map(ModelRequest::requestId).toList());
    }

    @Test
    void failsWhenTheTestQueuedTooLittle() {
        assertEquals(ErrorCode.MODEL_FAILED, ask("run-1/1/1").awaitFailed().code());
        model.otherwise(request -> List.of(new ModelEvent.Finished("stop", 0, 0)));
        ask("run-1/1/2").awaitFinished();
        model.turn(new ModelEvent.TextDelta("no end"));
        assertEquals(ErrorCode.MODEL_FAILED, ask("run-1/1/3").awaitFailed().code());
    }

    @Test
    void refusesToStartWhenToldSo() {
        model.refuse(ErrorCode.RESOURCE_EXHAUSTED, "Full.");
        assertThrows(PalyraException.class, () -> ask("run-1/1/1"));
    }
}

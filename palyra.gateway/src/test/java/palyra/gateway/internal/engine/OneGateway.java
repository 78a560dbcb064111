package palyra.gateway.internal.engine;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;

/**
 * The usual surroundings of a test: one gateway with a scripted model, whose default agent has one
 * tool, on a journal that the test may watch.
 */
abstract class OneGateway {
    @TempDir Path state;

    final ScriptedModelProvider model = new ScriptedModelProvider();
    final RecordingTool tool = RecordingTool.withEffect("test.effect");
    LightGateway.Surroundings around;
    LightGateway gateway;

    @BeforeEach
    void open() {
        around = new LightGateway.Surroundings(state, "boot", tool);
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/1",
                                real -> WatchedJournal.of(real, this::watch),
                                FakeAccess.forTools())
                        .awaitReady()
                        .offering("test.effect");
    }

    /** Proposes one call of the tool, and answers once it has its output. */
    static List<ModelEvent> callThenAnswer(ModelRequest request) {
        boolean toldOutput =
                request.messages().stream().anyMatch(ModelMessage.ToolOutput.class::isInstance);
        return toldOutput
                ? List.of(new ModelEvent.TextDelta("done"), new ModelEvent.Finished("stop", 1, 1))
                : List.of(
                        new ModelEvent.Proposed(new ToolProposal("", "test.effect", "{\"n\":1}")),
                        new ModelEvent.Finished("tool_calls", 1, 1));
    }

    /** Does what the gateway asks of the journal; any thread. */
    Object watch(WatchedJournal.Call call) throws Throwable {
        return call.proceed();
    }

    @AfterEach
    void close() {
        tool.release();
        gateway.close();
        model.close();
        around.close();
    }
}

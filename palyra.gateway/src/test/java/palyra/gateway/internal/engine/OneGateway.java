package palyra.gateway.internal.engine;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
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

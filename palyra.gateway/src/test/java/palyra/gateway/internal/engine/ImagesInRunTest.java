package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.model.FailureCause;
import palyra.api.model.ModelEvent;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelProvider;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tool.ToolImage;
import palyra.api.tool.ToolResult;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingConfinedTool;
import palyra.testing.wait.Await;

/** Images that tools return, on the tape and in what models are shown. */
class ImagesInRunTest {
    private static final String TOOL = "test.look";

    private static final ToolImage IMAGE =
            ToolImage.of("image/png", new byte[ToolImage.MAX_BYTES]); // as large as can be

    @TempDir Path folder;
    private final RecordingConfinedTool tool =
            new RecordingConfinedTool(TOOL)
                    .endingWith(
                            new ConfinedResult(
                                    TapeEvent.Outcome.SUCCEEDED,
                                    ToolResult.of("{\"width\":8}"),
                                    "builtin",
                                    "none",
                                    "",
                                    List.of(IMAGE)));
    private final ScriptedModelProvider first = new ScriptedModelProvider();
    private final ScriptedModelProvider second = new ScriptedModelProvider();
    private LightGateway.Surroundings around;
    private LightGateway gateway;

    @BeforeEach
    void start() {
        around = new LightGateway.Surroundings(folder, "boot", tool);
        around.models = FailoverTest.settings(FailoverTest.profile("fast", "one/a", "two/b"));
        gateway = opened("boot/1");
    }

    private LightGateway opened(String owner) {
        LightGateway opened = new LightGateway(around, null, owner).awaitReady();
        opened.services.models().add(first, Map.of(ModelProvider.ID_PROPERTY, "one"));
        opened.services.models().add(second, Map.of(ModelProvider.ID_PROPERTY, "two"));
        opened.profiled("fast", "", TOOL);
        return opened;
    }

    @AfterEach
    void stop() {
        gateway.close();
        first.close();
        second.close();
        around.close();
    }

    private static ModelMessage.ToolOutput shown(ScriptedModelProvider model) {
        return (ModelMessage.ToolOutput) model.requests().getLast().messages().getLast();
    }

    private String ran() {
        String runId = gateway.submit("look").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        return runId;
    }

    private TapeEvent.ToolCallOutput recorded(String runId) {
        return gateway.records(runId, TapeEvent.ToolCallOutput.class).get(0);
    }

    @Test
    void aModelThatSeesIsShownTheImage() {
        first.seeing().propose(TOOL, "{}").answer("I see");
        TapeEvent.ToolCallOutput recorded = recorded(ran());
        assertEquals(List.of(IMAGE), recorded.images());
        assertEquals(recorded.images(), shown(first).images());
        assertEquals("{\"width\":8}", shown(first).text());
        around.assertVerified();
    }

    @Test
    void withoutAModelThatSeesItIsNotKept() {
        first.propose(TOOL, "{}").answer("I read");
        TapeEvent.ToolCallOutput recorded = recorded(ran());
        assertEquals(List.of(), recorded.images());
        assertEquals(
                "{\"image_note\":\"The image was left out: no model of the agent is declared to see"
                        + " images.\",\"width\":8}",
                recorded.outputJson());
        assertEquals(recorded.outputJson(), shown(first).text());
    }

    @Test
    void aModelThatTakesOverAndDoesNotSeeIsTold() {
        first.seeing().propose(TOOL, "{}");
        first.turn(
                new ModelEvent.Failed(
                        ErrorCode.MODEL_FAILED, "It is away.", false, FailureCause.SERVER, 0));
        second.answer("I read");
        String runId = ran();
        assertEquals(1, recorded(runId).images().size());
        assertEquals(1, shown(first).images().size());
        assertEquals(List.of(), shown(second).images());
        assertTrue(
                shown(second).text().endsWith("the model is not declared to see images.]"),
                shown(second).text());
        List<TapeEvent.TurnStarted> turns = gateway.records(runId, TapeEvent.TurnStarted.class);
        assertTrue(
                !turns.get(1).requestSha256().equals(turns.get(2).requestSha256()),
                "the digest covers what is shown");
    }

    @Test
    void theNextGatewayFoldsItBack() {
        first.seeing().propose(TOOL, "{}").hold();
        String runId = gateway.submit("look").runId();
        Await.until("the second turn", () -> first.requests().size() == 2);
        gateway.close();
        first.answer("I see");
        gateway = opened("boot/2");
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(List.of(IMAGE), shown(first).images());
    }

    /** Three mebibytes of them: the newest of a run, the first of a turn. */
    @Test
    void moreThanFitAreLeftOut() {
        first.seeing().propose(TOOL, "{}").propose(TOOL, "{}").propose(TOOL, "{}");
        first.propose(TOOL, "{}").answer("I see");
        ran();
        List<ModelMessage.ToolOutput> outputs = outputs();
        assertEquals(List.of(0, 1, 1, 1), images(outputs));
        assertTrue(outputs.get(0).text().contains("because newer ones fill the request"));
        ModelEvent[] four = new ModelEvent[5];
        for (int i = 0; i < 4; i++) {
            four[i] = new ModelEvent.Proposed(new ToolProposal("", TOOL, "{}"));
        }
        four[4] = new ModelEvent.Finished("tool_calls", 1, 1);
        first.turn(four).answer("I see");
        ran();
        outputs = outputs();
        assertEquals(List.of(1, 1, 1, 0), images(outputs));
        assertTrue(outputs.get(3).text().contains("other calls of this turn"));
    }

    private List<ModelMessage.ToolOutput> outputs() {
        return first.requests().getLast().messages().stream()
                .filter(ModelMessage.ToolOutput.class::isInstance)
                .map(ModelMessage.ToolOutput.class::cast)
                .toList();
    }

    private static List<Integer> images(List<ModelMessage.ToolOutput> outputs) {
        return outputs.stream().map(output -> output.images().size()).toList();
    }
}

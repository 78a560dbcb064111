package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.tools.EnvironmentSource;
import palyra.api.model.ModelMessage;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.turn.AgentPrompt;
import palyra.gateway.internal.settings.EngineConfiguration;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.gateway.internal.settings.PromptProfile;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.tool.RecordingTool;

/** What the instructions tell of the place where the agent's tools work. */
class EnvironmentPromptTest {
    @TempDir Path folder;
    private LightGateway.Surroundings around;
    private LightGateway gateway;
    private final ScriptedModelProvider model = new ScriptedModelProvider();
    private volatile EnvironmentSource.Reader reader;
    private volatile String described = "- System: a test.";

    private void start(EngineSettings settings) {
        around = new LightGateway.Surroundings(folder, "boot");
        around.models =
                FailoverTest.settings(
                        FailoverTest.profile("fast", "scripted/a"),
                        new PromptProfile("house", "Speak like a pirate.", ""));
        gateway =
                new LightGateway(
                                around,
                                model,
                                "boot/1",
                                UnaryOperator.identity(),
                                FakeAccess.forTools(),
                                settings)
                        .awaitReady();
    }

    private EnvironmentSource source() {
        return to -> {
            reader = to;
            if (described.isEmpty()) {
                throw new IllegalStateException("broken");
            }
            return described;
        };
    }

    @AfterEach
    void stop() {
        gateway.close();
        model.close();
        around.close();
    }

    /** Runs once and returns how its turn began; the request is the model's last one. */
    private TapeEvent.TurnStarted turn() {
        model.answer("fine");
        String runId = gateway.submit("hello").runId();
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        return gateway.records(runId, TapeEvent.TurnStarted.class).get(0);
    }

    private ModelMessage first() {
        return model.requests().getLast().messages().get(0);
    }

    @Test
    void itFollowsTheInstructionsAndIsPartOfTheDigests() {
        start(LightGateway.settings());
        gateway.profiled("fast", "house", "palyra.echo");
        String without = turn().systemPromptSha256();
        assertEquals(new ModelMessage.System("Speak like a pirate."), first());
        EnvironmentSource source = source();
        gateway.services.environment().add(source, Map.of());
        TapeEvent.TurnStarted one = turn();
        assertEquals(
                new ModelMessage.System(
                        "Speak like a pirate.\n\nWhere your tools work (told by the gateway):\n"
                                + "- System: a test.\n- Tool calls: at most 4 in one run."),
                first());
        assertEquals(Set.of("palyra.echo"), reader.tools());
        assertNotEquals(without, one.systemPromptSha256());
        assertEquals(one.systemPromptSha256(), turn().systemPromptSha256());
        described = "- System: another test.";
        assertNotEquals(one.systemPromptSha256(), turn().systemPromptSha256());
        gateway.services.environment().remove(source);
        assertEquals(without, turn().systemPromptSha256());
        assertEquals(new ModelMessage.System("Speak like a pirate."), first());
    }

    /** What {@code agents prompt} shows. */
    @Test
    void whatIsShownOfAnAgentIsWhatItsModelIsTold() {
        start(LightGateway.settings());
        around.add(RecordingTool.named("test.reads"), Map.of("service.id", 1L));
        gateway.profiled("fast", "house", "test.reads");
        gateway.services.environment().add(source(), Map.of());
        turn();
        AgentRegistry.ModelPrompt shown =
                AgentPrompt.of(
                        gateway.services,
                        LightGateway.settings(),
                        gateway.agents.agent(gateway.agents.defaultAgentId()).orElseThrow(),
                        "user:alice");
        assertEquals(first(), new ModelMessage.System(shown.instructions()));
        assertEquals(model.requests().getLast().tools(), shown.tools());
        assertEquals(1, shown.tools().size());
    }

    @Test
    void anAgentWithoutInstructionsHasItAlone() {
        start(LightGateway.settings());
        gateway.offering("palyra.echo");
        gateway.services.environment().add(source(), Map.of());
        turn();
        assertTrue(first().text().startsWith("Where your tools work"), first().text());
    }

    @Test
    void whatDoesNotDescribeCostsTheDescriptionAlone() {
        start(LightGateway.settings());
        described = "";
        gateway.services.environment().add(source(), Map.of());
        assertEquals("", turn().systemPromptSha256());
        assertInstanceOf(ModelMessage.User.class, first());
    }

    @Test
    void itCanBeSwitchedOff() {
        EngineConfiguration off = LightGateway.defaults(EngineConfiguration.class);
        EngineSettings usual = EngineSettings.from(off);
        assertTrue(usual.asking().describesEnvironment());
        EngineSettings.Asking asking = usual.asking();
        start(
                new EngineSettings(
                        8,
                        1_000,
                        4,
                        8,
                        3,
                        1_500,
                        60_000,
                        60_000,
                        20,
                        1_000,
                        20,
                        64,
                        "scripted",
                        new EngineSettings.Asking(
                                asking.maxRetryAfterMillis(),
                                asking.reserveOutputTokens(),
                                asking.bytesPerToken(),
                                asking.currency(),
                                false)));
        gateway.services.environment().add(source(), Map.of());
        turn();
        assertEquals(List.of(new ModelMessage.User("hello")), model.requests().get(0).messages());
    }
}

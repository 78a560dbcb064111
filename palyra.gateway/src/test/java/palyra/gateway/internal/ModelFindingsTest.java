package palyra.gateway.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.ops.Finding;
import palyra.gateway.internal.engine.turn.ModelObstacle;
import palyra.gateway.internal.seam.ModelWaits;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.gateway.internal.settings.ModelSettings;

class ModelFindingsTest {
    private static final Set<String> PRESENT = Set.of("deterministic", "silent");

    private static final EngineSettings SETTINGS =
            new EngineSettings(
                    4,
                    100,
                    16,
                    24,
                    3,
                    30_000,
                    60_000,
                    60_000,
                    20,
                    10_000,
                    50,
                    1_024,
                    "deterministic");

    private static AgentView agent(String id, String provider) {
        return new AgentView(id, "", "", "", provider, "", List.of(), false, 0, 0);
    }

    private static Optional<String> obstacle(AgentView agent) {
        return ModelObstacle.of(agent, ModelSettings.NONE, SETTINGS, PRESENT::contains);
    }

    @Test
    void doctorNamesAnAgentWhoseProviderDoesNotExist() {
        assertEquals(Optional.empty(), obstacle(agent("plain", "")));
        assertEquals(Optional.empty(), obstacle(agent("quiet", "silent")));
        String sentence = obstacle(agent("lost", "ghost")).orElseThrow();
        assertTrue(
                sentence.startsWith("Agent 'lost' asks model provider 'ghost', which is not there"),
                sentence);
        assertEquals(
                List.of(sentence),
                ModelFindings.of(List.of(sentence), List.of(), PRESENT::contains).stream()
                        .map(Finding::message)
                        .toList());
    }

    @Test
    void doctorNamesAProviderThatIsAskedInVainOnce() {
        List<ModelWaits.Wait> waits =
                List.of(
                        new ModelWaits.Wait("r1", "silent", "silent has not begun to answer", 1),
                        new ModelWaits.Wait("r2", "silent", "silent has not begun to answer", 2),
                        new ModelWaits.Wait("r3", "ghost", "waiting for model provider ghost", 3));
        assertEquals(
                List.of(
                        "Model provider 'silent' does not answer, and 2 runs wait for it. Run r1:"
                                + " silent has not begun to answer"),
                ModelFindings.of(List.of(), waits, PRESENT::contains).stream()
                        .map(Finding::message)
                        .toList());
    }

    @Test
    void aRunThatGoesOnWaitsNoMore() {
        ModelWaits waits = new ModelWaits();
        waits.note("r1", "a", "first");
        long since = waits.all().get(0).sinceMillis();
        waits.note("r1", "a", "second");
        assertEquals(
                Map.of("second", since),
                Map.of(waits.all().get(0).sentence(), waits.all().get(0).sinceMillis()));
        waits.note("r1", "a", "");
        assertEquals(List.of(), waits.all());
    }
}

package palyra.gateway.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentView;

/** How many calls a run of an agent may propose. */
class CallsOfAgentTest {
    private static final EngineSettings SETTINGS =
            new EngineSettings(8, 10, 100, 8, 3, 0, 1_000, 1_000, 20, 1_000, 20, 64, "any");

    private static AgentView agent(int maxCalls) {
        return new AgentView(
                "builder", "", "", "", "", "", List.of(), false, 0, 0, "", "", "", maxCalls);
    }

    @Test
    void agentSaysItsOwnNumberWithinTheOperatorsBound() {
        assertEquals(100, SETTINGS.callsOf(agent(0)));
        assertEquals(7, SETTINGS.callsOf(agent(7)));
        assertEquals(500, SETTINGS.callsOf(agent(500)));
        assertEquals(SETTINGS.mostCallsPerRun(), SETTINGS.callsOf(agent(10_000)));
    }

    @Test
    void numberThatMakesNoSenseIsRefused() {
        assertThrows(PalyraException.class, () -> agent(-1));
        assertThrows(PalyraException.class, () -> agent(10_001));
    }
}

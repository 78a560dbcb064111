package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import palyra.itests.Wait;

/**
 * A call of the marker skill that an agent makes and that stays in its module until it is let go.
 */
final class Flight {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final CommandClient client;
    private final String runId;
    private final String gate;

    private Flight(CommandClient client, String runId, String gate) {
        this.client = client;
        this.runId = runId;
        this.gate = gate;
    }

    /** Has an agent call {@code wait}, which changes nothing; returns when the call was started. */
    static Flight quiet(CommandClient client, String agent, String gate) throws Exception {
        Flight flight = begin(client, agent, "wait", gate);
        flight.await("its start", tape -> tape.calls().stream().anyMatch(SkillTape.Call::started));
        return flight;
    }

    /** Has an agent call {@code mark_and_wait}; returns when the module has left its mark. */
    static Flight marking(CommandClient client, String agent, String gate) throws Exception {
        Flight flight = begin(client, agent, "mark_and_wait", gate);
        Wait.until(
                "the mark " + gate,
                PATIENCE,
                () -> MarkerSkill.marks(client, gate) == 1,
                flight::tapeText);
        return flight;
    }

    private static Flight begin(CommandClient client, String agent, String tool, String gate)
            throws IOException {
        String script =
                "#!palyra-script\n{\"turns\":[[{\"call\":{\"tool\":\""
                        + MarkerSkill.tool(tool)
                        + "\",\"input\":{\"text\":\""
                        + gate
                        + "\"}}}],[{\"say\":\"landed\"}]]}";
        String runId =
                client.runWith(
                                script,
                                "ask",
                                "--json",
                                "--background",
                                "--agent",
                                agent,
                                "--session",
                                gate,
                                "-")
                        .ok()
                        .json()
                        .path("runId")
                        .asText();
        return new Flight(client, runId, gate);
    }

    String runId() {
        return runId;
    }

    private interface Look {
        boolean at(SkillTape tape);
    }

    private void await(String what, Look look) throws Exception {
        Wait.until(
                what + " of the call at the gate " + gate,
                PATIENCE,
                () -> look.at(SkillTape.read(client, runId)),
                this::tapeText);
    }

    private String tapeText() {
        try {
            return SkillTape.read(client, runId).calls().toString();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Fails the test unless the call is still under way. */
    void isStillUnderWay() throws IOException {
        assertFalse("the call has ended: " + tapeText(), SkillTape.read(client, runId).ended());
    }

    /** Opens the gate and returns the call when its run has ended as a run must. */
    SkillTape.Call land() throws Exception {
        MarkerSkill.run(client, "open", "{\"text\":\"" + gate + "\"}").ok();
        return ended();
    }

    /** Returns the call when its run has ended as a run must, with the gate as it is. */
    SkillTape.Call ended() throws Exception {
        await("the end", SkillTape::ended);
        SkillTape tape = SkillTape.read(client, runId);
        assertEquals(List.of(), tape.breaches());
        assertEquals(1, tape.calls().size());
        return tape.calls().get(0);
    }
}

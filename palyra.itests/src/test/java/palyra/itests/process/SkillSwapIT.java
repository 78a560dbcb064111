package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import palyra.itests.OneTry;
import palyra.itests.crash.Audit;

/**
 * Agents call a skill without a pause while its runtime, its engine and its version are replaced:
 * every message is answered once, no call is lost or made twice, no answer comes from a version
 * that is not in use, and a call that is under way ends with the version that it began with.
 */
public class SkillSwapIT {
    private static final boolean FULL = Boolean.getBoolean("palyra.test.full");
    private static final int ROUNDS = FULL ? 20 : 2;
    private static final int SESSIONS = 4;
    private static final String RUNTIME = "palyra.skills";
    private static final String ENGINE = "palyra.skills.engine.endive";
    private static final String AGENT = "caller";

    /** Short calls end by themselves when the runtime goes, also on a machine that is very busy. */
    private static final List<String> GRACE =
            List.of("palyra.tools:drainMillis=30000", "palyra.skills.runtime:stopMillis=8000");

    @Rule public final OneTry once = new OneTry();

    private final Set<String> flights = new HashSet<>();
    private UnprivilegedGateway gateway;
    private CommandClient client;
    private MarkerSkill skill;

    @Before
    public void start() throws Exception {
        gateway =
                UnprivilegedGateway.install()
                        .up(
                                "--set",
                                UnprivilegedGateway.LET_THE_TEST_IN,
                                "--set",
                                "palyra.policy:disabledDefaults=sensitive_tools_need_approval",
                                "--set",
                                GRACE.get(0),
                                "--set",
                                GRACE.get(1));
        client = gateway.client();
        skill = new MarkerSkill(gateway);
        Path first = skill.version("1.0.0", "build-1", "Computes for");
        client.run("skills", "install", first.toString(), "--yes").ok();
        client.run("skills", "enable", MarkerSkill.ID, "--yes").ok();
        List<String> agent = new ArrayList<>(List.of("agents", "create", AGENT, "--test", "true"));
        for (String tool : List.of("stamp", "mark", "wait", "mark_and_wait")) {
            agent.addAll(List.of("--tool", MarkerSkill.tool(tool)));
        }
        client.run(agent.toArray(String[]::new)).ok();
    }

    @After
    public void stop() throws Exception {
        gateway.close();
    }

    @Test
    public void nothingIsLostWhileRuntimeEngineAndVersionAreReplaced() throws Exception {
        Path second = skill.version("2.0.0", "build-2", "Computes for");
        Path third = skill.version("3.0.0", "build-3", "Described otherwise: computes for");
        try (SkillLoad load = new SkillLoad(client, AGENT)) {
            load.mayAnswer("build-1");
            load.start(SESSIONS);
            load.awaitMore(2 * SESSIONS);
            for (int round = 1; round <= ROUNDS; round++) {
                gateway.swap(RUNTIME, round);
                goesOn(load);
                replaceTheEngine(load, round);
            }
            replaceTheRuntimeUnderALongCall(load);
            change(load, "1", "2", "skills", "update", second.toString(), "--yes");
            change(load, "2", "1", "skills", "rollback", MarkerSkill.ID);
            change(load, "1", "3", "skills", "update", third.toString(), "--yes");
            load.stop();
            allIsInOrder(load);
        }
    }

    /** A call that takes longer than the runtime's grace is told that it was interrupted. */
    private void replaceTheRuntimeUnderALongCall(SkillLoad load) throws Exception {
        Flight flight = flying(Flight.quiet(client, AGENT, "runtime"));
        gateway.swap(RUNTIME, ROUNDS + 1);
        SkillTape.Call call = flight.ended();
        assertEquals(call.toString(), "INTERRUPTED", call.outcome());
        goesOn(load);
    }

    /** A call that has changed nothing goes on, on the next engine. */
    private void replaceTheEngine(SkillLoad load, int round) throws Exception {
        Flight flight = flying(Flight.quiet(client, AGENT, "engine-" + round));
        gateway.swap(ENGINE, round);
        flight.isStillUnderWay();
        endsWith("build-1", flight.land());
        goesOn(load);
    }

    private Flight flying(Flight flight) {
        flights.add(flight.runId());
        return flight;
    }

    private static void endsWith(String build, SkillTape.Call call) throws Exception {
        assertEquals(call.toString(), "SUCCEEDED", call.outcome());
        assertEquals(call.toString(), build, call.answer().path("build").asText());
    }

    private static void goesOn(SkillLoad load) throws Exception {
        load.awaitMore(2 * SESSIONS);
        assertEquals(List.of(), load.breaches());
    }

    /** Changes the version with a call under way; new calls have the new one once it is told. */
    private void change(SkillLoad load, String from, String to, String... command)
            throws Exception {
        Flight flight = flying(Flight.marking(client, AGENT, "from-" + from + "-to-" + to));
        if (command[1].equals("rollback")) {
            load.mayAnswerOrBeRefused("build-" + from, "build-" + to);
        } else {
            load.mayAnswer("build-" + from, "build-" + to);
        }
        client.run(command).ok();
        load.mayAnswer("build-" + to);
        goesOn(load);
        flight.isStillUnderWay();
        endsWith("build-" + from, flight.land());
        assertEquals(List.of(), load.breaches());
    }

    private void allIsInOrder(SkillLoad load) throws Exception {
        assertEquals(List.of(), load.breaches());
        Map<String, Integer> seen = load.seen();
        System.out.println("SkillSwapIT: " + seen);
        Set<String> expected = new HashSet<>(load.runs());
        expected.addAll(flights);
        Set<String> runs =
                Audit.runs(client).stream()
                        .filter(run -> run.path("agent").asText().equals(AGENT)) // not by hand
                        .map(run -> run.path("run").asText())
                        .collect(Collectors.toSet());
        assertEquals("runs of the journal", expected, runs);
        long done =
                seen.entrySet().stream()
                        .filter(each -> each.getKey().startsWith("mark build-"))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
        long marks = MarkerSkill.marks(client, "m-");
        long unsure = seen.getOrDefault("mark INTERRUPTED", 0);
        assertTrue(marks + " marks, " + seen, marks >= done && marks <= done + unsure);
        client.run("tape", "verify", "--all").ok();
        client.run("doctor").ok();
    }
}

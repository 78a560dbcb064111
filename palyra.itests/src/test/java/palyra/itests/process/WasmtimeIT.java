package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Wait;

/**
 * wasmtime in the product: an operator trusts a skill for it, its calls run in a worker process,
 * the worker dies, and the bundle is replaced again and again.
 */
public class WasmtimeIT {
    private static final boolean FULL = Boolean.getBoolean("palyra.test.full");
    private static final int ROUNDS = FULL ? 20 : 2;
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String ENGINE = "palyra.skills.engine.wasmtime";
    private static final String AGENT = "caller";
    private static final String STAMP = "{\"text\":\"abc\",\"rounds\":5000}";

    private static UnprivilegedGateway gateway;
    private static CommandClient client;
    private static WasmtimeWorkers workers;

    @BeforeClass
    public static void start() throws Exception {
        gateway =
                UnprivilegedGateway.install()
                        .up(
                                "--set",
                                UnprivilegedGateway.LET_THE_TEST_IN,
                                "--set",
                                "palyra.policy:disabledDefaults=sensitive_tools_need_approval");
        client = gateway.client();
        workers = new WasmtimeWorkers(gateway);
        String artifact =
                new MarkerSkill(gateway).version("1.0.0", "build-1", "Computes for").toString();
        client.run("skills", "install", artifact, "--yes").ok();
        client.run("skills", "enable", MarkerSkill.ID, "--yes").ok();
        client.run(
                        "agents",
                        "create",
                        AGENT,
                        "--test",
                        "true",
                        "--tool",
                        MarkerSkill.tool("wait"),
                        "--tool",
                        MarkerSkill.tool("mark_and_wait"))
                .ok();
        Wait.until(
                "tier B to be proven",
                PATIENCE,
                () -> client.run("sandbox", "run", "--tier", "b", "--", "true").exit() == 0,
                () -> "see sandbox list");
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
    }

    @Before
    public void mark() throws Exception {
        client.run("skills", "trust", "mark", MarkerSkill.ID, "--engine", "wasmtime").ok();
    }

    private static JsonNode stamp(String... more) throws IOException {
        String[] argv = {
            "skills",
            "run",
            MarkerSkill.ID,
            "--tool",
            MarkerSkill.tool("stamp"),
            "--input",
            STAMP,
            "--json"
        };
        String[] all = Arrays.copyOf(argv, argv.length + more.length);
        System.arraycopy(more, 0, all, argv.length, more.length);
        return client.run(all).json();
    }

    private static void ranOn(String engine, JsonNode ran) throws IOException {
        assertEquals(ran.toString(), "SUCCEEDED", ran.path("outcome").asText());
        assertEquals(ran.toString(), engine, ran.path("executor").asText());
        JsonNode output = CommandClient.JSON.readTree(ran.path("output").asText());
        assertEquals(MarkerSkill.stamp("abc", 5_000), output.path("number").asLong());
    }

    /** What the worker's sandbox says of itself, beside what the engine says. */
    private static void namesEngineAndWorker(String enforcement) {
        assertTrue(enforcement, enforcement.startsWith("strict tier=a "));
        for (String fact :
                List.of(" engine=wasmtime/", " process=worker", " worker_tier=b", " seccomp=")) {
            assertTrue(enforcement, enforcement.contains(fact));
        }
    }

    @Test
    public void aTrustedSkillRunsInAWorkerAsItRunsOnEndive() throws Exception {
        JsonNode wasmtime = stamp();
        ranOn("wasmtime", wasmtime);
        namesEngineAndWorker(wasmtime.path("enforcement").asText());
        assertEquals(1, workers.alive().size());
        assertEquals(List.of(), workers.mappedByTheGateway());
        JsonNode endive = stamp("--engine", "endive");
        ranOn("endive", endive);
        assertTrue(endive.path("fuelUsed").asLong() > 5_000);
        assertEquals(endive.path("fuelUsed"), wasmtime.path("fuelUsed"));
        assertEquals(endive.path("peakMemoryBytes"), wasmtime.path("peakMemoryBytes"));
        client.run("skills", "trust", "unmark", MarkerSkill.ID).ok();
        ranOn("endive", stamp());
        CommandClient.Result refused =
                client.run(
                        "skills",
                        "run",
                        MarkerSkill.ID,
                        "--tool",
                        MarkerSkill.tool("stamp"),
                        "--input",
                        STAMP,
                        "--engine",
                        "wasmtime");
        refused.exits(77);
        assertTrue(refused.toString(), refused.toString().contains("trusted"));
    }

    @Test
    public void theTapeAndTheDoctorNameTheEngineAndWhatConfinesIt() throws Exception {
        Flight flight = Flight.marking(client, AGENT, "attested");
        SkillTape.Call call = flight.land();
        assertEquals(call.toString(), "SUCCEEDED", call.outcome());
        assertEquals("wasmtime", call.executor());
        namesEngineAndWorker(call.enforcement());
        client.run("tape", "verify", flight.runId()).ok();
        Wait.until(
                "doctor to say where the skill runs",
                PATIENCE,
                () -> {
                    String said = doctor();
                    return said.contains(MarkerSkill.ID + "@1.0.0 runs on the engine wasmtime")
                            && said.matches(
                                    "(?s).*wasmtime [0-9.]+ in a process of its own, under"
                                            + " tier=b [^\n]*seccomp=.*");
                },
                WasmtimeIT::doctor);
    }

    private static String doctor() {
        try {
            return client.run("doctor").ok().out();
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    public void aWorkerThatIsKilledCostsTheCallThatHadBegunToChangeSomething() throws Exception {
        Flight flight = Flight.marking(client, AGENT, "killed");
        ProcessHandle worker = workers.one();
        WasmtimeWorkers.kill(worker);
        SkillTape.Call call = flight.ended();
        assertEquals(call.toString(), "INTERRUPTED", call.outcome());
        assertTrue(call.error(), call.error().contains("worker died with this call in it"));
        assertTrue(call.error(), call.error().contains("had begun to change something"));
        assertEquals(1, MarkerSkill.marks(client, "killed"));
        ranOn("wasmtime", stamp());
        assertNotEquals(worker.pid(), workers.one().pid());
        client.run("tape", "verify", flight.runId()).ok();
    }

    @Test
    public void aCallThatChangedNothingOutlivesOneWorkerButDoesNotKillOneAfterTheOther()
            throws Exception {
        ranOn("wasmtime", stamp());
        Flight lucky = inside("lucky");
        WasmtimeWorkers.kill(workers.one());
        lucky.isStillUnderWay();
        SkillTape.Call landed = lucky.land();
        assertEquals(landed.toString(), "SUCCEEDED", landed.outcome());
        assertEquals("wasmtime", landed.executor());
        Flight unlucky = inside("unlucky");
        SkillTape.Call ended = killEveryWorkerUntilItEnds(unlucky);
        assertEquals(ended.toString(), "INTERRUPTED", ended.outcome());
        assertTrue(ended.error(), ended.error().contains("The wasmtime worker di"));
        ranOn("wasmtime", stamp());
    }

    /** It changes nothing, so that only time tells that it is in the worker. */
    private static Flight inside(String gate) throws Exception {
        Flight flight = Flight.quiet(client, AGENT, gate);
        Wait.until(
                "a call on wasmtime",
                PATIENCE,
                () -> gateway.metric("palyra_wasm_calls_running", "wasmtime") == 1,
                () -> workers.alive().toString());
        return flight;
    }

    private static SkillTape.Call killEveryWorkerUntilItEnds(Flight flight) throws Exception {
        Wait.until(
                "the call to be given up",
                PATIENCE,
                () -> {
                    for (ProcessHandle worker : workers.alive()) {
                        WasmtimeWorkers.kill(worker);
                    }
                    return SkillTape.read(client, flight.runId()).ended();
                },
                () -> "it goes on");
        return flight.ended();
    }

    @Test
    public void replacingTheBundleLeavesNothingBehind() throws Exception {
        for (int round = 1; round <= 2; round++) {
            replaced(round);
        }
        Belongings before = Belongings.of(gateway.pid());
        for (int round = 3; round <= 2 + ROUNDS; round++) {
            replaced(round);
        }
        nothingStays(before);
        client.run("doctor").ok();
    }

    /** One worker, one copy of its library, and none of it in the gateway. */
    private static void replaced(int round) throws Exception {
        gateway.swap(ENGINE, round);
        ranOn("wasmtime", stamp());
        workers.one();
        assertEquals(workers.libraries().toString(), 1, workers.libraries().size());
        assertEquals(List.of(), workers.mappedByTheGateway());
    }

    private static void nothingStays(Belongings before) throws Exception {
        List<List<String>> last = new ArrayList<>(List.of(List.of("not looked")));
        Wait.until(
                "what the old bundles held to be gone",
                PATIENCE,
                () -> {
                    last.set(0, Belongings.of(gateway.pid()).moreThan(before));
                    return last.get(0).isEmpty();
                },
                () -> String.join("\n", last.get(0)));
        assertFalse(workers.alive().isEmpty());
    }
}

package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Dist;
import palyra.itests.Wait;

/**
 * Forty tasks of coding agents, as the profile coding has them: nothing is asked, and each leaves
 * the files, and tells the model, what it should. Then a kill of the gateway, a cancellation and a
 * swap in the middle of one.
 */
public class AgentTasksIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final boolean FULL = Boolean.getBoolean("palyra.test.full");

    private static UnprivilegedGateway gateway;
    private static AgentTaskRunner runner;

    @BeforeClass
    public static void start() throws Exception {
        gateway = UnprivilegedGateway.install();
        runner = new AgentTaskRunner(gateway);
        up();
    }

    private static void up() throws Exception {
        gateway.up(
                "--set",
                UnprivilegedGateway.LET_THE_TEST_IN,
                "--set",
                "palyra.sandbox:graceMillis=500");
        Wait.until(
                "tier C to be proven",
                PATIENCE,
                () ->
                        gateway.client().run("sandbox", "run", "--tier", "c", "--", "true").exit()
                                == 0,
                () -> "");
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
    }

    @Test
    public void tasksInTierC() throws Exception {
        List<AgentTask> all =
                Stream.of(AgentTasks.anywhere(), AgentTasks.git(), AgentTasks.sessions())
                        .flatMap(List::stream)
                        .toList();
        assertTrue("there are " + all.size() + " tasks", all.size() >= 40);
        runner.all(all, "coding", "C");
        runner.done(AgentTask.task("held").works("echo held > ~/held"), "coding", "C");
        Wait.until(
                "the bytes of open sandboxes to be counted",
                PATIENCE,
                () ->
                        sessions().path("open").asInt() > 0
                                && sessions().path("heldBytes").asLong() > 0,
                () -> "");
    }

    private static JsonNode sessions() throws Exception {
        return gateway.client().run("status", "--json").json().path("sandboxSessions");
    }

    @Test
    public void aKilledGatewayLeavesAWorkspaceThatTheNextOneCleans() throws Exception {
        String agent = runner.agent("coding");
        AgentTask task =
                AgentTask.task("killed")
                        .works(
                                "git init -q . && echo x > a && sleep 5731 >/dev/null 2>&1 & echo up")
                        .shell("echo begun > begun; sleep 5732");
        String runId =
                gateway.runWith(
                                task.script(),
                                "ask",
                                "--background",
                                "--new",
                                "--agent",
                                agent,
                                "-")
                        .ok()
                        .out()
                        .strip();
        Path workspace = gateway.workspace(agent);
        Wait.until(
                "the second call to run",
                PATIENCE,
                () -> Files.exists(workspace.resolve("begun")),
                () -> "");
        gateway.kill();
        Wait.until("its processes to be gone", PATIENCE, () -> sleepers() == 0, () -> "");
        up();
        runner.nothingShows(agent);
        try (Stream<Path> left = Files.list(gateway.own().resolve("state-workspaces/.sessions"))) {
            assertEquals(List.of(), left.toList());
        }
        Wait.until(
                "the run to have an end",
                PATIENCE,
                () ->
                        gateway.client()
                                .run("run", "show", runId, "--json")
                                .json()
                                .path("state")
                                .asText()
                                .matches("SUCCEEDED|FAILED|CANCELLED"),
                () -> "");
        gateway.client().run("tape", "verify", runId).ok();
    }

    private static long sleepers() {
        return ProcessHandle.allProcesses()
                .filter(one -> one.info().commandLine().orElse("").matches(".*sleep 573[12]"))
                .count();
    }

    @Test
    public void aSwapEndsTheSandboxOfASessionAndTheNextCallHasANewOne() throws Exception {
        String agent = runner.agent("coding");
        AgentTask before =
                AgentTask.task("before").works("echo kept > /tmp/k; sleep 5733 >/dev/null 2>&1 &");
        AgentTask after =
                AgentTask.task("after")
                        .says("cat /tmp/k 2>/dev/null; pgrep -fc '^sleep 5733'; :", "0");
        String session = session(agent, before, "");
        for (int round = 1; round <= (FULL ? 5 : 1); round++) {
            Path jar =
                    RebuiltBundle.write(
                            Dist.bundle("palyra.sandbox.tierc.linux"),
                            gateway.folder().resolve("tierc-tasks.jar"),
                            Map.of("Palyra-Round", "tasks-" + round),
                            entry -> false);
            gateway.client().run("swap", "palyra.sandbox.tierc.linux", jar.toString()).ok();
            session(agent, after, session);
        }
        runner.nothingShows(agent);
    }

    private static String session(String agent, AgentTask task, String session) throws Exception {
        List<String> words = new ArrayList<>(List.of("ask", "--json", "--agent", agent));
        words.addAll(session.isEmpty() ? List.of("--new") : List.of("--session", session));
        words.add("-");
        JsonNode run = gateway.runWith(task.script(), words.toArray(String[]::new)).ok().json();
        task.verify(
                new AgentTask.Done(
                        runner.records(run.path("runId").asText(), "tool_call_output"),
                        gateway.workspace(agent)));
        return run.path("sessionId").asText();
    }

    @Test
    public void aCancelledRunTakesItsCommandAlongAndTheSessionGoesOn() throws Exception {
        String agent = runner.agent("coding");
        AgentTask task =
                AgentTask.task("cancelled").shell("echo begun > begun; sleep 5734 & sleep 5734");
        String runId =
                gateway.runWith(
                                task.script(),
                                "ask",
                                "--background",
                                "--new",
                                "--agent",
                                agent,
                                "-")
                        .ok()
                        .out()
                        .strip();
        Wait.until(
                "the call to run",
                PATIENCE,
                () -> Files.exists(gateway.workspace(agent).resolve("begun")),
                () -> "");
        gateway.client().run("run", "cancel", runId).ok();
        Wait.until(
                "its processes to be gone",
                PATIENCE,
                () ->
                        ProcessHandle.allProcesses()
                                .noneMatch(
                                        one ->
                                                one.info()
                                                        .commandLine()
                                                        .orElse("")
                                                        .endsWith("sleep 5734")),
                () -> "");
        runner.nothingShows(agent);
    }
}

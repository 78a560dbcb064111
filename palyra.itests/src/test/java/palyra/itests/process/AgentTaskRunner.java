package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import palyra.itests.Wait;

/**
 * Has agents do tasks, each a new agent with a workspace of its own, and looks at what came of it.
 */
final class AgentTaskRunner {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final String[] TOOLS = {
        "palyra.process.shell",
        "palyra.process.run",
        "palyra.process.status",
        "palyra.process.stop",
        "palyra.fs.write_file",
        "palyra.fs.edit_file",
        "palyra.fs.read_file",
        "palyra.fs.apply_patch"
    };

    private final UnprivilegedGateway gateway;
    private int agents;

    AgentTaskRunner(UnprivilegedGateway gateway) {
        this.gateway = gateway;
    }

    /** Has all done, and tells all that failed. */
    void all(List<AgentTask> tasks, String profile, String tier) throws Exception {
        List<String> failed = new ArrayList<>();
        for (AgentTask task : tasks) {
            try {
                done(task, profile, tier);
            } catch (AssertionError e) {
                failed.add(e.getMessage());
            }
        }
        assertTrue(String.join("\n", failed), failed.isEmpty());
    }

    String agent(String profile) throws Exception {
        String name = "worker-" + ++agents;
        List<String> words =
                new ArrayList<>(
                        List.of("agents", "create", name, "--test", "true", "--profile", profile));
        for (String tool : TOOLS) {
            words.add("--tool");
            words.add(tool);
        }
        gateway.client().run(words.toArray(String[]::new)).ok();
        return name;
    }

    void done(AgentTask task, String profile, String tier) throws Exception {
        String agent = agent(profile);
        JsonNode run =
                gateway.client()
                        .runWith(task.script(), "ask", "--json", "--new", "--agent", agent, "-")
                        .ok()
                        .json();
        String runId = run.path("runId").asText();
        assertEquals(task.name() + " " + run, "SUCCEEDED", run.path("state").asText());
        for (JsonNode decision : records(runId, "tool_decision")) {
            assertEquals(task.name() + " " + decision, "ALLOW", decision.path("verdict").asText());
            if (decision.path("tool").asText().startsWith("palyra.process.shell")) {
                assertEquals(task.name() + " " + decision, tier, decision.path("tier").asText());
            }
        }
        assertEquals(task.name(), List.of(), records(runId, "approval_request"));
        task.verify(
                new AgentTask.Done(records(runId, "tool_call_output"), gateway.workspace(agent)));
        if (task.isOver()) {
            nothingShows(agent);
        }
    }

    /** What protects a workspace leaves nothing in it. */
    void nothingShows(String agent) throws Exception {
        for (String name : List.of(".vscode", ".idea", ".mcp.json", ".bashrc", ".gitconfig")) {
            Wait.until(
                    name + " to be gone",
                    PATIENCE,
                    () -> !Files.exists(gateway.workspace(agent).resolve(name)),
                    () -> "");
        }
    }

    List<JsonNode> records(String runId, String type) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode record : gateway.client().run("tape", "show", runId, "--json").ok().lines()) {
            if (record.path("type").asText().equals(type)) {
                found.add(record.path("content"));
            }
        }
        return found;
    }
}

package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Wait;

/**
 * An agent with the profile coding works in a repository: nothing is asked inside its sandbox, git
 * works, and what would run code outside is undone. What reaches beyond is asked, and another
 * profile counts from the next call on.
 */
public class CodingIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final ObjectMapper JSON = new ObjectMapper();

    private static UnprivilegedGateway gateway;

    @BeforeClass
    public static void start() throws Exception {
        gateway = UnprivilegedGateway.install();
        Path project = project();
        Files.createDirectories(project.resolve(".vscode"));
        Files.writeString(project.resolve(".vscode/settings.json"), "{}");
        Process chown =
                new ProcessBuilder(
                                "chown", "-R", "--reference=" + gateway.own(), project.toString())
                        .inheritIO()
                        .start();
        assertEquals(0, chown.waitFor());
        gateway.up("--set", "palyra.sandbox:agentWorkspaces=guest=" + project);
        for (String agent : List.of("builder", "switched", "guest")) {
            gateway.run(
                            "agents",
                            "create",
                            agent,
                            "--test",
                            "true",
                            "--profile",
                            "coding",
                            "--tool",
                            "palyra.process.run",
                            "--tool",
                            "palyra.fs.apply_patch",
                            "--tool",
                            "palyra.fs.read_file")
                    .ok();
        }
        Wait.until(
                "tier C to be proven",
                PATIENCE,
                () -> gateway.run("sandbox", "run", "--tier", "c", "--", "true").exit() == 0,
                () -> "");
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
    }

    /** Returns a folder of a person that an agent works in. */
    private static Path project() {
        return gateway.own().resolve("project");
    }

    private static ObjectNode run(String command, String... arguments) {
        ObjectNode call = JSON.createObjectNode();
        call.put("tool", "palyra.process.run");
        ObjectNode input = call.putObject("input");
        input.put("command", command);
        ArrayNode words = input.putArray("args");
        for (String argument : arguments) {
            words.add(argument);
        }
        return call;
    }

    /** Returns a message that makes the deterministic model propose these calls one by one. */
    private static String proposing(List<ObjectNode> calls) {
        ObjectNode script = JSON.createObjectNode();
        ArrayNode turns = script.putArray("turns");
        calls.forEach(call -> turns.addArray().addObject().set("call", call));
        turns.addArray().addObject().put("say", "done");
        return "#!palyra-script\n" + script;
    }

    private static List<JsonNode> tape(String runId) throws Exception {
        return gateway.run("tape", "show", runId, "--json").ok().lines();
    }

    private static List<JsonNode> records(String runId, String type) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode record : tape(runId)) {
            if (record.path("type").asText().equals(type)) {
                found.add(record.path("content"));
            }
        }
        return found;
    }

    private static String ask(String agent, List<ObjectNode> calls) throws Exception {
        return gateway.runWith(proposing(calls), "ask", "--json", "--agent", agent, "-")
                .ok()
                .json()
                .path("runId")
                .asText();
    }

    @Test
    public void aTaskInARepositoryAsksNothingAndGitWorks() throws Exception {
        List<ObjectNode> calls =
                List.of(
                        run("git", "init", "-q", "."),
                        run("bash", "-c", "printf 'all:\\n\\techo built > out\\n' > Makefile"),
                        run("git", "config", "commit.template", "x"),
                        run("git", "remote", "add", "origin", "https://example.com/a.git"),
                        run("git", "add", "-A"),
                        run("git", "commit", "-qm", "first"),
                        run("git", "checkout", "-q", "-b", "topic"),
                        run("make", "X=/tmp/o"),
                        run("bash", "-c", "X=/tmp/o; echo https://example.com/x > $X; cat $X out"),
                        run("git", "commit", "-q", "--allow-empty", "-m", "second"),
                        run("git", "rebase", "-q", "main"),
                        run("git", "grep", "/api/v1"),
                        run("git", "config", "core.fsmonitor", "/tmp/evil"),
                        run("git", "log", "--format=%s by %ae"));
        String runId = ask("builder", calls);
        for (JsonNode decision : records(runId, "tool_decision")) {
            assertEquals(decision.toString(), "ALLOW", decision.path("verdict").asText());
            assertEquals(decision.toString(), "C", decision.path("tier").asText());
            assertEquals(decision.toString(), "STRICT", decision.path("egress").asText());
        }
        List<JsonNode> outputs = records(runId, "tool_call_output");
        assertEquals(calls.size(), outputs.size());
        String last = outputs.getLast().toString();
        assertTrue(last, last.contains("first by builder@agents.invalid"));
        assertTrue(last, last.contains("second by builder@agents.invalid"));
        assertTrue(outputs.get(8).toString(), outputs.get(8).toString().contains("built"));
        String undone = outputs.get(12).toString();
        assertTrue(
                undone, undone.contains("core.fsmonitor in .git/config was made by the command"));
        JsonNode attested = records(runId, "tool_attestation").get(12);
        assertTrue(attested.toString(), attested.toString().contains("git=undone:1"));
        Path config = gateway.workspace("builder").resolve(".git/config");
        assertFalse(Files.readString(config).contains("fsmonitor"));
        assertTrue(Files.readString(config).contains("example.com/a.git"));
        assertFalse("templates are not plain", Files.readString(config).contains("template"));
        gateway.run("tape", "verify", runId).ok();
    }

    private static String question(String runId) throws Exception {
        JsonNode all = gateway.run("approvals", "list", "--run", runId, "--json").json();
        return all.isArray() && !all.isEmpty() ? all.get(0).path("approval").asText() : "";
    }

    private static String awaitQuestion(String runId, String but) throws Exception {
        Wait.until(
                "a question of run " + runId,
                PATIENCE,
                () -> !question(runId).isEmpty() && !question(runId).equals(but),
                () -> "");
        return question(runId);
    }

    private static void awaitEnd(String runId) throws Exception {
        Wait.until(
                "the run to end",
                PATIENCE,
                () ->
                        gateway.run("run", "show", runId, "--json")
                                .json()
                                .path("state")
                                .asText()
                                .matches("SUCCEEDED|FAILED|CANCELLED"),
                () -> "");
    }

    @Test
    public void hostsAreAskedAndAnotherProfileCountsFromTheNextCallOn() throws Exception {
        ObjectNode reaching = run("true");
        ((ObjectNode) reaching.path("input")).putArray("hosts").add("example.com");
        String runId =
                gateway.runWith(
                                proposing(List.of(run("ls"), reaching, run("ls"))),
                                "ask",
                                "--background",
                                "--agent",
                                "switched",
                                "-")
                        .ok()
                        .out()
                        .strip();
        String first = awaitQuestion(runId, "");
        List<JsonNode> decisions = records(runId, "tool_decision");
        assertEquals("ALLOW", decisions.get(0).path("verdict").asText());
        gateway.run("agents", "update", "switched", "--profile", "locked").ok();
        gateway.run("approvals", "decide", first, "--allow").ok();
        String second = awaitQuestion(runId, first);
        gateway.run("approvals", "decide", second, "--deny").ok();
        awaitEnd(runId);
        assertEquals(
                "locked",
                gateway.run("agents", "show", "switched", "--json")
                        .json()
                        .path("profile")
                        .asText());
    }

    /** What exists is held, what is new is set aside, and a person's yes lets one command write. */
    @Test
    public void protectedNamesInAPersonsWorkspaceChangeWithThePersonsYesAlone() throws Exception {
        ObjectNode moving = run("mv", ".idea.quarantined", ".idea");
        ((ObjectNode) moving.path("input")).putArray("protected_paths").add(".idea");
        String runId =
                gateway.runWith(
                                proposing(
                                        List.of(
                                                run(
                                                        "bash",
                                                        "-c",
                                                        "echo evil > .vscode/settings.json"),
                                                run(
                                                        "bash",
                                                        "-c",
                                                        "mkdir .idea; echo evil > .idea/run.xml"),
                                                moving,
                                                run(
                                                        "bash",
                                                        "-c",
                                                        "echo more > .idea/run.xml || cat .idea/run.xml"))),
                                "ask",
                                "--background",
                                "--agent",
                                "guest",
                                "-")
                        .ok()
                        .out()
                        .strip();
        String asked = awaitQuestion(runId, "");
        List<JsonNode> outputs = records(runId, "tool_call_output");
        assertEquals(2, outputs.size());
        assertTrue(outputs.get(0).toString(), outputs.get(0).toString().contains("Read-only"));
        assertTrue(
                outputs.get(1).toString(),
                outputs.get(1).toString().contains("is now at .idea.quarantined"));
        assertEquals("{}", Files.readString(project().resolve(".vscode/settings.json")));
        assertFalse(Files.exists(project().resolve(".idea")));
        String question = gateway.run("approvals", "show", asked).ok().out();
        assertTrue(question, question.contains(".idea"));
        gateway.run("approvals", "decide", asked, "--allow").ok();
        awaitEnd(runId);
        outputs = records(runId, "tool_call_output");
        assertEquals("evil\n", Files.readString(project().resolve(".idea/run.xml")));
        assertTrue(outputs.get(3).toString(), outputs.get(3).toString().contains("Read-only"));
        gateway.run("tape", "verify", runId).ok();
    }
}

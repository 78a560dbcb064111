package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** An agent writes, edits and reads files of its workspace in a run of the product itself. */
public class FileToolsIT {
    private static final String WRITE = "palyra.fs.write_file";
    private static final String EDIT = "palyra.fs.edit_file";
    private static final String READ = "palyra.fs.read_file";

    private static UnprivilegedGateway gateway;

    @BeforeClass
    public static void start() throws Exception {
        gateway =
                UnprivilegedGateway.install()
                        .up(
                                "--set",
                                "palyra.policy:disabledDefaults=sensitive_tools_need_approval");
        List<String> create =
                new ArrayList<>(List.of("agents", "create", "writer", "--test", "true"));
        for (String tool : List.of(WRITE, EDIT, READ)) {
            create.addAll(List.of("--tool", tool));
        }
        gateway.run(create.toArray(String[]::new)).ok();
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
    }

    private static ObjectNode input(String... fields) {
        ObjectNode input = CommandClient.JSON.createObjectNode();
        for (int i = 0; i < fields.length; i += 2) {
            input.put(fields[i], fields[i + 1]);
        }
        return input;
    }

    /** Adds a turn with one call. */
    private static void call(ArrayNode turns, String tool, ObjectNode input) {
        turns.addArray().addObject().putObject("call").put("tool", tool).set("input", input);
    }

    /** Runs a script and returns its tape. */
    private static List<JsonNode> tape(ArrayNode turns) throws Exception {
        turns.addArray().addObject().put("say", "done");
        String script =
                "#!palyra-script\n" + CommandClient.JSON.createObjectNode().set("turns", turns);
        JsonNode asked =
                gateway.runWith(script, "ask", "--json", "--agent", "writer", "-").ok().json();
        String runId = asked.path("runId").asText();
        gateway.run("tape", "verify", runId).ok();
        return gateway.run("tape", "show", runId, "--json").ok().lines();
    }

    private static List<JsonNode> records(List<JsonNode> tape, String type) {
        return tape.stream()
                .filter(record -> record.path("type").asText().equals(type))
                .map(record -> record.path("content"))
                .toList();
    }

    private static JsonNode output(JsonNode record) throws Exception {
        assertEquals(record.toString(), "SUCCEEDED", record.path("outcome").asText());
        return CommandClient.JSON.readTree(record.path("outputJson").asText());
    }

    @Test
    public void anAgentWritesEditsAndReadsAFile() throws Exception {
        ArrayNode turns = CommandClient.JSON.createArrayNode();
        String content = "a = 1\nb = 2\nb = 2\n" + "# more\n".repeat(100) + "last\n";
        call(turns, WRITE, input("path", "src/deep/app.py", "content", content));
        call(turns, EDIT, input("path", "src/deep/app.py", "old", "b = 2", "new", "b = 3"));
        call(
                turns,
                EDIT,
                input("path", "src/deep/app.py", "old", "b = 2", "new", "b = 3").put("count", 2));
        call(turns, READ, input("file_path", "src/deep/app.py", "from", "-2", "lnes", "1"));
        call(turns, READ, input("path", "src/deep/app.py").put("from", 2).put("lines", 2));
        List<JsonNode> tape = tape(turns);
        List<JsonNode> outputs = records(tape, "tool_call_output");
        assertEquals(tape.toString(), 5, outputs.size());
        assertEquals("created", output(outputs.get(0)).path("change").asText());
        assertEquals("FAILED", outputs.get(1).path("outcome").asText());
        String error = outputs.get(1).path("error").asText();
        assertTrue(error, error.contains("found 2 times") && error.contains("at lines 2, 3"));
        JsonNode edited = output(outputs.get(2));
        assertTrue(edited.toString(), edited.path("diff").asText().contains("-b = 2\n-b = 2\n+b"));
        JsonNode tail = output(outputs.get(3));
        assertEquals("# more\nlast\n", tail.path("content").asText());
        assertTrue(tail.toString(), tail.path("note").asText().contains("did you mean 'lines'"));
        JsonNode range = output(outputs.get(4));
        assertEquals("b = 3\nb = 3\n", range.path("content").asText());
        assertEquals(4, range.path("next_from").asInt());
        assertEquals(104, range.path("total_lines").asInt());
        for (JsonNode attestation : records(tape, "tool_attestation")) {
            assertEquals("builtin", attestation.path("executor").asText());
            assertTrue(
                    attestation.toString(),
                    attestation.toString().contains("fs=beneath-workspace"));
        }
    }

    @Test
    public void whatIsProtectedOrOutsideIsRefusedBeforeItIsDecided() throws Exception {
        Path workspace = gateway.workspace("writer");
        ArrayNode turns = CommandClient.JSON.createArrayNode();
        String secret = gateway.state().resolve("bootstrap-token").toString();
        call(turns, WRITE, input("path", ".Git/hooks/pre-commit", "content", "evil"));
        call(turns, READ, input("path", secret));
        call(turns, EDIT, input("path", "../other/f", "old", "a", "new", "b"));
        call(turns, WRITE, input("path", "harmless", "content", "control"));
        List<JsonNode> tape = tape(turns);
        List<JsonNode> decisions = records(tape, "tool_decision");
        List<String> verdicts =
                decisions.stream().map(decision -> decision.path("verdict").asText()).toList();
        assertEquals(tape.toString(), List.of("DENY", "DENY", "DENY", "ALLOW"), verdicts);
        assertEquals("control", Files.readString(workspace.resolve("harmless")));
        assertFalse(Files.exists(workspace.resolve(".Git")));
    }
}

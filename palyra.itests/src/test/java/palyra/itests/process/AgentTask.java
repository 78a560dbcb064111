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
import java.util.ArrayList;
import java.util.List;

/** One task as an agent does it: calls of tools, and what is to come of them. */
final class AgentTask {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Looks at what came of a task. */
    interface Check {
        void of(Done done) throws Exception;
    }

    /**
     * What came of a task.
     *
     * @param outputs the results of its calls as they are on the tape, in order
     */
    record Done(List<JsonNode> outputs, Path workspace) {
        /** Returns what the model was told by a call, result and error. */
        String told(int call) {
            return outputs.get(call).path("outputJson").asText()
                    + outputs.get(call).path("error").asText();
        }

        JsonNode result(int call) throws Exception {
            return JSON.readTree(outputs.get(call).path("outputJson").asText());
        }
    }

    private final String name;
    private final List<ObjectNode> calls = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();

    private boolean leavesRunning;

    private AgentTask(String name) {
        this.name = name;
    }

    static AgentTask task(String name) {
        return new AgentTask(name);
    }

    String name() {
        return name;
    }

    /** Adds a call of a tool; the input is JSON with ' in place of ". */
    AgentTask call(String tool, String input) {
        try {
            return call(tool, (ObjectNode) JSON.readTree(input.replace('\'', '"')));
        } catch (java.io.IOException e) {
            throw new IllegalArgumentException(input, e);
        }
    }

    private AgentTask call(String tool, ObjectNode input) {
        ObjectNode call = JSON.createObjectNode().put("tool", tool);
        call.set("input", input);
        calls.add(call);
        return this;
    }

    /** Adds a line of shell. */
    AgentTask shell(String line) {
        return call("palyra.process.shell", JSON.createObjectNode().put("command", line));
    }

    /** Adds a line of shell that is to end with 0. */
    AgentTask works(String line) {
        int at = calls.size();
        checks.add(
                done ->
                        assertEquals(
                                done.told(at), 0, done.result(at).path("exit_code").asInt(-1)));
        return shell(line);
    }

    /** Adds a line of shell that is to end with 0 and to write exactly this. */
    AgentTask says(String line, String output) {
        int at = calls.size();
        works(line);
        checks.add(
                done ->
                        assertEquals(
                                done.told(at),
                                output,
                                done.result(at).path("stdout").asText().strip()));
        return this;
    }

    /** The last call is to tell this. */
    AgentTask tells(String... parts) {
        int at = calls.size() - 1;
        for (String part : parts) {
            checks.add(
                    done ->
                            assertTrue(
                                    part + " in " + done.told(at), done.told(at).contains(part)));
        }
        return this;
    }

    /** The last call is not to tell this. */
    AgentTask doesNotTell(String part) {
        int at = calls.size() - 1;
        checks.add(done -> assertFalse(done.told(at), done.told(at).contains(part)));
        return this;
    }

    /** A file is to have this content in the end. */
    AgentTask leaves(String path, String content) {
        checks.add(done -> assertEquals(content, Files.readString(done.workspace().resolve(path))));
        return this;
    }

    AgentTask leavesNo(String path) {
        checks.add(done -> assertFalse(path, Files.exists(done.workspace().resolve(path))));
        return this;
    }

    /** Processes of it go on, and with them what protects the workspace. */
    AgentTask leavesRunning() {
        leavesRunning = true;
        return this;
    }

    boolean isOver() {
        return !leavesRunning;
    }

    AgentTask check(Check check) {
        checks.add(check);
        return this;
    }

    /** Returns the message that makes the deterministic model propose the calls one by one. */
    String script() {
        ObjectNode script = JSON.createObjectNode();
        ArrayNode turns = script.putArray("turns");
        calls.forEach(call -> turns.addArray().addObject().set("call", call));
        turns.addArray().addObject().put("say", "done");
        return "#!palyra-script\n" + script;
    }

    void verify(Done done) throws Exception {
        assertEquals(name + ": every call has a result", calls.size(), done.outputs().size());
        for (Check check : checks) {
            try {
                check.of(done);
            } catch (AssertionError e) {
                throw new AssertionError(name + ": " + e.getMessage(), e);
            }
        }
    }
}

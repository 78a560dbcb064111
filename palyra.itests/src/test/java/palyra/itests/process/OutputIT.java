package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Wait;

/** What an agent gets of the output of its commands, whatever becomes of them. */
public class OutputIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String RUN = "palyra.process.run";
    private static final String[] SETTINGS = {
        "--set",
                "palyra.policy:disabledDefaults=sensitive_tools_need_approval,"
                        + "commands_that_run_others_need_approval_each_time",
        "--set", "palyra.sandbox:allowInterpreters=true",
        "--set", "palyra.sandbox:outputFileBytes=2000000"
    };

    private static UnprivilegedGateway gateway;

    @BeforeClass
    public static void start() throws Exception {
        gateway = UnprivilegedGateway.install().up(SETTINGS);
        gateway.run(
                        "agents",
                        "create",
                        "coder",
                        "--test",
                        "true",
                        "--max-calls",
                        "200",
                        "--tool",
                        RUN,
                        "--tool",
                        "palyra.process.shell",
                        "--tool",
                        "palyra.process.start",
                        "--tool",
                        "palyra.process.status",
                        "--tool",
                        "palyra.process.stop",
                        "--tool",
                        "palyra.fs.read_file",
                        "--tool",
                        "palyra.fs.search")
                .ok();
        Path policies = Files.createDirectory(gateway.folder().resolve("policies"));
        Files.writeString(
                policies.resolve("coder.cedar"),
                """
                @id("the_coder_runs_any_program")
                @allow_interpreters("true")
                permit (
                  principal in Group::"operator",
                  action == Action::"tool.execute",
                  resource
                )
                when { context.agent == Agent::"coder" };
                """);
        gateway.run("policy", "apply", policies.toString()).ok();
        proven();
    }

    private static void proven() throws Exception {
        for (String tier : List.of("b", "c")) {
            Wait.until(
                    "tier " + tier + " to be proven",
                    PATIENCE,
                    () -> gateway.run("sandbox", "run", "--tier", tier, "--", "true").exit() == 0,
                    () -> shown("sandbox", "list"));
        }
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
    }

    private static String shown(String... argv) {
        try {
            return gateway.run(argv).toString();
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static String call(String tool, String input) {
        return "[{\"call\":{\"tool\":\"" + tool + "\",\"input\":" + input + "}}]";
    }

    private static String sh(String script, String more) {
        return "{\"command\":\"sh\",\"args\":[\"-c\",\"" + script + "\"]" + more + "}";
    }

    /** Begins a run in a session of its own that makes these calls one after the other. */
    private static String begin(String... calls) throws Exception {
        String script =
                "#!palyra-script\n{\"turns\":["
                        + String.join(",", calls)
                        + ",[{\"say\":\"done\"}]]}";
        return gateway.runWith(
                        script, "ask", "--json", "--new", "--background", "--agent", "coder", "-")
                .ok()
                .json()
                .path("runId")
                .asText();
    }

    private static List<JsonNode> tape(String runId) throws Exception {
        return gateway.run("tape", "show", runId, "--json").ok().lines();
    }

    private static List<JsonNode> outputs(String runId) throws Exception {
        return tape(runId).stream()
                .filter(record -> record.path("type").asText().equals("tool_call_output"))
                .map(record -> record.path("content"))
                .toList();
    }

    private static List<JsonNode> ended(String runId) throws Exception {
        Wait.until(
                "the end of run " + runId,
                PATIENCE,
                () -> {
                    String all = gateway.run("tape", "show", runId, "--json").out();
                    return all.contains("\"SUCCEEDED\",\"type\"")
                            || tape(runId).stream()
                                    .filter(r -> r.path("type").asText().equals("run_state"))
                                    .map(r -> r.path("content").path("state").asText())
                                    .anyMatch(
                                            List.of("SUCCEEDED", "FAILED", "CANCELLED")::contains);
                },
                () -> shown("tape", "show", runId));
        return outputs(runId);
    }

    private static JsonNode result(JsonNode output) throws Exception {
        return CommandClient.JSON.readTree(output.path("outputJson").asText());
    }

    @Test
    public void endlessOutputAndATimeoutLeaveBeginningEndAndAFile() throws Exception {
        String input = "{\"command\":\"yes\",\"timeout_ms\":3000}";
        JsonNode output = ended(begin(call(RUN, input))).get(0);
        assertEquals("TIMED_OUT", output.path("outcome").asText());
        String error = output.path("error").asText();
        assertTrue(error, error.contains("its time of 3000 ms was up"));
        assertTrue(
                error, error.contains("Give timeout_ms up to 600000, or run it in the background"));
        String said = result(output).path("stdout").asText();
        assertTrue(said, said.startsWith("y\ny\n") && said.endsWith("y\ny\n"));
        assertTrue(said, said.contains(" lines left out; the first 2000000 bytes are in /"));
        Path file = Path.of(result(output).path("stdout_file").asText());
        assertEquals(2_000_000, Files.size(file));
    }

    @Test
    public void theWholeOutputIsReadBySandboxesAndFileToolsAndIsNotInTheWorkspace()
            throws Exception {
        JsonNode first = ended(begin(call(RUN, sh("seq 1 100000", "")))).get(0);
        String file = result(first).path("stdout_file").asText();
        assertTrue(first.toString(), file.endsWith(".out.txt"));
        List<JsonNode> read =
                ended(
                        begin(
                                call(
                                        RUN,
                                        "{\"command\":\"tail\",\"args\":[\"-n1\",\""
                                                + file
                                                + "\"]}"),
                                call(RUN, sh("echo x >> " + file + " || echo refused", "")),
                                call(
                                        "palyra.fs.search",
                                        "{\"path\":\""
                                                + file.replaceFirst("/[^/]*$", "")
                                                + "\",\"pattern\":\"99999\"}"),
                                call(RUN, "{\"command\":\"ls\",\"args\":[\"-A\"]}")));
        assertEquals("100000\n", result(read.get(0)).path("stdout").asText());
        assertEquals("refused\n", result(read.get(1)).path("stdout").asText());
        assertTrue(read.get(2).toString(), read.get(2).toString().contains("99999"));
        assertEquals("SUCCEEDED", read.get(2).path("outcome").asText());
        assertFalse(
                read.toString(), result(read.get(3)).path("stdout").asText().contains("output"));
        JsonNode other =
                gateway.run("sandbox", "run", "--tier", "c", "--json", "--", "cat", file).json();
        assertEquals("another agent's file", "", other.path("stdout").asText());
        for (String tier : List.of("b", "c")) {
            JsonNode long1 = sandboxed(tier, "seq", "1", "100000");
            String place = long1.path("stdoutFile").asText().replaceFirst(".* in ", "");
            assertEquals(
                    long1.toString(),
                    "100000\n",
                    sandboxed(tier, "tail", "-n1", place).path("stdout").asText());
        }
    }

    private static JsonNode sandboxed(String tier, String... command) throws Exception {
        String[] argv = new String[6 + command.length];
        List<String> first = List.of("sandbox", "run", "--tier", tier, "--json", "--");
        for (int i = 0; i < argv.length; i++) {
            argv[i] = i < 6 ? first.get(i) : command[i - 6];
        }
        return gateway.run(argv).ok().json();
    }

    /** A file has what was written; people and models get it without secrets. */
    @Test
    public void aSecretInAFileIsNotToldByTheToolsThatReadIt() throws Exception {
        String secret = "x7Kq9ZmT2vLw4RbN8sYd";
        String print = "printf '%s%s\\n' glpat- " + secret + "; seq 1 100000";
        JsonNode printed = ended(begin(call(RUN, sh(print, "")))).get(0);
        assertFalse(printed.toString(), printed.toString().contains("glpat-" + secret));
        String file = result(printed).path("stdout_file").asText();
        assertEquals("glpat-" + secret, Files.readAllLines(Path.of(file)).get(0));
        List<JsonNode> read =
                ended(
                        begin(
                                call(
                                        "palyra.fs.read_file",
                                        "{\"path\":\"" + file + "\",\"lines\":2}"),
                                call(
                                        "palyra.fs.search",
                                        "{\"path\":\"" + file + "\",\"pattern\":\"glpat\"}")));
        assertEquals("⟦secret:gitlab-pat:1⟧\n1\n", result(read.get(0)).path("content").asText());
        assertTrue(read.get(1).toString(), read.get(1).toString().contains("⟦secret:gitlab-pat:"));
        assertFalse(read.toString(), read.toString().contains(secret));
    }

    @Test
    public void aProgressBarIsShownAsItEnds() throws Exception {
        String bar = "for i in 1 2 3; do printf '\\\\033[32m%d%%\\\\r' $i; done; echo ready";
        assertEquals(
                "ready\n",
                result(ended(begin(call(RUN, sh(bar, "")))).get(0)).path("stdout").asText());
    }

    @Test
    public void aCancelledCallKeepsWhatItWrote() throws Exception {
        String runId = begin(call(RUN, sh("seq 3; touch begun; sleep 1000", "")));
        awaitFile("begun");
        gateway.run("run", "cancel", runId).ok();
        JsonNode output = ended(runId).get(0);
        assertEquals(output.toString(), "CANCELLED", output.path("outcome").asText());
        assertEquals("1\n2\n3\n", result(output).path("stdout").asText());
    }

    @Test
    public void aBackgroundProcessEndsWithItsRun() throws Exception {
        String input = sh("touch up; exec sleep 1000", "");
        List<JsonNode> outputs = ended(begin(call("palyra.process.start", input)));
        String ends = result(outputs.get(0)).path("ends").asText();
        assertTrue(ends, ends.startsWith("with this run, "));
        Wait.until(
                "the process to be gone",
                PATIENCE,
                () -> gateway.metric("palyra_sandbox_running", "") == 0,
                () -> shown("sandbox", "list"));
    }

    @Test
    public void aCrashInTheMiddleLeavesTheFileAndTheStorySaysWhere() throws Exception {
        String runId = begin(call(RUN, sh("seq 1 100000; touch written; sleep 1000", "")));
        awaitFile("written");
        gateway.kill();
        gateway.up(SETTINGS);
        JsonNode output = ended(runId).get(0);
        assertEquals(output.toString(), "INTERRUPTED", output.path("outcome").asText());
        String error = output.path("error").asText();
        assertTrue(error, error.contains("What it had written until then is in /"));
        String file = error.replaceFirst("(?s).* is in (/[^\\n]*):\\n.*", "$1");
        assertEquals(100_000, Files.readAllLines(Path.of(file)).size());
        assertTrue(error, error.endsWith("99999\n100000\n"));
        proven();
    }

    /** Little output is in memory alone for a second, which is not for long enough to matter. */
    @Test
    public void aCrashLosesNoLittleOutputEither() throws Exception {
        String line = "echo said; echo cried >&2; sleep 1000";
        String runId = begin(call("palyra.process.shell", "{\"command\":\"" + line + "\"}"));
        Path outputs = gateway.own().resolve("state-workspaces/.outputs/coder");
        Wait.until(
                "both files",
                PATIENCE,
                () -> {
                    String[] names = outputs.toFile().list((folder, name) -> name.contains(runId));
                    return names != null && names.length == 2;
                },
                () -> shown("runs"));
        gateway.kill();
        gateway.up(SETTINGS);
        String error = ended(runId).get(0).path("error").asText();
        assertTrue(error, error.contains("\ncried\n") && error.contains("\nsaid\n"));
        proven();
    }

    private static void awaitFile(String name) throws Exception {
        Wait.until(
                name + " in the workspace",
                PATIENCE,
                () -> Files.exists(gateway.workspace("coder").resolve(name)),
                () -> shown("runs"));
    }
}

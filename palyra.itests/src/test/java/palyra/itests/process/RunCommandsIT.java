package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.ClassRule;
import org.junit.Test;
import palyra.itests.Wait;

/** Runs and their tapes at the command line. */
public class RunCommandsIT {
    @ClassRule public static final SharedGateway GATEWAY = new SharedGateway();

    private static CommandClient.Result run(String... argv) throws IOException {
        return GATEWAY.client().run(argv);
    }

    private static void testAgent(String id, String tool) throws IOException {
        run("agents", "create", id, "--test", "true", "--tool", tool).ok();
    }

    @Test
    public void aTapeIsShownVerifiedAndExportedForOthersToVerify() throws Exception {
        String runId = run("ask", "--json", "prove it").ok().json().path("runId").asText();
        List<JsonNode> records = run("tape", "show", runId, "--json").ok().lines();
        assertEquals("run_state", records.get(0).path("type").asText());
        assertTrue(run("tape", "show", runId).ok().out().contains("prove it"));
        run("tape", "verify", runId).ok();
        run("tape", "verify").ok();
        Path export =
                Files.writeString(
                        GATEWAY.folder().resolve("export.jsonl"),
                        run("tape", "export", runId).ok().out());
        run("tape", "verify", "--file", export.toString()).ok();
        String key =
                run("tape", "verify", "--file", export.toString(), "--json")
                        .ok()
                        .json()
                        .path("signedBy")
                        .asText();
        run("tape", "verify", "--file", export.toString(), "--trusted-key", key).ok();
        run(
                        "tape",
                        "verify",
                        "--file",
                        export.toString(),
                        "--trusted-key",
                        "ed25519:0000000000000000")
                .exits(65);
    }

    @Test
    public void noCommandReadsAFileOfTheStateFolder() throws Exception {
        Path socket = GATEWAY.state().resolve("run/command.sock");
        assertTrue(Files.exists(socket));
        CommandClient.Result refused = run("tape", "verify", "--file", socket.toString()).exits(64);
        assertTrue(refused.toString(), refused.err().contains("state folder"));
    }

    @Test
    public void aChangedExportDoesNotVerify() throws Exception {
        String runId = run("ask", "--json", "keep this").ok().json().path("runId").asText();
        String export = run("tape", "export", runId).ok().out();
        GATEWAY.client().runWith(export, "tape", "verify", "--file", "-").ok();
        List<String> lines = export.lines().toList();
        for (int dropped = 1; dropped < lines.size(); dropped++) {
            List<String> cut = new ArrayList<>(lines);
            cut.remove(dropped);
            GATEWAY.client()
                    .runWith(String.join("\n", cut) + "\n", "tape", "verify", "--file", "-")
                    .exits(65);
        }
        String changed = export.replaceFirst("\"timeMillis\":1", "\"timeMillis\":2");
        assertNotEquals(export, changed);
        CommandClient.Result refused =
                GATEWAY.client().runWith(changed, "tape", "verify", "--file", "-").exits(65);
        assertTrue(refused.toString(), (refused.out() + refused.err()).contains("1"));
    }

    @Test
    public void controlCCancelsTheRunAndNothingElse() throws Exception {
        testAgent("stalling", "palyra.sleep");
        String script = "#!palyra-script\n{\"turns\":[[{\"say\":\"begun \"},{\"stall\":true}]]}";
        String other =
                GATEWAY.client()
                        .runWith(
                                script,
                                "ask",
                                "--background",
                                "--agent",
                                "stalling",
                                "--session",
                                "other",
                                "-")
                        .ok()
                        .out()
                        .trim();
        ClientProcess client =
                ClientProcess.start(
                        GATEWAY.home(),
                        GATEWAY.state(),
                        "ask",
                        "--agent",
                        "stalling",
                        "--session",
                        "mine",
                        script);
        String[] mine = new String[1];
        Wait.until(
                "the run to speak",
                () -> {
                    mine[0] =
                            run("runs", "--json", "--limit", "1")
                                    .ok()
                                    .json()
                                    .get(0)
                                    .path("run")
                                    .asText();
                    return !mine[0].equals(other)
                            && run("tape", "show", mine[0]).ok().out().contains("model_token");
                });
        client.interrupt();
        CommandClient.Result result = client.end().exits(130);
        assertTrue(result.toString(), result.out().startsWith("begun"));
        assertEquals("CANCELLED", stateOf(mine[0]));
        assertEquals("RUNNING", stateOf(other));
        run("run", "cancel", other).ok();
        Wait.until("the other to end", () -> stateOf(other).equals("CANCELLED"));
        run("tape", "verify", mine[0]).ok();
    }

    private static String stateOf(String runId) throws IOException {
        return run("run", "show", runId, "--json").ok().json().path("state").asText();
    }

    @Test
    public void aDeniedToolIsDeniedAndTheTapeSaysWhy() throws Exception {
        run("agents", "create", "untested", "--tool", "palyra.test.append").ok();
        String script =
                "#!palyra-script\n{\"turns\":[[{\"call\":{\"tool\":\"palyra.test.append\","
                        + "\"input\":{\"file\":\"denied.txt\",\"line\":\"x\"}}}]]}";
        assertTrue(
                "a script for an agent that is no test agent is plain text",
                GATEWAY.client()
                        .runWith(script, "ask", "--agent", "untested", "-")
                        .ok()
                        .out()
                        .startsWith("You said: #!palyra-script"));
        testAgent("unlisted", "palyra.echo");
        String runId =
                GATEWAY.client()
                        .runWith(script, "ask", "--json", "--agent", "unlisted", "-")
                        .ok()
                        .json()
                        .path("runId")
                        .asText();
        assertTrue(
                run("tape", "show", runId, "--json").ok().lines().stream()
                        .anyMatch(
                                record ->
                                        record.path("content")
                                                .path("verdict")
                                                .asText()
                                                .equals("DENY")));
        assertFalse(Files.exists(GATEWAY.state().resolve("append/denied.txt")));
        testAgent("listed", "palyra.test.append");
        GATEWAY.client().runWith(script, "ask", "--agent", "listed", "-").ok();
        assertTrue(Files.exists(GATEWAY.state().resolve("append/denied.txt")));
    }
}

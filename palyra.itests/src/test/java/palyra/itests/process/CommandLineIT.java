package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.ClassRule;
import org.junit.Test;
import palyra.itests.Dist;

/** What a person does at the command line, with the process that ships. */
public class CommandLineIT {
    @ClassRule public static final SharedGateway GATEWAY = new SharedGateway();

    private static CommandClient.Result run(String... argv) throws IOException {
        return GATEWAY.client().run(argv);
    }

    private static void testAgent(String id, String... tools) throws IOException {
        List<String> argv = new ArrayList<>(List.of("agents", "create", id, "--test", "true"));
        for (String tool : tools) {
            argv.addAll(List.of("--tool", tool));
        }
        run(argv.toArray(String[]::new)).ok();
    }

    @Test
    public void anAnswerStreams() throws Exception {
        testAgent("slow");
        List<String> pieces = new ArrayList<>();
        String script =
                "#!palyra-script\n{\"turns\":[[{\"say\":\"a b c d e f g h\",\"chunkMillis\":30}]]}";
        CommandClient.Result result =
                GATEWAY.client().run(script, pieces::add, "ask", "--agent", "slow", "-");
        assertEquals("a b c d e f g h\n", result.ok().out());
        assertTrue("in pieces: " + pieces, pieces.size() >= 4);
    }

    @Test
    public void aMessageIsAcceptedOnceUnderItsKey() throws Exception {
        JsonNode first = run("ask", "--json", "--background", "--dedupe", "k1", "once").ok().json();
        JsonNode again = run("ask", "--json", "--background", "--dedupe", "k1", "once").ok().json();
        assertFalse(first.path("duplicate").asBoolean());
        assertTrue(again.path("duplicate").asBoolean());
        assertEquals(first.path("runId").asText(), again.path("runId").asText());
        CommandClient.Result other =
                run("ask", "--json", "--background", "--dedupe", "k1", "something else");
        assertNotEquals(0, other.exit());
        JsonNode next = run("ask", "--json", "--background", "--dedupe", "k2", "once").ok().json();
        assertNotEquals(first.path("runId").asText(), next.path("runId").asText());
    }

    @Test
    public void aSessionRemembersWhatWasSaid() throws Exception {
        String session =
                run("ask", "--json", "--session", "memory", "one")
                        .ok()
                        .json()
                        .path("sessionId")
                        .asText();
        assertEquals(
                session,
                run("ask", "--json", "--session", "memory", "two")
                        .ok()
                        .json()
                        .path("sessionId")
                        .asText());
        assertEquals(2, run("runs", "--json", "--session", session).ok().json().size());
        run("sessions", "archive", session).ok();
        assertNotEquals(
                session,
                run("ask", "--json", "--session", "memory", "three")
                        .ok()
                        .json()
                        .path("sessionId")
                        .asText());
    }

    @Test
    public void agentsAreCreatedBoundAndResolved() throws Exception {
        run("agents", "create", "helper", "--prompt", "Be brief.", "--name", "The helper").ok();
        String digest =
                run("agents", "show", "helper", "--json").ok().json().path("promptSha256").asText();
        assertEquals(64, digest.length());
        run("agents", "bind", "user:alice", "helper").ok();
        assertEquals(
                "helper",
                run("agents", "resolve", "user:alice", "--json")
                        .ok()
                        .json()
                        .path("agentId")
                        .asText());
        assertEquals(
                "default",
                run("agents", "resolve", "user:bob", "--json")
                        .ok()
                        .json()
                        .path("agentId")
                        .asText());
        String runId =
                run("ask", "--json", "--agent", "helper", "hi").ok().json().path("runId").asText();
        JsonNode started =
                run("tape", "show", runId, "--json").ok().lines().stream()
                        .filter(record -> record.path("type").asText().equals("turn_started"))
                        .findFirst()
                        .orElseThrow();
        assertEquals(digest, started.path("content").path("systemPromptSha256").asText());
        run("agents", "unbind", "user:alice").ok();
        run("agents", "delete", "helper").ok();
        run("agents", "show", "helper").exits(66);
    }

    @Test
    public void aTokenOpensWhatItMayAndNothingOnceRevoked() throws Exception {
        JsonNode made =
                run("access", "token-create", "monitor", "--group", "viewer", "--json").ok().json();
        String secret =
                made.findValue("secret") == null
                        ? made.findValue("token").asText()
                        : made.findValue("secret").asText();
        String id = secret.split("_", 3)[1];
        assertEquals(401, ready("palyra_" + id + "_" + "A".repeat(43)).statusCode());
        assertTrue(ready(secret).body().contains("\"message\""));
        assertFalse(ready("").body().contains("\"message\""));
        assertFalse(run("access", "tokens", "--json").ok().out().contains(secret));
        run("access", "token-revoke", id).ok();
        assertEquals(401, ready(secret).statusCode());
    }

    private static HttpResponse<String> ready(String token) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(GATEWAY.process().http() + "/readyz"));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    @Test
    public void statusAndDoctorAreContent() throws Exception {
        JsonNode status = run("status", "--json").ok().json();
        assertTrue(status.path("ready").asBoolean());
        assertEquals(GATEWAY.process().pid(), status.path("pid").asLong());
        run("doctor").ok();
        assertTrue(run("access", "whoami").ok().out().contains("operator"));
        assertTrue(run("logs", "--lines", "5").ok().out().length() > 0);
    }

    @Test
    public void wordsAreCompleted() throws Exception {
        assertEquals("verify\n", run("completion", "--", "tape", "v").ok().out());
        assertTrue(run("completion", "--", "ask", "--se").ok().out().contains("--session"));
        assertTrue(run("completion", "--bash").ok().out().contains("complete "));
    }

    @Test
    public void aRebuiltBundleIsSwappedInAndABadOneIsPutBack() throws Exception {
        Path models = Dist.bundle("palyra.models");
        Path rebuilt =
                RebuiltBundle.write(
                        models,
                        GATEWAY.folder().resolve("rebuilt.jar"),
                        Map.of("Bundle-Version", "0.1.0.rebuilt"),
                        name -> false);
        run("swap", "palyra.models", rebuilt.toString(), "--dry-run").ok();
        assertFalse(version("palyra.models").contains("rebuilt"));
        run("swap", "palyra.models", rebuilt.toString()).ok();
        assertEquals("0.1.0.rebuilt", version("palyra.models"));
        assertEquals("You said: still here\n", run("ask", "still here").ok().out());

        Path hollow =
                RebuiltBundle.write(
                        models,
                        GATEWAY.folder().resolve("hollow.jar"),
                        Map.of("Bundle-Version", "0.1.0.hollow"),
                        name -> name.endsWith("DeterministicModel.class"));
        CommandClient.Result undone =
                run("swap", "palyra.models", hollow.toString(), "--timeout", "3").exits(1);
        assertFalse(undone.toString(), undone.err().contains("\tat "));
        assertEquals("0.1.0.rebuilt", version("palyra.models"));
        assertEquals("You said: still here\n", run("ask", "still here").ok().out());

        run("swap", "palyra.tools", rebuilt.toString()).exits(64);
        run("swap", "palyra.models", models.toString()).ok();
        run("doctor").ok();
    }

    private static String version(String bundle) throws IOException {
        for (JsonNode row : run("bundles", "--json").ok().json()) {
            if (row.path("bundle").asText().equals(bundle)) {
                return row.path("version").asText();
            }
        }
        throw new AssertionError("not listed: " + bundle);
    }
}

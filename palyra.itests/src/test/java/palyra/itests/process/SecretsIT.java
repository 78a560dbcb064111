package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.ClassRule;
import org.junit.Test;

/** Secrets in what people, models and tools say, in the whole product. */
public class SecretsIT {
    @ClassRule public static final SharedGateway GATEWAY = new SharedGateway();

    private static final String TOKEN = "glpat-" + "x7Kq9ZmT2vLw4RbN8sYd";

    /** The same in a script, which the front cannot take for one. */
    private static final String HIDDEN = "glpa\\u0074-" + TOKEN.substring(6);

    private static CommandClient.Result run(String... argv) throws IOException {
        return GATEWAY.client().run(argv);
    }

    private static String bytes(Path file) throws IOException {
        try (InputStream raw = Files.newInputStream(file);
                InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return ""; // it was a draft of another file, which is looked at too
        }
    }

    private static void assertNowhere(String literal) throws IOException {
        int looked = 0;
        try (Stream<Path> files = Files.walk(GATEWAY.state())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertFalse(file + " holds a secret", bytes(file).contains(literal));
                looked++;
            }
        }
        assertTrue("the state folder has files", looked > 3);
        assertFalse(GATEWAY.process().console().contains(literal));
    }

    @Test
    public void aTokenInAMessageStaysOutOfAnswerTapeLogAndDatabase() throws Exception {
        JsonNode answer =
                run("ask", "--json", "my token is " + TOKEN + ", remember it").ok().json();
        assertFalse(answer.toString(), answer.toString().contains(TOKEN));
        String runId = answer.path("runId").asText();
        String shown = run("tape", "show", runId).ok().out();
        assertTrue(
                shown, shown.contains("You said: my token is ⟦secret:gitlab-pat:1⟧, remember it"));
        run("tape", "verify", runId).ok();
        Path export =
                Files.writeString(
                        GATEWAY.folder().resolve("secret.jsonl"),
                        run("tape", "export", runId).ok().out());
        assertFalse(bytes(export).contains(TOKEN));
        run("tape", "verify", "--file", export.toString()).ok();
        assertNowhere(TOKEN);
        String plain = "nothing of the kind 4711";
        run("ask", plain).ok();
        try (Stream<Path> files = Files.walk(GATEWAY.state())) {
            boolean found = false;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                found |= bytes(file).contains(plain);
            }
            assertTrue("what is no secret is found by the same search", found);
        }
    }

    @Test
    public void anOperatorErasesWhatARunKeepsSealedAndItsTapeStaysVerified() throws Exception {
        String runId = run("ask", "--json", "keep " + TOKEN).ok().json().path("runId").asText();
        String before = run("tape", "export", runId).ok().out();
        assertEquals(64, run("secrets", "erase", runId).exit());
        JsonNode erased = run("secrets", "erase", runId, "--for-good", "--json").ok().json();
        assertTrue(erased.toString(), erased.path("erased").asBoolean());
        assertFalse("it was not erased before", erased.path("before").asBoolean());
        assertTrue(
                run("secrets", "erase", runId, "--for-good", "--json")
                        .ok()
                        .json()
                        .path("before")
                        .asBoolean());
        run("tape", "verify", runId).ok();
        assertEquals("no record changed", before, run("tape", "export", runId).ok().out());
        String journal = run("tape", "show", "journal").ok().out();
        assertTrue(journal, journal.contains("run_secrets_erased"));
    }

    @Test
    public void aToolGetsTheLiteralThatAModelMadeAndTheEvidenceHolds() throws Exception {
        run("agents", "create", "maker", "--test", "true", "--tool", "palyra.echo").ok();
        String script =
                "#!palyra-script\n{\"turns\":[[{\"call\":{\"tool\":\"palyra.echo\",\"input\":"
                        + "{\"text\":\""
                        + HIDDEN
                        + "\"}}}],[{\"say\":\"it said \"},{\"lastToolOutput\":true},{\"say\":\" "
                        + HIDDEN
                        + "\"}]]}";
        JsonNode answer =
                GATEWAY.client()
                        .runWith(script, "ask", "--agent", "maker", "--json", "-")
                        .ok()
                        .json();
        assertFalse(answer.toString(), answer.toString().contains(TOKEN));
        String runId = answer.path("runId").asText();
        List<JsonNode> records = run("tape", "show", runId, "--json").ok().lines();
        String all = records.toString();
        assertTrue(all, all.contains("⟦secret:gitlab-pat:1⟧"));
        assertFalse(all, all.contains(TOKEN));
        String exact = "{\"text\":\"" + TOKEN + "\"}";
        String digest =
                HexFormat.of()
                        .formatHex(
                                MessageDigest.getInstance("SHA-256")
                                        .digest(exact.getBytes(StandardCharsets.UTF_8)));
        assertTrue("the tool was started with the exact bytes: " + all, all.contains(digest));
        assertEquals(
                "intact",
                run("attestation", "verify", runId, "--json").ok().json().path("verdict").asText());
        run("tape", "verify", runId).ok();
        assertNowhere(TOKEN);
    }
}

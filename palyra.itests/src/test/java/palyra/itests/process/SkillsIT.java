package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import palyra.itests.Dist;
import palyra.itests.Wait;

/**
 * Skills as their makers, operators and agents meet them: the examples of the repository built,
 * signed, installed, approved, called, replaced under load, and tampered with.
 */
public class SkillsIT {
    @ClassRule public static final SharedGateway GATEWAY = new SharedGateway();

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String WORDS = "palyra-examples.wordcount";
    private static final String CRC = "palyra-examples.crc32";

    private static CommandClient.Result run(String... argv) throws IOException {
        return GATEWAY.client().run(argv);
    }

    private static Path file(String name) {
        return GATEWAY.folder().resolve(name);
    }

    private static Path signed(String example) throws IOException {
        Path source = Path.of(System.getProperty("palyra.root"), "examples/skills", example);
        return signed(source, file(example + ".palyra-skill"), "key.pem");
    }

    private static Path signed(Path source, Path artifact, String key) throws IOException {
        String unsigned = artifact + ".unsigned";
        run("skills", "build", source.toString(), "--output", unsigned).ok();
        run(
                        "skills",
                        "sign",
                        unsigned,
                        "--key",
                        file(key).toString(),
                        "--output",
                        artifact.toString())
                .ok();
        run("skills", "verify", artifact.toString()).ok();
        return artifact;
    }

    @BeforeClass
    public static void install() throws Exception {
        run("skills", "keygen", file("key.pem").toString()).ok();
        Path words = signed("wordcount-c");
        run("skills", "install", words.toString(), "--yes").ok();
        assertEquals("quarantined", state(WORDS));
        JsonNode refused = call(CRC, "{\"text\":\"123456789\"}");
        assertFalse(
                "not offered: " + refused, refused.path("outcome").asText().equals("SUCCEEDED"));
        run("skills", "enable", WORDS, "--yes").ok();
        assertEquals("active", state(WORDS));
        agent("maker", WORDS, CRC);
    }

    private static void agent(String name, String... tools) throws IOException {
        List<String> argv = new ArrayList<>(List.of("agents", "create", name, "--test", "true"));
        for (String tool : tools) {
            argv.addAll(List.of("--tool", tool));
        }
        run(argv.toArray(String[]::new)).ok();
    }

    private static String state(String skill) throws IOException {
        return run("skills", "info", skill, "--json").ok().json().path("state").asText();
    }

    private static String script(String tool, String input) throws IOException {
        ObjectNode call = JSON.createObjectNode();
        call.putObject("call").put("tool", tool).set("input", JSON.readTree(input));
        ObjectNode script = JSON.createObjectNode();
        script.putArray("turns").addArray().add(call);
        script.withArray("turns").addArray().addObject().put("say", "done");
        return "#!palyra-script\n" + script;
    }

    private static String ask(String tool, String input) throws IOException {
        return GATEWAY.client()
                .runWith(script(tool, input), "ask", "--json", "--agent", "maker", "-")
                .json()
                .path("runId")
                .asText();
    }

    /** Returns the tape's record of the call's end. */
    private static JsonNode call(String tool, String input) throws IOException {
        if (run("agents", "show", "maker").exit() != 0) {
            return JSON.createObjectNode();
        }
        return record(ask(tool, input), "tool_call_output");
    }

    private static JsonNode record(String run, String type) throws IOException {
        for (JsonNode each : run("tape", "show", run, "--json").ok().lines()) {
            if (each.path("type").asText().equals(type)) {
                return each.path("content");
            }
        }
        return JSON.createObjectNode();
    }

    @Test
    public void anAgentCallsASkillAndTheTapeProvesIt() throws Exception {
        String run = ask(CRC, "{\"text\":\"123456789\"}");
        JsonNode output = record(run, "tool_call_output");
        assertEquals(output.toString(), "SUCCEEDED", output.path("outcome").asText());
        assertTrue(output.toString(), output.toString().contains("cbf43926"));
        JsonNode attestation = record(run, "tool_attestation");
        assertEquals("endive", attestation.path("executor").asText());
        String enforcement = attestation.path("sandboxEnforcement").asText();
        assertTrue(enforcement, enforcement.startsWith("strict "));
        assertTrue(enforcement, enforcement.contains("tier=a"));
        assertEquals(64, attestation.path("executableSha256").asText().length());
        run("tape", "verify", run).ok();
    }

    @Test
    public void anInputThatDoesNotFitTheSchemaIsRefusedBeforeAnythingRuns() throws Exception {
        String run = ask(CRC, "{\"txet\":\"123456789\"}");
        List<JsonNode> tape = run("tape", "show", run, "--json").ok().lines();
        assertTrue(tape.toString(), tape.toString().contains("text"));
        assertTrue(
                tape.toString(),
                tape.stream().noneMatch(each -> each.path("type").asText().equals("tool_started")));
    }

    @Test
    public void aModuleIsRunAndJudgedByHand() throws Exception {
        JsonNode ran =
                run(
                                "skills",
                                "run",
                                WORDS,
                                "--tool",
                                WORDS,
                                "--input",
                                "{\"text\":\"a b a\"}",
                                "--json")
                        .ok()
                        .json();
        assertTrue(ran.toString(), ran.path("output").asText().contains("\"word\":\"a\""));
        assertTrue(ran.toString(), ran.path("fuelUsed").asLong() > 0);
        String call = ran.path("call").asText();
        assertTrue(run("attestation", "show", call).ok().out().contains("meter=3"));
        run("attestation", "verify", call).ok();
        Path module =
                Path.of(
                        System.getProperty("palyra.root"),
                        "examples/skills/wordcount-c/modules/crc32.wasm");
        JsonNode verdict = run("skills", "admit", module.toString(), "--json").ok().json();
        assertTrue(verdict.toString(), verdict.toString().contains("\"sha256\""));
    }

    @Test
    public void anArtifactIsTriedBeforeAnybodyInstallsIt() throws Exception {
        Path artifact = file("wordcount-c.palyra-skill");
        String input = "{\"text\":\"123456789\"}";
        CommandClient.Result ran =
                run("skills", "run", artifact.toString(), "--tool", CRC, "--input", input).ok();
        assertTrue(ran.toString(), ran.out().contains("cbf43926"));
    }

    @Test
    public void replacingTheBundlesUnderLoadLosesNoCall() throws Exception {
        AtomicInteger good = new AtomicInteger();
        AtomicReference<String> bad = new AtomicReference<>("");
        AtomicReference<Boolean> more = new AtomicReference<>(true);
        Thread load =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        while (more.get() && bad.get().isEmpty()) {
                                            JsonNode end = call(CRC, "{\"text\":\"abc\"}");
                                            if (end.toString().contains("352441c2")) {
                                                good.incrementAndGet();
                                            } else {
                                                bad.set(end.toString());
                                            }
                                        }
                                    } catch (IOException e) {
                                        bad.set(e.toString());
                                    }
                                });
        for (String bundle : List.of("palyra.skills.engine.endive", "palyra.skills")) {
            for (int round = 1; round <= 3; round++) {
                Path rebuilt =
                        RebuiltBundle.write(
                                Dist.bundle(bundle),
                                file(bundle + ".jar"),
                                Map.of("Palyra-Round", Integer.toString(round)),
                                entry -> false);
                run("swap", bundle, rebuilt.toString()).ok();
                int before = good.get();
                Wait.until(
                        "calls after the swap of " + bundle,
                        java.time.Duration.ofSeconds(120),
                        () -> good.get() > before + 1 || !bad.get().isEmpty(),
                        () -> good + " good, " + bad);
            }
        }
        more.set(false);
        load.join(60_000);
        assertEquals("", bad.get());
    }

    @Test
    public void aChangedArtifactIsNeverRunAndGoesIntoQuarantine() throws Exception {
        Path slug = signed("slugify-rust");
        run("skills", "install", slug.toString(), "--yes").ok();
        String skill = "palyra-examples.slugify";
        run("skills", "enable", skill, "--yes").ok();
        run("skills", "run", skill, "--tool", skill, "--input", "{\"text\":\"Ärger & Co\"}").ok();
        String digest = run("skills", "info", skill, "--json").ok().json().toString();
        try (Stream<Path> kept = Files.walk(GATEWAY.state().resolve("skills"))) {
            for (Path each : kept.filter(Files::isRegularFile).toList()) {
                String name = each.getFileName().toString();
                if (name.endsWith(".palyra-skill")
                        && digest.contains(name.substring(0, name.indexOf('.')))) {
                    byte[] bytes = Files.readAllBytes(each);
                    bytes[bytes.length / 2] ^= 1;
                    each.toFile().setWritable(true);
                    Files.write(each, bytes);
                }
            }
        }
        CommandClient.Result refused =
                run("skills", "run", skill, "--tool", skill, "--input", "{\"text\":\"x\"}");
        assertFalse(refused.toString(), refused.exit() == 0);
        assertEquals("quarantined", state(skill));
        assertTrue(run("skills", "info", skill).ok().out().contains("artifact_changed"));
        run("tape", "verify").ok();
    }

    @Test
    public void anotherKeyOfThePublisherIsRefused() throws Exception {
        CommandClient.Result listed = run("skills", "trust", "list", "--json").ok();
        assertTrue(listed.toString(), listed.out().contains("palyra-examples"));
        String other = file("other.pem").toString();
        run("skills", "keygen", other).ok();
        Path source = Path.of(System.getProperty("palyra.root"), "examples/skills/wordcount-c");
        Path artifact = signed(source, file("forged.palyra-skill"), "other.pem");
        CommandClient.Result forged = run("skills", "update", artifact.toString(), "--yes");
        assertFalse("another key of the same publisher: " + forged, forged.exit() == 0);
        assertEquals("active", state(WORDS));
    }
}

package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Dist;
import palyra.itests.Wait;

/**
 * Commands in the sandboxes of the product itself, as an operator and as an agent start them; and
 * what becomes of them when a sandbox is replaced under them.
 */
public class SandboxIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int SWAPS = Boolean.getBoolean("palyra.test.full") ? 10 : 5;

    /**
     * Commands that run when their sandbox goes are given this long; they never end by themselves.
     */
    private static final String GRACE = "palyra.sandbox:graceMillis=500";

    /** Of this JVM alone: other tests may run beside this one. */
    private static final String SLEEP = "sleep " + (1_000_000 + ProcessHandle.current().pid());

    private static UnprivilegedGateway gateway;

    @BeforeClass
    public static void start() throws Exception {
        gateway =
                UnprivilegedGateway.install()
                        .up(
                                "--set",
                                "palyra.policy:disabledDefaults=sensitive_tools_need_approval",
                                "--set",
                                GRACE,
                                "--set",
                                "palyra.sandbox:workspaceBytes=4000000");
        gateway.run("agents", "create", "worker", "--test", "true", "--tool", "palyra.process.run")
                .ok();
        Wait.until(
                "the tiers to be proven",
                PATIENCE,
                () ->
                        gateway.run("sandbox", "run", "--tier", "b", "--", "true").exit() == 0
                                && gateway.run("sandbox", "run", "--tier", "c", "--", "true").exit()
                                        == 0,
                () -> last("sandbox", "list"));
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
    }

    private static String last(String... argv) {
        try {
            return gateway.run(argv).toString();
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static CommandClient.Result sandboxed(String tier, String... command) throws Exception {
        List<String> argv = new ArrayList<>(List.of("sandbox", "run", "--tier", tier));
        argv.addAll(List.of("--allow-interpreters", "--egress", "strict", "--json", "--"));
        argv.addAll(List.of(command));
        return gateway.run(argv.toArray(String[]::new));
    }

    @Test
    public void aCommandRunsInEachTierAndSaysWhatWasEnforced() throws Exception {
        for (String tier : List.of("b", "c")) {
            JsonNode ran = sandboxed(tier, "echo", "hello é").ok().json();
            assertEquals("hello é\n", ran.path("stdout").asText());
            assertEquals("OK", ran.path("outcome").asText());
            String enforcement = ran.path("enforcement").asText();
            assertTrue(enforcement, enforcement.startsWith("strict "));
            assertTrue(enforcement, enforcement.contains("seccomp="));
            assertTrue(enforcement, enforcement.contains("canary="));
            assertExplained(enforcement);
        }
        JsonNode explained = gateway.run("sandbox", "explain", "--tier", "c", "--json").ok().json();
        assertEquals("proven", explained.at("/sandboxes/0/session").asText());
    }

    /** Each word that is signed stands in the table of the security model. */
    private static void assertExplained(String enforcement) throws Exception {
        String model = Files.readString(Dist.root().resolve("docs/security-model.md"));
        for (String word : enforcement.split(" ")) {
            String key = word.replaceFirst("=.*", "=");
            assertTrue(
                    word + " is not explained",
                    !word.contains("=")
                            || model.contains("`" + key)
                            || model.contains(", `" + key));
        }
    }

    @Test
    public void theGatewaysOwnFilesAreOutOfReach() throws Exception {
        String token = gateway.state().resolve("bootstrap-token").toString();
        for (String tier : List.of("b", "c")) {
            String script = "cat " + token.replaceFirst("^/", "//") + " && echo REACHED";
            CommandClient.Result result = sandboxed(tier, "sh", "-c", script);
            assertFalse(result.toString(), result.out().contains("REACHED"));
            CommandClient.Result control =
                    sandboxed(tier, "sh", "-c", "echo x > f; cat f && echo REACHED");
            assertTrue(control.toString(), control.out().contains("REACHED"));
        }
    }

    @Test
    public void theGatewaysOwnFilesKeepTheirModesFromACommand() throws Exception {
        Path token = gateway.state().resolve("bootstrap-token");
        Object before = Files.getPosixFilePermissions(token);
        String script = "chmod 644 /%s && echo CHANGED; touch f; chmod 751 f && echo INSIDE";
        JsonNode ran = sandboxed("b", "sh", "-c", script.formatted(token)).ok().json();
        assertEquals(ran.toString(), "INSIDE\n", ran.path("stdout").asText());
        String enforcement = ran.path("enforcement").asText();
        assertTrue(enforcement, enforcement.contains(" metadata=beneath "));
        assertEquals(before, Files.getPosixFilePermissions(token));
    }

    private static String outcome(String tier, String script) throws Exception {
        return sandboxed(tier, "sh", "-c", script).json().path("outcome").asText();
    }

    /** Whatever a tier needs for itself, it has in a full workspace too. */
    @Test
    public void aFullWorkspaceStopsItsCommandAndTakesOthersThatMakeRoom() throws Exception {
        String fill =
                "i=0; while :; do head -c 300000 /dev/zero > fill$i; i=$((i+1)); sleep 0.05; done";
        for (String tier : List.of("b", "c")) {
            assertEquals("DISK_QUOTA", outcome(tier, fill));
            Wait.until(
                    "the workspace to be known as full in tier " + tier,
                    PATIENCE,
                    () ->
                            !sandboxed(
                                            tier,
                                            "sh",
                                            "-c",
                                            "head -c 3000000 /dev/zero > m && echo WROTE")
                                    .out()
                                    .contains("WROTE"),
                    () -> "");
            assertEquals("OK", outcome(tier, "rm -f fill* m"));
            CommandClient.Result room =
                    sandboxed(tier, "sh", "-c", "head -c 9000 /dev/zero > m && echo WROTE");
            assertTrue(room.toString(), room.out().contains("WROTE"));
        }
    }

    @Test
    public void anArgumentThatLeadsOutsideLeadsNowhere() throws Exception {
        for (String tier : List.of("b", "c")) {
            JsonNode read = sandboxed(tier, "cat", "../../../../etc/shadow").json();
            assertEquals(read.toString(), 1, read.path("exitCode").asInt());
            assertEquals(read.toString(), "", read.path("stdout").asText());
        }
    }

    @Test
    public void anAgentsCallIsDecidedConfinedAttestedAndProved() throws Exception {
        String script =
                "#!palyra-script\n{\"turns\":[[{\"call\":{\"tool\":\"palyra.process.run\","
                        + "\"input\":{\"command\":\"ls\",\"args\":[\"-a\"]}}}],[{\"say\":\"done\"}]]}";
        String runId =
                gateway.runWith(script, "ask", "--json", "--agent", "worker", "-")
                        .ok()
                        .json()
                        .path("runId")
                        .asText();
        List<JsonNode> tape = gateway.run("tape", "show", runId, "--json").ok().lines();
        JsonNode decision = record(tape, "tool_decision");
        assertEquals(decision.toString(), "ALLOW", decision.path("verdict").asText());
        assertEquals("C", decision.path("tier").asText());
        assertEquals(64, decision.path("factsSha256").asText().length());
        assertTrue(decision.toString(), decision.path("evidenceJson").asText().contains("/ls"));
        JsonNode output = record(tape, "tool_call_output");
        assertEquals(output.toString(), "SUCCEEDED", output.path("outcome").asText());
        JsonNode attestation = record(tape, "tool_attestation");
        assertEquals("sandbox_tier_c_linux_bubblewrap", attestation.path("executor").asText());
        assertEquals(64, attestation.path("executableSha256").asText().length());
        gateway.run("tape", "verify", runId).ok();
    }

    private static JsonNode record(List<JsonNode> tape, String type) {
        for (JsonNode record : tape) {
            if (record.path("type").asText().equals(type)) {
                return record.path("content");
            }
        }
        throw new AssertionError("no " + type + " in " + tape);
    }

    @Test
    public void aSandboxIsReplacedWhileACommandRunsInIt() throws Exception {
        for (String bundle : List.of("palyra.sandbox.tierb", "palyra.sandbox.tierc.linux")) {
            String tier = bundle.contains("tierb") ? "b" : "c";
            for (int round = 1; round <= SWAPS; round++) {
                replaceUnder(bundle, tier, round);
            }
        }
        nothingIsLeft();
    }

    private static void replaceUnder(String bundle, String tier, int round) throws Exception {
        Path started = gateway.workspace("operator").resolve("started-" + tier + round);
        List<CommandClient.Result> ended = new ArrayList<>();
        Thread call =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        ended.add(
                                                sandboxed(
                                                        tier,
                                                        "sh",
                                                        "-c",
                                                        "touch "
                                                                + started.getFileName()
                                                                + "; exec "
                                                                + SLEEP));
                                    } catch (Exception e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
        Wait.until(
                "the command to run",
                PATIENCE,
                () -> Files.exists(started),
                () -> ended.toString());
        Path jar =
                RebuiltBundle.write(
                        Dist.bundle(bundle),
                        gateway.home().resolve("../" + bundle + ".jar").normalize(),
                        Map.of("Palyra-Round", Integer.toString(round)),
                        entry -> false);
        gateway.run("swap", bundle, jar.toString()).ok();
        call.join(PATIENCE.toMillis());
        assertEquals("the command that ran has an end", 1, ended.size());
        assertFalse(ended.get(0).toString(), ended.get(0).exit() == 0);
        Wait.until(
                "the new bundle to serve",
                PATIENCE,
                () -> sandboxed(tier, "echo", "next").exit() == 0,
                () -> last("sandbox", "list"));
    }

    private static void nothingIsLeft() throws Exception {
        Wait.until(
                "every process to be gone",
                PATIENCE,
                () -> sleepers() == 0,
                () -> sleepers() + " are left");
    }

    private static long sleepers() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").endsWith(SLEEP))
                .count();
    }
}

package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceRegistration;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.journal.Journal;
import palyra.api.run.RunState;
import palyra.api.run.Runs;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeRecord;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.itests.Dist;
import palyra.itests.Wait;
import palyra.itests.process.CommandClient;

/** Policies decide in the running product, change without a restart, and may be killed. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class PolicyIT {
    private static final String JAR = "palyra.story.jar.palyra.policy";
    private static final String AGENT = "policed";
    private static final String PEEK = "story.peek";
    private static final String NEEDLE = "needle-4711";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Principal OPERATOR = operator(Set.of());
    private static final Principal ENTITLED =
            operator(Set.of("run.start", "run.read", "tool.allow_sensitive"));

    private final AtomicInteger peeks = new AtomicInteger();
    private House house;
    private ServiceRegistration<Tool> tool;

    private static Principal operator(Set<String> scopes) {
        return new Principal(
                "user:olga", PrincipalKind.USER, Set.of("operator"), scopes, "token:story");
    }

    @Configuration
    public Option[] configuration() {
        return ProductOptions.product(
                systemProperty(JAR).value(Dist.bundle("palyra.policy").toUri().toString()));
    }

    /** A tool that reads files, as it says. */
    private final class Peek implements Tool {
        @Override
        public ToolDescriptor descriptor() {
            return new ToolDescriptor(
                    PEEK,
                    "Peeks.",
                    "{\"type\":\"object\"}",
                    Set.of(Capability.FILESYSTEM_READ),
                    true,
                    true,
                    5_000,
                    4_096);
        }

        @Override
        public ToolResult execute(ToolInvocation invocation) {
            peeks.incrementAndGet();
            return ToolResult.of("{\"seen\":true}");
        }
    }

    @Before
    public void open() throws Exception {
        house = House.ready();
        tool = house.context().registerService(Tool.class, new Peek(), null);
        if (house.client().run("agents", "show", AGENT).exit() != 0) {
            run(
                            "agents",
                            "create",
                            AGENT,
                            "--test",
                            "true",
                            "--tool",
                            "palyra.echo",
                            "--tool",
                            "palyra.sleep",
                            "--tool",
                            PEEK)
                    .ok();
        }
        Wait.until("policies in force", () -> run("policy", "status").exit() == 0);
    }

    @After
    public void close() throws Exception {
        tool.unregister();
        house.bundle("palyra.policy").start();
        try (var files = Files.list(folder())) {
            for (Path file : files.filter(path -> path.toString().endsWith(".cedar")).toList()) {
                Files.delete(file);
            }
        }
        Wait.until(
                "the defaults to be back",
                PATIENCE,
                () -> confirmed() && run("doctor").exit() == 0,
                this::doctorSays);
    }

    /** What a test's policy forbade is given up by naming the set that lacks it. */
    private boolean confirmed() throws IOException {
        JsonNode report = run("policy", "reload", "--json").json();
        if (!report.path("outcome").asText().equals("needs_confirmation")) {
            return Set.of("applied", "unchanged").contains(report.path("outcome").asText());
        }
        String digest = report.path("sha256").asText();
        return run("policy", "reload", "--confirm", digest).exit() == 0;
    }

    private String doctorSays() {
        try {
            return run("doctor").out();
        } catch (IOException e) {
            return e.toString();
        }
    }

    private CommandClient.Result run(String... argv) throws IOException {
        return house.client().run(argv);
    }

    private Path folder() throws IOException {
        return Files.createDirectories(house.state().resolve("policies"));
    }

    private void save(String name, String text) throws IOException {
        Files.writeString(folder().resolve(name), text);
    }

    private static String calling(String toolName, String input) {
        return "#!palyra-script\n{\"turns\":[[{\"call\":{\"tool\":\""
                + toolName
                + "\",\"input\":"
                + input
                + "}}],[{\"say\":\"done\"}]]}";
    }

    private static String echoing() {
        return calling("palyra.echo", "{\"text\":\"" + NEEDLE + "\"}");
    }

    /** Sends a script and returns the run's id once it has ended. */
    private String ended(Principal who, String script, boolean allowSensitive) throws Exception {
        String messageId =
                house.with(Runs.class, runs -> runs.submit(who, message(script, allowSensitive)))
                        .messageId();
        return ended(who, messageId);
    }

    private static SubmittedMessage message(String script, boolean allowSensitive) {
        return new SubmittedMessage(
                "story",
                "",
                "",
                "",
                "",
                "",
                AGENT,
                script,
                "background",
                true,
                "",
                "",
                false,
                "",
                allowSensitive);
    }

    private String ended(Principal who, String messageId) throws Exception {
        List<String> found = new ArrayList<>(List.of(""));
        Wait.until(
                "the run to end",
                PATIENCE,
                () -> {
                    found.set(0, runOf(who, messageId));
                    return !found.get(0).isEmpty() && state(who, found.get(0)).terminal();
                },
                () -> "run " + found.get(0));
        assertEquals(RunState.SUCCEEDED, state(who, found.get(0)));
        return found.get(0);
    }

    private String runOf(Principal who, String messageId) throws Exception {
        return house.with(Runs.class, runs -> runs.submission(who, messageId)).runId();
    }

    private RunState state(Principal who, String runId) throws Exception {
        return house.with(Runs.class, runs -> runs.run(who, runId)).orElseThrow().state();
    }

    private List<JsonNode> records(String stream, String type) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        long after = 0;
        List<TapeRecord> page;
        do {
            long from = after;
            page = house.with(Journal.class, journal -> journal.tape(stream, from, 500));
            for (TapeRecord record : page) {
                after = record.seq();
                if (record.type().equals(type)) {
                    found.add(
                            CommandClient.JSON.readTree(
                                    new String(record.payload(), StandardCharsets.UTF_8)));
                }
            }
        } while (!page.isEmpty());
        return found;
    }

    private JsonNode decision(String runId) throws Exception {
        List<JsonNode> decisions = records(runId, "tool_decision");
        assertEquals(1, decisions.size());
        return decisions.get(0);
    }

    private static String verdict(JsonNode decision) {
        return decision.path("verdict").asText() + " " + decision.path("reasonCode").asText();
    }

    @Test
    public void theDefaultsLetEchoRunAndTheRecordsSayByWhat() throws Exception {
        String runId = ended(OPERATOR, echoing(), false);
        JsonNode decision = decision(runId);
        assertEquals("ALLOW policy.allow", verdict(decision));
        assertEquals("POLICY", decision.path("source").asText());
        assertTrue(decision.toString(), decision.path("policyIds").size() > 0);
        assertFalse("no input in a decision", decision.toString().contains(NEEDLE));
        JsonNode evidence = CommandClient.JSON.readTree(decision.path("evidenceJson").asText());
        assertEquals("tool.execute", evidence.path("action").asText());
        JsonNode start =
                records(TapeRecord.JOURNAL_STREAM, "access_decision").stream()
                        .filter(event -> event.path("action").asText().equals("run.start"))
                        .reduce((earlier, later) -> later)
                        .orElseThrow();
        assertEquals("POLICY", start.path("source").asText());
        assertEquals(decision.path("setSha256"), start.path("policySet"));
        assertEquals("run.start", start.path("evidence").path("action").asText());
        assertFalse("no message in a decision", start.toString().contains(NEEDLE));
    }

    @Test
    public void aSensitiveToolIsDeniedAsLongAsNobodyCanBeAsked() throws Exception {
        JsonNode decision = decision(ended(OPERATOR, calling(PEEK, "{}"), false));
        assertEquals("DENY approval.unavailable", verdict(decision));
        assertTrue(
                decision.toString(),
                decision.path("policyIds").toString().contains("sensitive_tools_need_approval"));
        assertEquals(0, peeks.get());
        String runId = ended(OPERATOR, calling(PEEK, "{}"), true);
        assertEquals(
                "who is not entitled asks in vain",
                "DENY approval.unavailable",
                verdict(decision(runId)));
        assertEquals(0, peeks.get());
    }

    @Test
    public void sensitiveToolsRunForWhomPolicyEntitles() throws Exception {
        String runId = ended(ENTITLED, calling(PEEK, "{}"), true);
        assertEquals("ALLOW policy.allow", verdict(decision(runId)));
        assertEquals(1, peeks.get());
        assertTrue(decision(runId).path("evidenceJson").asText().contains("allow_sensitive"));
        JsonNode start =
                records(TapeRecord.JOURNAL_STREAM, "access_decision").stream()
                        .filter(event -> event.path("facts").has("allowSensitive"))
                        .reduce((earlier, later) -> later)
                        .orElseThrow();
        assertEquals("granted", start.path("facts").path("allowSensitive").asText());
        assertEquals(
                "and not for a run that did not ask",
                "DENY approval.unavailable",
                verdict(decision(ended(ENTITLED, calling(PEEK, "{}"), false))));
    }

    @Test
    public void aSavedFileChangesTheNextDecisionAndNothingRestarts() throws Exception {
        var before = house.components();
        save(
                "story.cedar",
                """
                @id("story_no_echo")
                @reason("No echo today.")
                forbid (principal, action == Action::"tool.execute", resource == Tool::"palyra.echo");
                """);
        Wait.until(
                "the saved policy to decide",
                PATIENCE,
                () ->
                        verdict(decision(ended(OPERATOR, echoing(), false)))
                                .equals("DENY policy.denied"),
                this::doctorSays);
        JsonNode decision = decision(ended(OPERATOR, echoing(), false));
        assertEquals("[\"story_no_echo\"]", decision.path("policyIds").toString());
        assertEquals(before, house.components());
        Files.delete(folder().resolve("story.cedar"));
        Wait.until(
                "the loss of a forbid to be reported",
                PATIENCE,
                () -> run("doctor").out().contains("story_no_echo"),
                this::doctorSays);
        assertEquals(
                "a forbid does not go by being deleted",
                "DENY policy.denied",
                verdict(decision(ended(OPERATOR, echoing(), false))));
        assertTrue(confirmed());
        assertEquals("ALLOW policy.allow", verdict(decision(ended(OPERATOR, echoing(), false))));
    }

    @Test
    public void aBrokenFileKeepsTheLastGoodSetAndDoctorPointsAtTheFault() throws Exception {
        save("broken.cedar", "// a comment\nforbid (principal action, resource);\n");
        Wait.until(
                "doctor to point at the fault",
                PATIENCE,
                () -> run("doctor").out().contains("broken.cedar:2:"),
                this::doctorSays);
        assertEquals(1, run("doctor").exit());
        assertEquals("ALLOW policy.allow", verdict(decision(ended(OPERATOR, echoing(), false))));
        Files.delete(folder().resolve("broken.cedar"));
        Wait.until(
                "doctor to be content",
                PATIENCE,
                () -> run("doctor").exit() == 0,
                this::doctorSays);
    }

    @Test
    public void theBundleIsUpdatedOverAndOverInOneProcess() throws Exception {
        Bundle policy = house.bundle("palyra.policy");
        int updates = Boolean.getBoolean("palyra.test.full") ? 200 : 20;
        for (int i = 1; i <= updates; i++) {
            try (InputStream jar = URI.create(System.getProperty(JAR)).toURL().openStream()) {
                House.update(policy, jar);
            }
            int update = i;
            Wait.until(
                    "policies in force after update " + i,
                    PATIENCE,
                    () -> run("policy", "status").exit() == 0,
                    () -> "update " + update + ": " + doctorSays());
        }
        run("policy", "validate").ok();
        assertEquals(
                "available",
                run("policy", "status", "--json").json().path("nativeEngine").asText());
        assertEquals("ALLOW policy.allow", verdict(decision(ended(OPERATOR, echoing(), false))));
    }

    @Test
    public void aKilledGuardDeniesAndTheOwnerCanBringItBack() throws Exception {
        String script =
                "#!palyra-script\n{\"turns\":[[{\"call\":{\"tool\":\"palyra.sleep\",\"input\":"
                        + "{\"millis\":1000}}}],[{\"call\":{\"tool\":\"palyra.echo\",\"input\":"
                        + "{\"text\":\"x\"}}}],[{\"say\":\"done\"}]]}";
        String waiting =
                house.with(Runs.class, runs -> runs.submit(OPERATOR, message(script, false)))
                        .messageId();
        String runId = runOf(OPERATOR, waiting);
        Wait.until(
                "the first call to start",
                PATIENCE,
                () -> !records(runId, "tool_started").isEmpty(),
                () -> "");
        Bundle policy = house.bundle("palyra.policy");
        policy.stop();
        assertEquals(
                ErrorCode.POLICY_UNAVAILABLE,
                assertThrows(
                                PalyraException.class,
                                () ->
                                        house.with(
                                                Runs.class,
                                                runs ->
                                                        runs.submit(
                                                                OPERATOR,
                                                                message(echoing(), false))))
                        .code());
        assertEquals("no emergency", 69, run("agents", "list").exit());
        run("status").ok();
        CommandClient.Result doctor = run("doctor");
        assertEquals(1, doctor.exit());
        assertTrue(doctor.out(), doctor.out().contains("The policy engine is not there"));
        Wait.until(
                "the run to wait for policy",
                PATIENCE,
                () ->
                        house.with(Journal.class, journal -> journal.run(runId))
                                .orElseThrow()
                                .reason()
                                .equals("waiting for policy"),
                () -> "");
        run("gogo", "start " + policy.getBundleId()).ok();
        assertEquals(runId, ended(OPERATOR, waiting));
        assertEquals(2, records(runId, "tool_decision").size());
        for (JsonNode decision : records(runId, "tool_decision")) {
            assertEquals("ALLOW policy.allow", verdict(decision));
        }
        run("agents", "list").ok();
        Wait.until(
                "doctor to be content",
                PATIENCE,
                () -> run("doctor").exit() == 0,
                this::doctorSays);
        assertFalse(records(TapeRecord.JOURNAL_STREAM, "break_glass").isEmpty());
    }
}

package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.run.Runs;
import palyra.api.tape.TapeRecord;
import palyra.itests.Dist;
import palyra.itests.Wait;
import palyra.itests.process.CommandClient;

/** Policies decide in the running product, change without a restart, and may be killed. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class PolicyIT extends PolicedHouse {
    @Configuration
    public Option[] configuration() {
        return ProductOptions.product(
                systemProperty(JAR).value(Dist.bundle("palyra.policy").toUri().toString()));
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
    public void aSensitiveToolWaitsForAPersonAndANoIsFinal() throws Exception {
        String runId = asked(OPERATOR, calling(PEEK, "{}"), false);
        JsonNode decision = decision(runId);
        assertEquals("APPROVAL_REQUIRED policy.approval_required", verdict(decision));
        assertTrue(
                decision.toString(),
                decision.path("policyIds").toString().contains("sensitive_tools_need_approval"));
        assertEquals(0, peeks.get());
        answer(runId, false);
        assertEquals(0, peeks.get());
        runId = asked(OPERATOR, calling(PEEK, "{}"), true);
        assertEquals(
                "who is not entitled asks in vain",
                "APPROVAL_REQUIRED policy.approval_required",
                verdict(decision(runId)));
        answer(runId, false);
        assertEquals(0, peeks.get());
    }

    @Test
    public void aSensitiveToolRunsOnceAPersonHasSaidYes() throws Exception {
        String runId = asked(OPERATOR, calling(PEEK, "{}"), false);
        assertEquals(0, peeks.get());
        answer(runId, true);
        assertEquals(1, peeks.get());
        List<JsonNode> decisions = records(runId, "tool_decision");
        assertEquals(2, decisions.size());
        assertEquals("ALLOW policy.allow", verdict(decisions.get(1)));
        assertFalse(decisions.get(1).path("grantId").asText().isEmpty());
        assertEquals(
                decisions.get(1).path("grantId"),
                records(runId, "tool_started").get(0).path("grantId"));
        String export = run("approvals", "export").out();
        assertTrue(export, export.contains(runId));
        assertEquals(0, verifying(export));
        assertEquals(65, verifying(export.replaceFirst("a story", "a Story")));
    }

    private int verifying(String export) throws Exception {
        return house.client().runWith(export, "approvals", "verify", "-").exit();
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
        String other = asked(ENTITLED, calling(PEEK, "{}"), false);
        assertEquals(
                "and not for a run that did not ask",
                "APPROVAL_REQUIRED policy.approval_required",
                verdict(decision(other)));
        answer(other, false);
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
        assertEquals("not ready", 1, run("status").exit());
        CommandClient.Result doctor = run("doctor");
        assertEquals(1, doctor.exit());
        assertTrue(doctor.out(), doctor.out().contains("The policy engine is absent"));
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

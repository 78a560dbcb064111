package palyra.sandbox.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.ErrorCode;
import palyra.api.command.ExitCodes;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.wait.Await;

/** What an operator sees of a command that runs, and what stands in the journal. */
@Timeout(300)
class SandboxRunCommandTest extends SandboxCommandsFixture {
    @Test
    void commandRunsAsACallAndEverythingIsShown() throws Exception {
        FakeCommandContext context = ran(7, line("sh", "-c", "echo out; echo err >&2; exit 7"));
        assertEquals("out\n", new String(context.bytesOut(), StandardCharsets.UTF_8));
        String notes = said(context);
        for (String part :
                List.of(
                        "err",
                        "outcome: OK",
                        "exitCode: 7",
                        "enforcement: strict ",
                        "durationMillis: ")) {
            assertTrue(notes.contains(part), part + " is missing in " + notes);
        }
        assertEquals(1, desk.tierC.starts.get());
        assertEquals("operator", desk.access.toolRequests().get(0).agentId());
        assertEquals("palyra.process.run", desk.access.toolRequests().get(0).toolName());
        assertEquals("/bin/sh", desk.access.toolRequests().get(0).situation().facts().executable());
    }

    @Test
    void jsonHoldsOutputOutcomeCodeEnforcementAndTime() throws Exception {
        FakeCommandContext context = ran(0, line("echo", "x").json());
        Map<String, Object> fields = context.output().fieldSets().get(0);
        assertEquals("x\n", fields.get("stdout"));
        assertEquals("OK", fields.get("outcome"));
        assertEquals(0, fields.get("exitCode"));
        assertTrue(fields.get("enforcement").toString().startsWith("strict "));
        assertTrue(fields.containsKey("durationMillis"));
        assertEquals(0, context.bytesOut().length);
    }

    @Test
    void hostsThatTheProxyRefusedAreTold() throws Exception {
        desk.refusals = List.of("registry.example:443 is blocked.");
        FakeCommandContext context = ran(0, line("echo", "x").option("allow", "a.test"));
        assertTrue(said(context).contains("blockedHosts: [registry.example:443 is blocked.]"));
        FakeCommandContext json = ran(0, line("echo", "x").option("allow", "a.test").json());
        assertEquals(desk.refusals, json.output().fieldSets().get(0).get("blockedHosts"));
    }

    @Test
    void startAndSignedEndStandInTheJournal() throws Exception {
        ran(0, line("echo", "x"));
        JsonNode started = event(RunRecords.STARTED);
        JsonNode finished = event(RunRecords.FINISHED);
        assertEquals("user:test", started.get("principal").textValue());
        assertEquals("C", started.get("tier").textValue());
        assertEquals(started.get("callId"), finished.get("callId"));
        assertTrue(
                keys.verify(
                        KeyPurpose.ATTESTATION,
                        HexFormat.of().parseHex(finished.get("executionSha256").textValue()),
                        new KeySignature(
                                finished.get("keyId").textValue(),
                                Base64.getUrlDecoder()
                                        .decode(finished.get("signature").textValue()))));
        assertTrue(finished.get("enforcement").textValue().contains("canary=test"));
    }

    @Test
    void whatIsInterruptedIsRecordedToo() throws Exception {
        Path runs = folder.resolve("runs");
        FakeCommandContext context = line("sh", "-c", "touch " + runs + "; sleep 600").build();
        AtomicInteger exit = new AtomicInteger(-1);
        AtomicBoolean stillInterrupted = new AtomicBoolean();
        Thread caller =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        exit.set(run(context, "sandbox run"));
                                    } catch (Exception e) {
                                        throw new IllegalStateException(e);
                                    }
                                    stillInterrupted.set(Thread.currentThread().isInterrupted());
                                });
        Await.until("the command to run", () -> Files.exists(runs));
        caller.interrupt();
        Await.ended(caller);
        assertEquals(ExitCodes.CANCELLED, exit.get(), said(context));
        assertTrue(stillInterrupted.get());
        assertTrue(event(RunRecords.FINISHED).has("signature"));
    }

    @Test
    void withoutAJournalNothingStarts() throws Exception {
        journal.refuseUnits(ErrorCode.JOURNAL_UNAVAILABLE);
        ran(ExitCodes.UNAVAILABLE, line("echo", "x"));
        assertEquals(0, starts());
    }

    @Test
    void exitCodesTellWhatEndedIt() throws Exception {
        ran(ExitCodes.RESOURCE, line("sleep", "600").option("limits", "wall=500"));
        ran(ExitCodes.RESOURCE, line("yes").option("limits", "output=1000,wall=500"));
        ran(ExitCodes.NOT_FOUND, line("missing"));
        desk.tierC.start = new IllegalStateException("a defect");
        ran(ExitCodes.INTERNAL, line("echo", "x"));
        desk.backends.remove(desk.tierC);
        ran(ExitCodes.UNAVAILABLE, line("echo", "x"));
        assertEquals(5, journal.events(RunRecords.FINISHED).size());
    }

    @Test
    void replacedHelperIsSaidAndRecorded() throws Exception {
        desk.tierC.check =
                new palyra.api.PalyraException(ErrorCode.TOOL_UNAVAILABLE, "bwrap was replaced.");
        FakeCommandContext context = ran(ExitCodes.UNAVAILABLE, line("echo", "x"));
        assertTrue(said(context).contains("bwrap was replaced."));
        assertTrue(event(RunRecords.FINISHED).get("error").textValue().contains("replaced"));
        assertEquals(0, starts());
    }

    @Test
    void standardInputAndInterpretersAreAskedForExplicitly() throws Exception {
        FakeCommandContext context =
                ran(0, line("cat").in("typed").flag("stdin").flag("allow-interpreters"));
        assertEquals("typed", new String(context.bytesOut(), StandardCharsets.UTF_8));
        assertTrue(desk.interpretersAllowed.get(desk.interpretersAllowed.size() - 1));
        ran(0, line("cat").in("ignored"));
        assertFalse(desk.interpretersAllowed.get(desk.interpretersAllowed.size() - 1));
    }

    @Test
    void limitsThatAreNoneAreRefusedByName() throws Exception {
        for (String limits : List.of("wall", "wall=0", "wall=x", "speed=1", "wall=600000", "")) {
            ran(ExitCodes.USAGE, line("true").option("limits", limits));
        }
        assertEquals(0, starts());
    }
}

package palyra.sandbox.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.sandbox.internal.run.FakeBackend;
import palyra.shared.json.StrictJson;
import palyra.testing.wait.Await;

/** The tool that runs shell lines, with ordinary processes. */
@Timeout(300)
class ShellToolTest {
    @TempDir Path folder;
    private ProcessToolFixture fixture;
    private ShellTool tool;

    @BeforeEach
    void open() {
        fixture = new ProcessToolFixture(folder, Map.of());
        tool = new ShellTool(fixture.service);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static ObjectNode line(String line) {
        return JsonNodeFactory.instance.objectNode().put("command", line);
    }

    private ConfinedResult run(String callId, ObjectNode input, Tier tier, Egress egress)
            throws Exception {
        return tool.run(
                ProcessToolFixture.order(
                        ShellTool.NAME, callId, "run-1", input.toString(), tier, egress));
    }

    private static JsonNode output(ConfinedResult result) {
        return StrictJson.parse(result.result().outputJson(), "the output");
    }

    private List<SandboxSpec> specs() {
        synchronized (fixture.tierC.specs) {
            return List.copyOf(fixture.tierC.specs);
        }
    }

    @Test
    void aLineRunsWithItsPipesAndVariables() throws Exception {
        ConfinedResult result =
                run(
                        "c1",
                        line("X=/tmp/o; echo \"$X\" | tr a-z A-Z && exit 3"),
                        Tier.C,
                        Egress.STRICT);
        assertEquals(Outcome.SUCCEEDED, result.outcome());
        assertEquals("/TMP/O\n", output(result).get("stdout").textValue());
        assertEquals(3, output(result).get("exit_code").intValue());
    }

    @Test
    void aLineHasATerminalWhenItAsksForOne() throws Exception {
        ObjectNode input =
                line("[ -t 0 ] && [ -t 1 ] && stty size; echo it\\'s >&2; exit 3").put("pty", true);
        ConfinedResult result = run("c1", input, Tier.C, Egress.STRICT);
        assertEquals("40 120\nit's\n", output(result).get("stdout").textValue());
        assertEquals("", output(result).get("stderr").textValue());
        assertEquals(3, output(result).get("exit_code").intValue());
        ConfinedResult read =
                run(
                        "c2",
                        line("read X; echo got $X").put("pty", true).put("stdin", "a b\n"),
                        Tier.C,
                        Egress.STRICT);
        assertTrue(output(read).get("stdout").textValue().contains("got a b\n"), read.toString());
        PalyraException refused =
                assertThrows(
                        PalyraException.class, () -> run("c3", input, Tier.B, Egress.PREFLIGHT));
        assertTrue(refused.getMessage().contains("without pty"), refused.getMessage());
    }

    @Test
    void withoutTheProgramForTerminalsTheLineIsRefusedAndSaysWhat() {
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> PseudoTerminal.around(List.of("true"), List.of("/nowhere")));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertTrue(refused.getMessage().contains("script of util-linux"), refused.getMessage());
    }

    @Test
    void linesOfOneSessionShareASandboxUnlessTheySayOtherwise() throws Exception {
        ConfinedResult first = run("c1", line("true"), Tier.C, Egress.STRICT);
        assertTrue(
                output(first).get("note").textValue().contains("first command in a new sandbox"),
                first.toString());
        ConfinedResult second = run("c2", line("true"), Tier.C, Egress.STRICT);
        assertFalse(output(second).has("note"), second.toString());
        run("c3", line("true").put("session", false), Tier.C, Egress.STRICT);
        List<SandboxSpec> specs = specs();
        assertEquals(
                specs.get(0).shared().orElseThrow().id(), specs.get(1).shared().orElseThrow().id());
        assertTrue(specs.get(2).shared().isEmpty());
        assertEquals(1, fixture.sessions.count());
    }

    /** What policy decided for another place is not what a session has; the line runs there. */
    @Test
    void aLineThatWasDecidedForAnotherPlaceHasASandboxOfItsOwn() throws Exception {
        run("c1", line("true"), Tier.C, Egress.NONE);
        assertTrue(specs().get(0).shared().isEmpty());
        assertEquals(Outcome.SUCCEEDED, run("c2", line("true"), Tier.B, Egress.NONE).outcome());
        assertEquals(0, fixture.sessions.count());
    }

    @Test
    void aSessionIsRefusedWhereItCannotBeHad() {
        for (Tier tier : List.of(Tier.B, Tier.C)) {
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    run(
                                            "c1",
                                            line("true").put("session", true),
                                            tier,
                                            tier == Tier.B ? Egress.STRICT : Egress.NONE));
            assertEquals(ErrorCode.DENIED, refused.code());
            assertTrue(refused.getMessage().contains("without session"), refused.getMessage());
        }
        assertEquals(0, fixture.tierB.starts.get() + fixture.tierC.starts.get());
    }

    @Test
    void aBackgroundLineKeepsItsSandboxInUse() throws Exception {
        ConfinedResult started =
                run("c1", line("sleep 300").put("background", true), Tier.C, Egress.STRICT);
        assertEquals("running", output(started).get("state").textValue());
        assertTrue(specs().get(0).shared().isPresent());
        assertEquals(1, fixture.sessions.count());
    }

    @Test
    void fieldsOfOtherToolsAreIgnoredWithANote() throws Exception {
        ConfinedResult result = run("c1", line("echo out").put("args", "x"), Tier.C, Egress.STRICT);
        assertEquals("out\n", output(result).get("stdout").textValue());
        String note = output(result).get("note").textValue();
        assertTrue(note.contains("args") && note.contains("new sandbox"), note);
    }

    @Test
    void aLineMayBeCalledAsModelsAreUsedTo() throws Exception {
        ObjectNode input = JsonNodeFactory.instance.objectNode().put("cmd", "echo out");
        assertEquals(
                "out\n", output(run("c1", input, Tier.C, Egress.STRICT)).get("stdout").textValue());
        ObjectNode going = line("sleep 300").put("run_in_background", true).put("timeout", 60_000);
        ConfinedResult started = run("c2", going, Tier.C, Egress.STRICT);
        assertEquals("running", output(started).get("state").textValue());
        assertTrue(output(started).get("ends").textValue().contains("after 60000 ms"));
    }

    /** The one before it is told; that a line was tried twice is not. */
    @Test
    void aLineOfASessionWhoseBackendWasReplacedRunsInANewSandbox() throws Exception {
        run("c1", line("true"), Tier.C, Egress.STRICT);
        for (boolean background : List.of(false, true)) {
            FakeBackend next = new FakeBackend(Tier.C, folder);
            fixture.backends.add(next, Map.of("service.ranking", background ? 2 : 1));
            ObjectNode input = line("sleep 1").put("background", background);
            ConfinedResult result = run("c2" + background, input, Tier.C, Egress.STRICT);
            assertEquals(Outcome.SUCCEEDED, result.outcome(), result.toString());
            String note = output(result).get("note").textValue();
            assertTrue(note.contains("are being replaced"), note);
            assertEquals(2, next.starts.get(), "the first one was refused");
        }
        assertEquals(
                1, fixture.backgrounds.of(owner()).size(), "of the start that was refused, none");
    }

    private static BackgroundProcess.Owner owner() {
        return BackgroundProcess.Owner.of(
                ProcessToolFixture.order(ShellTool.NAME, "c", "run-1", "{}", Tier.C, Egress.STRICT)
                        .invocation());
    }

    @Test
    void aLineOfASessionWhoseSandboxHasEndedRunsInANewOne() throws Exception {
        fixture.tierC.refusesEnded = true;
        run("c1", line("true"), Tier.C, Egress.STRICT);
        for (boolean background : List.of(false, true)) {
            SandboxProcess holder = specs().getLast().shared().orElseThrow().holder().orElseThrow();
            ProcessHandle.of(holder.pid()).orElseThrow().destroyForcibly();
            Await.until("its end", Duration.ofSeconds(60), () -> ended(holder));
            ObjectNode input = line("sleep 1").put("background", background);
            ConfinedResult result = run("c2" + background, input, Tier.C, Egress.STRICT);
            assertEquals(Outcome.SUCCEEDED, result.outcome(), result.toString());
        }
    }

    private static boolean ended(SandboxProcess process) {
        try {
            return process.await(0).isPresent();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aSandboxThatRefusesForAnotherReasonIsToldAtOnce() throws Exception {
        run("c1", line("true"), Tier.C, Egress.STRICT);
        fixture.tierC.start = new PalyraException(ErrorCode.DENIED, "No such thing.");
        ConfinedResult result = run("c2", line("true"), Tier.C, Egress.STRICT);
        assertEquals(Outcome.FAILED, result.outcome());
        assertEquals(2, fixture.tierC.starts.get());
    }

    @Test
    void anEmptyLineIsRefused() {
        PalyraException refused =
                assertThrows(
                        PalyraException.class, () -> run("c1", line(" \n"), Tier.C, Egress.STRICT));
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        assertTrue(refused.getMessage().contains("send the line to run"), refused.getMessage());
    }

    /** The hosts of a call are its own: what it leaves running reaches none after its end. */
    @Test
    void aCallThatLeavesProcessesSaysThatTheirNetworkEnds() {
        assertEquals("", ProcessToolService.noteOfLeft(1, 1, true));
        assertEquals(
                "1 process is still running in the session.",
                ProcessToolService.noteOfLeft(0, 1, false));
        String note = ProcessToolService.noteOfLeft(0, 2, true);
        assertTrue(note.startsWith("2 processes are still running in the session. "), note);
        assertTrue(note.contains("reaches no other host any more"), note);
        assertTrue(note.contains("a call of its own with background"), note);
        assertTrue(tool.descriptor().description().contains("background"));
    }

    @Test
    void aTimeAboveEveryBoundIsCutAndSaid() throws Exception {
        ObjectNode input = line("echo hi").put("timeout_ms", 1_000_000_000_000L);
        String note = output(run("c-long", input, Tier.C, Egress.STRICT)).path("note").textValue();
        assertTrue(note.contains("asked 1000000000000 ms, the limit is"), note);
    }

    @Test
    void aTimeWithoutAUnitIsSaidOrAskedAbout() throws Exception {
        String taken =
                output(run("c-unit", line("echo").put("timeout", 60_000), Tier.C, Egress.STRICT))
                        .path("note")
                        .textValue();
        assertTrue(taken.contains("timeout was taken as milliseconds"), taken);
        PalyraException asked =
                assertThrows(
                        PalyraException.class,
                        () -> run("c-sec", line("echo").put("timeout", 60), Tier.C, Egress.STRICT));
        assertTrue(
                asked.getMessage().contains("such as 60000 for 60 s, since timeout names no unit"),
                asked.getMessage());
        run("c-ms", line("echo").put("timeout_ms", 900), Tier.C, Egress.STRICT);
    }
}

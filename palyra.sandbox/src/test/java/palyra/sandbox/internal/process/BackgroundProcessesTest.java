package palyra.sandbox.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
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
import palyra.api.core.tools.ConfinedResult;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.shared.json.StrictJson;
import palyra.testing.wait.Await;

/** Processes that go on after their call. */
@Timeout(300)
class BackgroundProcessesTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir Path folder;
    private ProcessToolFixture fixture;
    private int calls;

    @BeforeEach
    void open() {
        fixture =
                new ProcessToolFixture(
                        folder, Map.of("maxBackground", 2, "backgroundMaxMillis", 86_400_000L));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private ConfinedResult begin(String run, String command, String script) throws Exception {
        String json =
                command.equals("sh")
                        ? "{\"command\":\"sh\",\"args\":[\"-c\",\"" + script + "\"]}"
                        : "{\"command\":\"" + command + "\"}";
        return new ProcessStartTool(fixture.service)
                .run(
                        ProcessToolFixture.order(
                                ProcessStartTool.NAME,
                                "call-" + calls++,
                                run,
                                json,
                                Tier.C,
                                Egress.STRICT));
    }

    private String start(String run, String script) throws Exception {
        ConfinedResult result = begin(run, "sh", script);
        assertEquals(Outcome.SUCCEEDED, result.outcome());
        assertTrue(result.enforcement().endsWith("canary=test"), result.enforcement());
        return json(result.result().outputJson()).get("process_id").textValue();
    }

    private static JsonNode json(String text) {
        return StrictJson.parse(text, "the output");
    }

    private static JsonNode call(Tool tool, String run, String principal, String input)
            throws Exception {
        return json(
                tool.execute(
                                new ToolInvocation(
                                        "c", 1, run, "session", principal, input, Long.MAX_VALUE))
                        .outputJson());
    }

    private JsonNode status(String run, String input) throws Exception {
        return call(new ProcessStatusTool(fixture.backgrounds), run, "user:anna", input);
    }

    private JsonNode stop(String run, String id) throws Exception {
        return call(
                new ProcessStopTool(fixture.backgrounds),
                run,
                "user:anna",
                "{\"process_id\":\"" + id + "\"}");
    }

    private JsonNode awaitEnd(String run, String id) {
        JsonNode[] last = new JsonNode[1];
        Await.until(
                "the end of " + id,
                LONG,
                () -> {
                    try {
                        last[0] = status(run, "{\"process_id\":\"" + id + "\"}");
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                    return last[0].get("state").textValue().equals("ended");
                });
        return last[0];
    }

    @Test
    void theIdOfTheDescriptionsIsLikeARealOne() throws Exception {
        String id = start("run-1", "true");
        assertEquals(id.length(), BackgroundProcess.EXAMPLE_ID.length());
        assertTrue(BackgroundProcess.EXAMPLE_ID.matches("p-[0-9A-HJKMNP-TV-Z]{26}"));
    }

    @Test
    void processGoesOnAndTellsWhatIsNew() throws Exception {
        String id = start("run-1", "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two");
        String[] cursor = new String[1];
        Await.until(
                "the first line",
                LONG,
                () -> {
                    try {
                        JsonNode seen = status("run-1", "{\"process_id\":\"" + id + "\"}");
                        cursor[0] = seen.get("cursor").textValue();
                        return seen.get("stdout").textValue().equals("one\n");
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        java.nio.file.Files.createFile(folder.resolve("go"));
        awaitEnd("run-1", id);
        JsonNode last =
                status("run-1", "{\"process_id\":\"" + id + "\",\"cursor\":\"" + cursor[0] + "\"}");
        assertEquals("two\n", last.get("stdout").textValue());
        assertEquals(0, last.get("exit_code").intValue());
    }

    @Test
    void onlyItsOwnRunAndPrincipalKnowIt() throws Exception {
        String id = start("run-1", "sleep 600");
        String input = "{\"process_id\":\"" + id + "\"}";
        for (Tool tool :
                new Tool[] {
                    new ProcessStatusTool(fixture.backgrounds),
                    new ProcessStopTool(fixture.backgrounds)
                }) {
            assertEquals(
                    ErrorCode.NOT_FOUND,
                    assertThrows(
                                    PalyraException.class,
                                    () -> call(tool, "run-2", "user:anna", input))
                            .code());
            assertEquals(
                    ErrorCode.NOT_FOUND,
                    assertThrows(
                                    PalyraException.class,
                                    () -> call(tool, "run-1", "user:eve", input))
                            .code());
        }
        assertEquals(0, status("run-2", "{}").get("processes").size());
        assertEquals(1, status("run-1", "{}").get("processes").size());
        assertEquals("running", status("run-1", input).get("state").textValue());
    }

    @Test
    void stopEndsItWithEverythingThatItStarted() throws Exception {
        String id = start("run-1", "setsid sleep 600 & sleep 600");
        assertTrue(stop("run-1", id).get("stopped").booleanValue());
        assertEquals("KILLED", awaitEnd("run-1", id).get("outcome").textValue());
        assertFalse(stop("run-1", id).get("stopped").booleanValue());
        assertEquals(0, fixture.runner.running());
    }

    @Test
    void stopTellsHowItEndedAndWhatItWroteLast() throws Exception {
        String id = start("run-1", "echo up; sleep 600");
        JsonNode seen =
                status(
                        "run-1",
                        "{\"process_id\":\"" + id + "\",\"cursor\":\"0:0\",\"wait_ms\":60000}");
        assertEquals("up\n", seen.get("stdout").textValue());
        JsonNode ended = stop("run-1", id);
        assertEquals("ended", ended.get("state").textValue());
        assertEquals("KILLED", ended.get("outcome").textValue());
        assertEquals("up\n", ended.get("stdout").textValue());
        assertTrue(ended.get("command").textValue().contains("sleep 600"));
    }

    @Test
    void waitEndsWithNewOutputOrTheEnd() throws Exception {
        String id = start("run-1", "while [ ! -e go ]; do sleep 0.05; done; echo two");
        String about = "{\"process_id\":\"" + id + "\"";
        JsonNode none = status("run-1", about + ",\"wait_ms\":1}");
        assertEquals("", none.get("stdout").textValue());
        assertTrue(none.get("elapsed_ms").longValue() >= 0);
        assertFalse(none.has("enforcement"));
        java.nio.file.Files.createFile(folder.resolve("go"));
        String cursor =
                ",\"cursor\":\"" + none.get("cursor").textValue() + "\",\"wait_ms\":200000}";
        JsonNode more = status("run-1", about + cursor);
        assertEquals("two\n", more.get("stdout").textValue());
        JsonNode end = status("run-1", about + ",\"wait_ms\":200000}");
        while (end.get("state").textValue().equals("running")) {
            end = status("run-1", about + ",\"wait_ms\":200000}");
        }
        assertEquals(0, end.get("exit_code").intValue());
    }

    @Test
    void aWaitWithoutAnIdIsForTheOnlyProcess() throws Exception {
        JsonNode nothing = status("run-1", "{\"wait_ms\":5}");
        assertEquals(0, nothing.get("processes").size());
        assertTrue(nothing.get("note").textValue().contains("nothing to wait for"));
        String ended = start("run-1", "true");
        awaitEnd("run-1", ended);
        assertEquals(ended, status("run-1", "{\"wait_ms\":5}").get("process_id").textValue());
        String one = start("run-1", "sleep 600");
        assertEquals(one, status("run-1", "{\"wait_ms\":5}").get("process_id").textValue());
        String two = start("run-1", "sleep 600");
        PalyraException thrown =
                assertThrows(PalyraException.class, () -> status("run-1", "{\"wait_ms\":5}"));
        String message = thrown.getMessage();
        assertTrue(message.contains(one) && message.contains(two), message);
    }

    @Test
    void lastLinesAreShownByDefaultAndAllIsInTheFile() throws Exception {
        String id = start("run-1", "seq 1 50000");
        awaitEnd("run-1", id);
        JsonNode seen = status("run-1", "{\"process_id\":\"" + id + "\"}");
        String last = seen.get("stdout").textValue();
        assertTrue(last.endsWith("\n50000\n"), last);
        assertTrue(last.length() <= ProcessStatusTool.END_ROOM, "it shows " + last.length());
        Path file = Path.of(seen.get("stdout_file").textValue());
        assertEquals(50_000, java.nio.file.Files.readAllLines(file).size());
        JsonNode all = status("run-1", "{\"process_id\":\"" + id + "\",\"cursor\":\"0:0\"}");
        assertTrue(all.get("stdout").textValue().startsWith("1\n2\n"));
        assertTrue(all.get("stdout").textValue().contains("all of it is in " + file));
    }

    @Test
    void processEndsWithItsRun() throws Exception {
        String id = start("run-1", "setsid sleep 600 & sleep 600");
        start("run-2", "sleep 600");
        fixture.over.add("run-1");
        assertTrue(awaitEnd("run-1", id).get("problem").textValue().contains("its run has ended"));
        assertEquals(1, fixture.runner.running());
    }

    @Test
    void processThatOutlivesItsRunIsTheSessionsUntilThatEnds() throws Exception {
        String input =
                "{\"command\":\"sh\",\"args\":[\"-c\",\"echo up; sleep 600\"],\"outlive_run\":true}";
        ConfinedResult result =
                new ProcessStartTool(fixture.service)
                        .run(
                                ProcessToolFixture.order(
                                        ProcessStartTool.NAME,
                                        "c",
                                        "run-1",
                                        input,
                                        Tier.C,
                                        Egress.STRICT));
        JsonNode started = json(result.result().outputJson());
        assertTrue(started.get("ends").textValue().startsWith("with this session"));
        String id = started.get("process_id").textValue();
        fixture.over.add("run-1");
        String other = start("run-1", "sleep 600"); // a process of a run that is over
        awaitEnd("run-1", other);
        String about = "{\"process_id\":\"" + id + "\"}";
        assertEquals("running", status("run-2", about).get("state").textValue());
        assertTrue(status("run-2", about).get("outlives_run").booleanValue());
        assertEquals(1, status("run-2", "{}").get("processes").size());
        assertThrows(
                PalyraException.class,
                () -> call(new ProcessStatusTool(fixture.backgrounds), "run-2", "user:eve", about));
        fixture.over.add("session");
        assertTrue(awaitEnd("run-2", id).get("problem").textValue().contains("session has ended"));
    }

    @Test
    void runHasOnlySoMany() throws Exception {
        String first = start("run-1", "sleep 600");
        start("run-1", "sleep 600");
        assertEquals(
                ErrorCode.RESOURCE_EXHAUSTED,
                assertThrows(PalyraException.class, () -> start("run-1", "sleep 600")).code());
        start("run-2", "sleep 600");
        stop("run-1", first);
        awaitEnd("run-1", first);
        start("run-1", "sleep 600");
    }

    @Test
    void processThatNobodyAsksForIsEnded() throws Exception {
        try (ProcessToolFixture brief =
                new ProcessToolFixture(folder, Map.of("backgroundMaxMillis", 1_000L))) {
            fixture.close();
            fixture = brief;
            start("run-1", "sleep 600");
            Await.until("its end", LONG, () -> brief.runner.running() == 0);
        }
    }

    @Test
    void closingEndsThemAll() throws Exception {
        start("run-1", "sleep 600");
        start("run-2", "setsid sleep 600 & sleep 600");
        fixture.close();
        assertEquals(0, fixture.runner.running());
        assertThrows(PalyraException.class, () -> start("run-3", "sleep 600"));
        Await.until(
                "threads to end",
                LONG,
                () ->
                        Thread.getAllStackTraces().keySet().stream()
                                .noneMatch(
                                        thread -> thread.getName().startsWith("palyra-sandbox-")));
    }

    @Test
    void wayToTheNetworkIsCutWithTheProcess() throws Exception {
        ConfinedResult result =
                new ProcessStartTool(fixture.service)
                        .run(
                                ProcessToolFixture.order(
                                        ProcessStartTool.NAME,
                                        "c",
                                        "run-1",
                                        "{\"command\":\"sleep\",\"args\":[\"600\"],"
                                                + "\"hosts\":[\"a.test\"]}",
                                        Tier.C,
                                        Egress.STRICT));
        String id = json(result.result().outputJson()).get("process_id").textValue();
        assertFalse(fixture.proxies.get(0).closed);
        stop("run-1", id);
        Await.until("the proxy to close", LONG, () -> fixture.proxies.get(0).closed);
    }

    @Test
    void programThatCannotBeExecutedIsToldAtOnce() throws Exception {
        ConfinedResult result = begin("run-1", "missing", "");
        assertEquals(Outcome.FAILED, result.outcome());
        assertEquals("SPAWN_FAILED", json(result.result().outputJson()).get("outcome").textValue());
    }

    @Test
    void sandboxThatRefusesIsToldAtOnceAndTakesNoPlace() throws Exception {
        fixture.tierC.check = new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "replaced");
        for (int i = 0; i < 5; i++) {
            assertEquals(
                    ErrorCode.TOOL_UNAVAILABLE,
                    assertThrows(PalyraException.class, () -> start("run-1", "sleep 600")).code());
        }
        fixture.tierC.check = null;
        start("run-1", "sleep 600");
    }

    @Test
    void runToolWithBackgroundDoesTheSame() throws Exception {
        ConfinedResult result =
                new ProcessRunTool(fixture.service)
                        .run(
                                ProcessToolFixture.order(
                                        ProcessRunTool.NAME,
                                        "c",
                                        "run-1",
                                        "{\"command\":\"sleep\",\"args\":[\"600\"],"
                                                + "\"background\":true}",
                                        Tier.C,
                                        Egress.STRICT));
        String id = json(result.result().outputJson()).get("process_id").textValue();
        assertEquals(
                "running",
                status("run-1", "{\"process_id\":\"" + id + "\"}").get("state").textValue());
    }

    @Test
    void cursorThatIsNoneIsRefused() throws Exception {
        String id = start("run-1", "sleep 600");
        assertThrows(
                PalyraException.class,
                () -> status("run-1", "{\"process_id\":\"" + id + "\",\"cursor\":\"-1:0\"}"));
        status("run-1", "{\"process_id\":\"" + id + "\",\"cursor\":\"999999:999999\"}");
    }
}

package palyra.skills.internal.trycommand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.Confinement;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.skills.internal.Samples;
import palyra.skills.internal.host.fakes.Fixtures;
import palyra.skills.internal.host.fakes.Skills;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillTool;
import palyra.testing.command.FakeCommandContext;

/** {@code skills run} and {@code skills admit} with real modules. */
final class OperatorCommandsTest extends OperatorCommandsFixture {
    private static final String URL = "{\"url\":\"https://api.example.com/\"}";

    @TempDir Path folder;

    @Test
    void aModuleFromStandardInputRunsAsAToolCallWould() throws Exception {
        FakeCommandContext context = module("basic").option("input", "{\"a\":1}").build();
        assertEquals(ExitCodes.OK, run(context));
        JsonNode shown = json(context);
        assertEquals("SUCCEEDED", shown.path("outcome").asText());
        assertEquals("{\"a\":1}", shown.path("output").asText());
        assertTrue(shown.path("fuelUsed").asLong() > 0);
        assertEquals(2 * 65_536, shown.path("peakMemoryBytes").asLong());
        assertTrue(shown.has("runMicros"));
        assertEquals("info: hello", shown.path("log").path(0).asText());
        assertEquals("operator", stage.access.toolRequests().get(0).agentId());
        assertEquals("skill.execute", stage.access.requests().get(0).action());
        assertEquals(1, stage.journal.events(OperatorCallRecords.STARTED).size());
        assertEquals(1, stage.journal.events(OperatorCallRecords.FINISHED).size());
    }

    @Test
    void aFileIsFoundInTheFolderOfTheCaller() throws Exception {
        Files.write(folder.resolve("echo.wasm"), Fixtures.module("basic"));
        FakeCommandContext context =
                FakeCommandContext.builder()
                        .positionals("echo.wasm")
                        .workingFolder(folder.toString())
                        .build();
        assertEquals(ExitCodes.OK, run(context));
        assertEquals("{}\n", new String(context.bytesOut(), StandardCharsets.UTF_8));
        FakeCommandContext stranger =
                FakeCommandContext.builder()
                        .positionals("echo.wasm")
                        .workingFolder(folder.toString())
                        .principal(
                                new palyra.api.access.Principal(
                                        "user:eve",
                                        palyra.api.access.PrincipalKind.USER,
                                        java.util.Set.of("integrator"),
                                        java.util.Set.of(),
                                        "t"))
                        .build();
        assertEquals(ExitCodes.DENIED, run(stranger));
        FakeCommandContext missing =
                FakeCommandContext.builder()
                        .positionals("none.wasm")
                        .workingFolder(folder.toString())
                        .build();
        assertEquals(ExitCodes.NOT_FOUND, run(missing));
    }

    @Test
    void grantsOfAFileAreThoseOnTheLineAndNoOthers() throws Exception {
        FakeCommandContext bare = module("ask").option("input", URL).build();
        assertEquals(ExitCodes.DENIED, run(bare));
        assertTrue(stage.egress.sent.isEmpty());
        FakeCommandContext granted =
                module("ask").option("input", URL).option("grant", "http=api.example.com").build();
        assertEquals(ExitCodes.OK, run(granted));
        assertTrue(json(granted).path("output").asText().contains("hello"));
        FakeCommandContext other =
                module("ask").option("input", URL).option("grant", "http=other.test").build();
        assertEquals(ExitCodes.OK, run(other));
        assertTrue(json(other).path("output").asText().contains("denied"));
    }

    @Test
    void anInstalledSkillRunsByItsIdWithItsOwnGrants() throws Exception {
        SkillTool tool =
                new SkillTool(
                        "acme.weather.get",
                        "x",
                        "{\"type\":\"object\",\"required\":[\"city\"]}",
                        "{}",
                        "weather.wasm",
                        "palyra_call",
                        false,
                        false,
                        false);
        skills.put(
                Skills.skill(
                        "acme.weather", "1.0.0", SkillGrants.NONE, Fixtures.module("basic"), tool));
        FakeCommandContext.Builder given =
                FakeCommandContext.builder().positionals("acme.weather").json();
        FakeCommandContext fits = given.option("input", "{\"city\":\"Köln\"}").build();
        assertEquals(ExitCodes.OK, run(fits));
        FakeCommandContext unfit = FakeCommandContext.builder().positionals("acme.weather").build();
        assertEquals(ExitCodes.USAGE, run(unfit));
        FakeCommandContext more =
                FakeCommandContext.builder()
                        .positionals("acme.weather")
                        .option("input", "{\"city\":\"x\"}")
                        .option("grant", "http=evil.test")
                        .build();
        assertEquals(ExitCodes.USAGE, run(more));
        FakeCommandContext unknown = FakeCommandContext.builder().positionals("acme.x").build();
        assertEquals(ExitCodes.NOT_FOUND, run(unknown));
    }

    @Test
    void limitsAndFailuresHaveExitCodesOfTheirOwn() throws Exception {
        FakeCommandContext fuel =
                module("basic").option("tool", "spin").option("fuel", "1000").build();
        assertEquals(ExitCodes.RESOURCE, run(fuel));
        assertEquals("OUT_OF_FUEL", json(fuel).path("ending").asText());
        assertEquals(1_000, json(fuel).path("fuelUsed").asLong());
        FakeCommandContext failing = module("basic").option("tool", "fail").build();
        assertEquals(ExitCodes.FAILED, run(failing));
        assertEquals(3, json(failing).path("exitCode").asInt());
        assertEquals(
                ExitCodes.UNAVAILABLE,
                run(module("basic").option("engine", "none").option("timeout", "1").build()));
        assertEquals(ExitCodes.USAGE, run(module("basic").option("fuel", "0").build()));
    }

    @Test
    void policyDecidesAsAboutACall() throws Exception {
        stage.confine(Confinement.STRICTEST);
        assertEquals(ExitCodes.DENIED, run(module("basic").build()));
        stage.decide(question -> Verdict.DENY);
        assertEquals(ExitCodes.DENIED, run(module("basic").build()));
        assertEquals(1, stage.journal.events(OperatorCallRecords.STARTED).size());
    }

    @Test
    void withoutARecordNothingRuns() throws Exception {
        stage.journal.refuseUnits(ErrorCode.JOURNAL_UNAVAILABLE);
        FakeCommandContext context =
                module("ask").option("input", URL).option("grant", "http=api.example.com").build();
        assertEquals(ExitCodes.UNAVAILABLE, run(context));
        assertTrue(stage.egress.sent.isEmpty());
    }

    @Test
    void anArtifactForAnotherPalyraIsNotRun() throws Exception {
        FakeCommandContext context =
                FakeCommandContext.builder()
                        .positionals("-")
                        .in(
                                new ByteArrayInputStream(
                                        new Samples()
                                                .compat("min_palyra_version = '0.1.1'")
                                                .signed()))
                        .build();
        assertEquals(ExitCodes.FAILED, run(context));
        assertTrue(
                context.output().notes().toString().contains("(palyra_too_old)"),
                context.output().notes().toString());
        assertTrue(stage.journal.events(OperatorCallRecords.STARTED).isEmpty());
    }

    @Test
    void aVerdictHasReasonsAndDigests() throws Exception {
        FakeCommandContext good = module("ask").build();
        assertEquals(ExitCodes.OK, admit(good));
        JsonNode verdict = json(good);
        assertEquals("admitted", verdict.path("verdict").asText());
        assertEquals(64, verdict.path("meteredSha256").asText().length());
        assertEquals("http_request", verdict.path("capabilities").path(0).asText());
        FakeCommandContext ungranted = module("ask").option("grant", "storage=a").build();
        assertEquals(ExitCodes.FAILED, admit(ungranted));
        assertEquals("refused", json(ungranted).path("verdict").asText());
        assertTrue(json(ungranted).path("reasons").toString().contains("import_not_granted"));
        assertFalse(json(ungranted).has("meteredSha256"));
    }

    @Test
    void whatIsNoModuleIsSaid() throws Exception {
        FakeCommandContext text =
                FakeCommandContext.builder().positionals("-").in("(module)").build();
        assertEquals(ExitCodes.USAGE, admit(text));
        FakeCommandContext zip =
                FakeCommandContext.builder().positionals("-").in("PK\u0003\u0004").build();
        assertEquals(ExitCodes.USAGE, admit(zip));
        FakeCommandContext broken =
                FakeCommandContext.builder().positionals("-").in("PK\u0003\u0004").build();
        assertEquals(ExitCodes.of(ErrorCode.CORRUPT), run(broken));
    }

    @Test
    void grantsThatAreNoneAreRefused() {
        for (String grant :
                List.of("http", "http=", "=x", "files=/etc", "secret=key", "secret=/k")) {
            assertThrows(PalyraException.class, () -> GrantOptions.read(List.of(grant)), grant);
        }
        SkillGrants read =
                GrantOptions.read(
                        List.of("secret-value=global/k", "storage-write=n", "channel=a:b"));
        assertTrue(read.secrets().get(0).value());
        assertTrue(read.storage().get(0).write());
        List<String> hosts = List.of("http=a.example", "http=b.example");
        List<String> given = new ArrayList<>(hosts);
        given.add("secret=global/k@b.example");
        given.add("secret=global/l");
        SkillGrants bound = GrantOptions.read(given);
        assertEquals(List.of("b.example"), bound.secrets().get(0).hosts());
        assertEquals(List.of(), bound.secrets().get(1).hosts());
        given.add("secret=global/m@c.example");
        assertThrows(PalyraException.class, () -> GrantOptions.read(given));
    }
}

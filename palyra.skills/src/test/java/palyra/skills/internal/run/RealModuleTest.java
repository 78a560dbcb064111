package palyra.skills.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.wasm.WasmEnding;
import palyra.shared.hash.Digests;
import palyra.skills.internal.host.fakes.Fixtures;
import palyra.skills.internal.host.fakes.InterpretedEngine;
import palyra.skills.internal.host.fakes.Skills;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;
import palyra.testing.wasm.WasmBuilder;
import palyra.testing.wasm.WasmCode;

/** Real modules, really admitted and really run. */
final class RealModuleTest {
    private static final String INPUT = "{\"city\":\"Köln\"}";

    private final Stage stage = new Stage();
    private final Engines engines = new Engines();
    private final SkillRunner runner =
            new SkillRunner(engines, new ModuleAdmission(), () -> RunSettings.DEFAULT);

    RealModuleTest() {
        InterpretedEngine engine = new InterpretedEngine();
        engines.add(engine, engine.properties());
    }

    @AfterEach
    void close() {
        runner.close();
    }

    private RunReport run(String module, String entrypoint, SkillGrants grants, String input)
            throws InterruptedException {
        return run(Fixtures.module(module), entrypoint, grants, input);
    }

    private RunReport run(byte[] module, String entrypoint, SkillGrants grants, String input)
            throws InterruptedException {
        SkillTool tool =
                new SkillTool(
                        "acme.weather.get",
                        "x",
                        "{}",
                        "{}",
                        "weather.wasm",
                        entrypoint,
                        false,
                        false,
                        false);
        LoadedSkill skill = Skills.skill("acme.weather", "1.0.0", grants, module, tool);
        return runner.run(
                new RunRequest(
                        Stage.scope(grants),
                        skill,
                        tool,
                        Digests.sha256Hex(module),
                        input.getBytes(StandardCharsets.UTF_8),
                        new SkillQuotas(10_000, 500_000, 1 << 20),
                        "",
                        Tier.A,
                        stage.seams));
    }

    private RunReport basic(String entrypoint) throws InterruptedException {
        return run("basic", entrypoint, SkillGrants.NONE, INPUT);
    }

    private static String output(RunReport report) {
        return new String(report.output(), StandardCharsets.UTF_8);
    }

    @Test
    void aToolReadsItsInputAndWritesItsOutput() throws InterruptedException {
        RunReport report = basic("palyra_call");
        assertEquals(WasmEnding.RETURNED, report.result().ending(), report.result().detail());
        assertEquals(0, report.exitCode());
        assertEquals(INPUT, output(report));
        assertEquals(List.of("info: hello"), report.log());
        assertTrue(report.result().fuelUsed() > 0);
        assertEquals(report.result().fuelUsed(), basic("palyra_call").result().fuelUsed());
    }

    @Test
    void loopsEndWithTheFuelAndRecursionWithTheDepth() throws InterruptedException {
        RunReport spin = basic("spin");
        assertEquals(WasmEnding.OUT_OF_FUEL, spin.result().ending());
        assertEquals(WasmEnding.CALL_DEPTH, basic("deep").result().ending());
    }

    @Test
    void faultsEndTheCallAlone() throws InterruptedException {
        assertEquals(WasmEnding.TRAPPED, basic("trap").result().ending());
        assertEquals(WasmEnding.TRAPPED, basic("outside").result().ending());
        RunReport abort = basic("bad");
        assertEquals(WasmEnding.TRAPPED, abort.result().ending());
        assertEquals("abort: bad! at :4:2", abort.result().detail());
        assertEquals(0, basic("palyra_call").exitCode());
    }

    @Test
    void aToolThatFailsTellsItsNumber() throws InterruptedException {
        RunReport report = basic("fail");
        assertEquals(3, report.exitCode());
        assertEquals("hello", output(report));
    }

    @Test
    void memoryDoesNotGrowBeyondTheQuota() throws InterruptedException {
        RunReport report = basic("grow");
        assertEquals(-1, report.exitCode());
        assertEquals(2, report.result().memoryPages());
        assertEquals(16, report.module().memoryPages());
    }

    @Test
    void anImportThatIsNotGrantedKeepsTheModuleFromStarting() {
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> run("ask", "palyra_call", SkillGrants.NONE, "{}"));
        assertEquals(ErrorCode.DENIED, refused.code());
        assertTrue(refused.getMessage().contains("host_capability_http_request"));
    }

    @Test
    void aMissingEntrypointIsSaid() {
        PalyraException refused = assertThrows(PalyraException.class, () -> basic("nothing"));
        assertTrue(refused.getMessage().contains("nothing"), refused.getMessage());
    }

    @Test
    void aGrantedHostIsReachedFromInsideAndAnotherIsNot() throws InterruptedException {
        RunReport allowed =
                run("ask", "palyra_call", Stage.grants(), "{\"url\":\"https://api.example.com/\"}");
        assertTrue(output(allowed).contains("\"body\":\"hello\""), output(allowed));
        RunReport denied =
                run("ask", "palyra_call", Stage.grants(), "{\"url\":\"https://evil.test/\"}");
        assertEquals(WasmEnding.RETURNED, denied.result().ending());
        assertTrue(output(denied).contains("\"code\":\"denied\""), output(denied));
        assertEquals(1, stage.egress.sent.size());
    }

    @Test
    void aWasiCommandReadsStandardInputAndWritesStandardOutput() throws InterruptedException {
        RunReport report = run("command", "_start", SkillGrants.NONE, INPUT);
        assertEquals(WasmEnding.EXITED, report.result().ending());
        assertEquals(0, report.exitCode());
        assertEquals(INPUT, output(report));
    }

    /** Hands its input to a capability and writes the answer, as the fixture ask does. */
    private static byte[] asking(String capability) {
        WasmBuilder module = new WasmBuilder();
        int length = module.imported("palyra", "buffer_len", "i:i");
        int read = module.imported("palyra", "buffer_read", "iiii:i");
        int write = module.imported("palyra", "output_write", "ii:i");
        int ask = module.imported("palyra", "host_capability_" + capability, "ii:i");
        WasmCode code =
                new WasmCode()
                        .i32(0)
                        .call(length)
                        .set(0)
                        .i32(0)
                        .i32(0)
                        .i32(1024)
                        .get(0)
                        .call(read)
                        .op(0x1A)
                        .i32(1024)
                        .get(0)
                        .call(ask)
                        .tee(1)
                        .call(length)
                        .set(0)
                        .get(1)
                        .i32(0)
                        .i32(1024)
                        .get(0)
                        .call(read)
                        .op(0x1A)
                        .i32(1024)
                        .get(0)
                        .call(write);
        int call = module.function(":i", "ii", code);
        return module.memory(4, -1).export("memory", 2, 0).export("palyra_call", 0, call).build();
    }

    @Test
    void aModuleReachesChannelsAsItsGrantsSay() throws InterruptedException {
        stage.access.allowing(request -> request.owner().isEmpty());
        for (String capability : List.of("channel_edit", "channel_react", "channel_read")) {
            byte[] module = asking(capability);
            RunReport invalid = run(module, "palyra_call", Stage.grants(), "{}");
            assertTrue(output(invalid).contains("\"code\":\"invalid\""), output(invalid));
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () -> run(module, "palyra_call", SkillGrants.NONE, "{}"));
            assertTrue(refused.getMessage().contains("host_capability_" + capability));
        }
        RunReport denied =
                run(
                        asking("channel_read"),
                        "palyra_call",
                        Stage.grants(),
                        "{\"channel\":\"discord:main\",\"conversation\":\"c\"}");
        assertTrue(output(denied).contains("\"code\":\"denied\""), output(denied));
    }
}

package palyra.skills.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.api.core.wasm.WasmModule;
import palyra.skills.internal.host.fakes.FakeEngine;
import palyra.skills.internal.host.fakes.Skills;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillId;
import palyra.testing.wait.Await;

final class SkillRunnerTest {
    private static final String PUT = "{\"key\":\"notes/a\",\"value\":\"1\"}";
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Stage stage = new Stage();
    private final Engines engines = new Engines();
    private final RunSettings settings = new RunSettings("endive", 20_000, 200);
    private final SkillRunner runner = new SkillRunner(engines, admitting(), () -> settings);

    @AfterEach
    void close() {
        runner.close();
    }

    private static Admitter admitting() {
        return (module, sha256, functions, entrypoint, action, memory) ->
                new Admitter.AdmittedModule(
                        new WasmModule("c".repeat(64), 1, 2, 1, false, module), Set.of(entrypoint));
    }

    private LoadedSkill skill() {
        return Skills.skill(
                "acme.weather", "1.0.0", Stage.grants(), Skills.tool("acme.weather.get"));
    }

    private RunRequest request(LoadedSkill skill, String engine, Tier tier) {
        return new RunRequest(
                Stage.scope(skill.grants()),
                skill,
                skill.tools().get(0),
                "d".repeat(64),
                "{}".getBytes(StandardCharsets.UTF_8),
                skill.quotas(),
                engine,
                tier,
                stage.seams);
    }

    private RunReport run() throws InterruptedException {
        return runner.run(request(skill(), "", Tier.A));
    }

    private FakeEngine add(FakeEngine engine) {
        engines.add(engine, engine.properties());
        return engine;
    }

    @Test
    void aCallRunsAndIsReported() throws InterruptedException {
        FakeEngine engine =
                add(
                        FakeEngine.usual(
                                guest -> {
                                    guest.write("{\"degrees\":3}");
                                    return 0;
                                }));
        RunReport report = run();
        assertEquals(WasmEnding.RETURNED, report.result().ending());
        assertEquals("{\"degrees\":3}", new String(report.output(), StandardCharsets.UTF_8));
        assertEquals("endive", report.engine().id());
        assertEquals(List.of("palyra_call"), engine.started.get(0).exports());
        assertEquals(1_000_000, engine.started.get(0).fuel());
        assertEquals(0, runner.running());
        String enforcement = Enforcement.of(report, skill().quotas());
        assertTrue(
                enforcement.startsWith(
                        "strict tier=a fuel=1000000 memory=131072 deadline_ms=10000"
                                + " imports=http,secrets,storage,channels meter=1 engine=endive/1.0"
                                + " process=gateway fuel_used=42 module="),
                enforcement);
    }

    @Test
    void whatConfinedTheCallIsSaidEvenIfTheCallWasTheReasonToStartIt() throws Exception {
        List<FakeEngine> self = new java.util.concurrent.CopyOnWriteArrayList<>();
        FakeEngine engine =
                FakeEngine.usual(
                        guest -> {
                            self.get(0).isolatedBy("process=worker tier=b seccomp=yes");
                            guest.write("{\"degrees\":3}");
                            return 0;
                        });
        self.add(add(engine));
        String enforcement = Enforcement.of(run(), skill().quotas());
        assertTrue(enforcement.contains(" process=worker worker_tier=b seccomp=yes "), enforcement);
    }

    @Test
    void withoutAnEngineNothingRuns() {
        SkillRunner impatient =
                new SkillRunner(engines, admitting(), () -> new RunSettings("endive", 0, 0));
        PalyraException refused =
                assertThrows(
                        PalyraException.class, () -> impatient.run(request(skill(), "", Tier.A)));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertTrue(refused.getMessage().contains("endive"), refused.getMessage());
    }

    @Test
    void aModuleThatIsNotAdmittedNeverReachesAnEngine() {
        FakeEngine engine = add(FakeEngine.usual(guest -> 0));
        SkillRunner strict =
                new SkillRunner(
                        engines,
                        (module, sha256, functions, entrypoint, action, memory) -> {
                            throw new PalyraException(ErrorCode.DENIED, "It is no module.");
                        },
                        () -> settings);
        assertThrows(PalyraException.class, () -> strict.run(request(skill(), "", Tier.A)));
        assertTrue(engine.started.isEmpty());
    }

    @Test
    void aStricterTierThanTheEngineHasIsRefused() throws InterruptedException {
        add(FakeEngine.usual(guest -> 0));
        add(new FakeEngine("wasmtime", "process=worker tier=b", false, guest -> 0));
        LoadedSkill trusted = Skills.trusted(skill(), "wasmtime");
        for (Tier tier : List.of(Tier.B, Tier.C)) {
            PalyraException refused =
                    assertThrows(
                            PalyraException.class, () -> runner.run(request(skill(), "", tier)));
            assertEquals(ErrorCode.DENIED, refused.code());
            assertTrue(refused.getMessage().contains("@tier(\"a\")"), refused.getMessage());
        }
        assertEquals("wasmtime", runner.run(request(trusted, "", Tier.B)).engine().id());
        assertThrows(PalyraException.class, () -> runner.run(request(trusted, "", Tier.C)));
    }

    @Test
    void anEngineForTrustedSkillsRunsNoOthers() throws InterruptedException {
        FakeEngine worker =
                add(new FakeEngine("wasmtime", "process=worker tier=b", false, guest -> 0));
        add(FakeEngine.usual(guest -> 0));
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> runner.run(request(skill(), "wasmtime", Tier.A)));
        assertEquals(ErrorCode.DENIED, refused.code());
        assertTrue(worker.started.isEmpty());
        RunReport report = runner.run(request(Skills.trusted(skill(), ""), "wasmtime", Tier.A));
        assertEquals("wasmtime", report.engine().id());
        assertEquals("endive", run().engine().id());
    }

    @Test
    void aCallThatItsEngineLostRunsAgainOnTheNextOne() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        FakeEngine old =
                add(
                        FakeEngine.usual(
                                guest -> {
                                    guest.write("half");
                                    guest.ask("storage_get", "{\"key\":\"notes/a\"}");
                                    inside.countDown();
                                    leave.await();
                                    throw new WasmStop(WasmEnding.ENGINE_STOPPED, "");
                                }));
        CompletableFuture<RunReport> running = CompletableFuture.supplyAsync(this::unchecked);
        assertTrue(inside.await(30, java.util.concurrent.TimeUnit.SECONDS));
        old.stopTaking();
        engines.remove(old);
        leave.countDown();
        add(
                FakeEngine.usual(
                        guest -> {
                            guest.write("{}");
                            return 0;
                        }));
        RunReport report = running.get(30, java.util.concurrent.TimeUnit.SECONDS);
        assertEquals(WasmEnding.RETURNED, report.result().ending());
        assertEquals("{}", new String(report.output(), StandardCharsets.UTF_8));
        assertEquals(2, report.starts());
    }

    private RunReport unchecked() {
        try {
            return run();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aLostCallThatChangedSomethingIsNotRunAgain() throws InterruptedException {
        AtomicInteger starts = new AtomicInteger();
        add(
                FakeEngine.usual(
                        guest -> {
                            starts.incrementAndGet();
                            guest.ask("storage_put", PUT);
                            throw new WasmStop(WasmEnding.ENGINE_STOPPED, "");
                        }));
        RunReport report = run();
        assertEquals(1, starts.get());
        assertTrue(report.effects());
        String sentence =
                CallEndings.sentence("t", report.result(), skill().quotas(), report.effects());
        assertTrue(sentence.contains("had begun to change something"), sentence);
    }

    @Test
    void aModuleThatKillsItsEngineIsTriedTwiceAtMost() throws InterruptedException {
        FakeEngine engine =
                add(
                        FakeEngine.usual(
                                guest -> {
                                    throw new WasmStop(WasmEnding.ENGINE_FAILED, "It died.");
                                }));
        RunReport report = run();
        assertEquals(WasmEnding.ENGINE_FAILED, report.result().ending());
        assertEquals(2, engine.started.size());
    }

    @Test
    void anInterruptStopsTheCallAndWhatItWouldStillDo() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CompletableFuture<Boolean> wrote = new CompletableFuture<>();
        add(
                FakeEngine.usual(
                        guest -> {
                            inside.countDown();
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                try {
                                    guest.ask("storage_put", PUT);
                                    wrote.complete(true);
                                } catch (WasmStop late) {
                                    wrote.complete(false);
                                }
                                throw e;
                            }
                            return 0;
                        }));
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                run();
                            } catch (InterruptedException | RuntimeException e) {
                                end.complete(e);
                            }
                        });
        thread.start();
        assertTrue(inside.await(30, java.util.concurrent.TimeUnit.SECONDS));
        thread.interrupt();
        assertTrue(
                end.get(30, java.util.concurrent.TimeUnit.SECONDS) instanceof InterruptedException);
        assertFalse(wrote.get(30, java.util.concurrent.TimeUnit.SECONDS));
        assertTrue(stage.seams.storage().get("acme.weather", "notes/a").isEmpty());
    }

    private CompletableFuture<RunReport> endless(CountDownLatch inside) throws Exception {
        add(
                FakeEngine.usual(
                        guest -> {
                            inside.countDown();
                            new CountDownLatch(1).await();
                            return 0;
                        }));
        CompletableFuture<RunReport> running = CompletableFuture.supplyAsync(this::unchecked);
        assertTrue(inside.await(30, java.util.concurrent.TimeUnit.SECONDS));
        return running;
    }

    @Test
    void aSkillThatIsNotActiveAnyMoreLosesItsCallsAndAnUpdateDoesNot() throws Exception {
        CompletableFuture<RunReport> running = endless(new CountDownLatch(1));
        runner.keepOnly(List.of(new SkillId("acme.weather", "1.1.0")));
        assertEquals(1, runner.running());
        runner.keepOnly(List.of(new SkillId("acme.other", "1.0.0")));
        RunReport report = running.get(30, java.util.concurrent.TimeUnit.SECONDS);
        assertEquals(WasmEnding.CANCELLED, report.result().ending());
        assertTrue(report.result().detail().contains("quarantine"));
    }

    @Test
    void aHostFunctionThatWasInterruptedAtTheEndOfTheTimeIsADeadline() throws Exception {
        add(
                FakeEngine.usual(
                        guest -> {
                            Thread.sleep(50);
                            throw new WasmStop(WasmEnding.CANCELLED, "interrupted");
                        }));
        LoadedSkill skill = skill();
        RunReport report =
                runner.run(
                        new RunRequest(
                                Stage.scope(skill.grants()),
                                skill,
                                skill.tools().get(0),
                                "d".repeat(64),
                                new byte[0],
                                new palyra.skills.internal.model.SkillQuotas(1, 1_000, 65_536),
                                "",
                                Tier.A,
                                stage.seams));
        assertEquals(WasmEnding.DEADLINE, report.result().ending());
    }

    @Test
    void closingStopsWhatDoesNotEndAndRefusesWhatComes() throws Exception {
        CompletableFuture<RunReport> running = endless(new CountDownLatch(1));
        runner.close();
        assertEquals(
                WasmEnding.ENGINE_STOPPED,
                running.get(30, java.util.concurrent.TimeUnit.SECONDS).result().ending());
        PalyraException refused = assertThrows(PalyraException.class, this::run);
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        Await.until("no call is under way", LONG, () -> runner.running() == 0);
    }

    @Test
    void everyEndingHasASentence() {
        for (WasmEnding ending : WasmEnding.values()) {
            String sentence =
                    CallEndings.sentence(
                            "acme.weather.get",
                            new palyra.api.core.wasm.WasmResult("c", ending, 0, 0, 0, "", 0, 0),
                            skill().quotas(),
                            false);
            assertTrue(sentence.startsWith("The skill's tool acme.weather.get "), sentence);
        }
    }
}

package palyra.skills.internal.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.api.core.wasm.WasmModule;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.shared.tool.FactsDigest;
import palyra.skills.internal.host.fakes.FakeEngine;
import palyra.skills.internal.host.fakes.FakeEngine.Program;
import palyra.skills.internal.host.fakes.Skills;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillTool;
import palyra.skills.internal.run.Admitter;
import palyra.skills.internal.run.Engines;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.run.SkillRunner;
import palyra.testing.wait.Await;

/** Tools of skills, from the list of active ones to the result of a call. */
final class SkillToolServiceTest {
    private static final String NAME = "acme.weather.get";
    private static final String INPUT = "{\"city\":\"Köln\"}";

    private final Stage stage = new Stage();
    private final Skills skills = new Skills();
    private final Engines engines = new Engines();
    private final SkillRunner runner =
            new SkillRunner(
                    engines,
                    (module, sha256, functions, entrypoint, action, memory) ->
                            new Admitter.AdmittedModule(
                                    new WasmModule("c".repeat(64), 1, 2, 1, false, module),
                                    Set.of(entrypoint)),
                    () -> new RunSettings("endive", 1_000, 200));
    private final SkillCallService calls =
            new SkillCallService(runner, stage.seams, stage.accessGate);
    private final List<Tool> registered = new ArrayList<>();
    private final SkillToolbox toolbox =
            new SkillToolbox(
                    skills,
                    calls,
                    (tool, ranking) -> {
                        synchronized (registered) {
                            registered.add(tool);
                        }
                        return () -> {
                            synchronized (registered) {
                                registered.remove(tool);
                            }
                        };
                    });
    private volatile Program program =
            guest -> {
                guest.write("{\"degrees\":3}");
                return 0;
            };

    SkillToolServiceTest() {
        FakeEngine engine = FakeEngine.usual(guest -> program.run(guest));
        engines.add(engine, engine.properties());
    }

    @AfterEach
    void close() {
        toolbox.close();
        runner.close();
    }

    private SkillToolService offer(LoadedSkill skill) {
        skills.put(skill);
        toolbox.use(skills::active);
        return only();
    }

    private SkillToolService only() {
        synchronized (registered) {
            assertEquals(1, registered.size());
            return (SkillToolService) registered.get(0);
        }
    }

    private static LoadedSkill weather(String version) {
        return Skills.skill("acme.weather", version, Stage.grants(), Skills.tool(NAME));
    }

    private static ToolProposed proposed(String input) {
        return new ToolProposed(NAME, input, "s", "user:anna", "helper");
    }

    private static ToolExamination.Facts facts(SkillToolService tool) {
        return assertInstanceOf(ToolExamination.Facts.class, tool.examine(proposed(INPUT)));
    }

    private static ToolOrder order(String input, String factsSha256, Tier tier) {
        return new ToolOrder(
                NAME,
                new ToolInvocation(
                        "call-1",
                        1,
                        "run-1",
                        "s",
                        "user:anna",
                        input,
                        System.currentTimeMillis() + 60_000),
                "helper",
                Set.of("operator"),
                new Confinement(tier, Egress.STRICT),
                factsSha256,
                false);
    }

    private static ConfinedResult run(SkillToolService tool) throws InterruptedException {
        return tool.run(order(INPUT, "", Tier.A));
    }

    // ---- What is offered ----

    @Test
    void capabilitiesAndFactsComeFromTheGrants() {
        SkillToolService tool = offer(weather("1.0.0"));
        assertEquals(
                Set.of(
                        Capability.NETWORK,
                        Capability.SECRETS_READ,
                        Capability.FILESYSTEM_READ,
                        Capability.FILESYSTEM_WRITE,
                        Capability.OTHER),
                tool.descriptor().capabilities());
        assertEquals(false, tool.descriptor().idempotent());
        ToolExamination.Facts found = facts(tool);
        assertTrue(found.facts().hosts().contains("api.example.com"));
        assertTrue(found.facts().secrets().contains("vault:skill:acme.weather/api_token"));
        assertEquals(Set.of("skill:acme.weather/notes/"), found.facts().writePaths());
        assertEquals("acme.weather@1.0.0", found.facts().subcommand());
        assertTrue(found.facts().flags().contains(GrantFacts.SKILL));
        assertTrue(found.facts().flags().contains("!channel:discord:main"));
        assertEquals(64, found.facts().executableSha256().length());
        assertTrue(found.description().summary().contains("acme.weather@1.0.0"));
    }

    @Test
    void aSkillWithoutGrantsIsHarmlessAndOneThatWantsApprovalSaysSo() {
        SkillTool asking =
                new SkillTool(
                        NAME,
                        "Asks.",
                        "{\"type\":\"object\"}",
                        "{}",
                        "weather.wasm",
                        "palyra_call",
                        true,
                        true,
                        false);
        SkillToolService tool =
                offer(Skills.skill("acme.weather", "1.0.0", SkillGrants.NONE, asking));
        assertTrue(tool.descriptor().idempotent());
        assertEquals(Set.of(Capability.OTHER), tool.descriptor().capabilities());
        assertTrue(facts(tool).facts().flags().contains(GrantFacts.APPROVAL));
        assertTrue(facts(tool).description().onceOnly().contains("each call"));
    }

    private static SkillTool described(String description, String inputSchema) {
        return new SkillTool(
                NAME,
                description,
                inputSchema,
                "{}",
                "weather.wasm",
                "palyra_call",
                false,
                false,
                false);
    }

    private static LoadedSkill taking(String inputSchema) {
        return Skills.skill(
                "acme.weather", "1.0.0", SkillGrants.NONE, described("Takes.", inputSchema));
    }

    @Test
    void aToolThatTakesAnythingIsOfferedAsOneThatTakesObjects() throws Exception {
        SkillToolService tool = offer(taking("{}"));
        assertEquals("{\"type\":\"object\"}", tool.descriptor().inputSchemaJson());
        assertEquals(Outcome.SUCCEEDED, run(tool).outcome());
        skills.remove("acme.weather");
        toolbox.use(skills::active);
        tool = offer(taking("{\"required\":[\"city\"]}"));
        assertEquals(
                "{\"type\":\"object\",\"required\":[\"city\"]}",
                tool.descriptor().inputSchemaJson());
        assertInstanceOf(ToolExamination.Refused.class, tool.examine(proposed("{}")));
    }

    @Test
    void aToolThatTakesNoObjectsIsAFindingAndNotATool() {
        skills.put(taking("{\"type\":\"array\"}"));
        toolbox.use(skills::active);
        assertTrue(registered.isEmpty());
        assertEquals(1, toolbox.findings().size());
        assertTrue(toolbox.findings().get(0).message().contains("input_schema"));
    }

    @Test
    void inputThatDoesNotFitIsRefusedWithItsPath() {
        SkillToolService tool = offer(weather("1.0.0"));
        ToolExamination.Refused refused =
                assertInstanceOf(
                        ToolExamination.Refused.class, tool.examine(proposed("{\"city\":7}")));
        assertEquals("skill.invalid_input", refused.reasonCode());
        assertTrue(refused.reason().contains("city"), refused.reason());
    }

    @Test
    void toolsComeAndGoWithTheirSkills() {
        offer(weather("1.0.0"));
        skills.remove("acme.weather");
        toolbox.use(skills::active);
        assertTrue(registered.isEmpty());
        assertEquals(0, toolbox.size());
    }

    @Test
    void aNameThatAnotherSkillHasIsRefusedWithAFinding() {
        SkillToolService first = offer(weather("1.0.0"));
        skills.put(Skills.skill("aaa.thief", "9.0.0", SkillGrants.NONE, Skills.tool(NAME)));
        toolbox.use(skills::active);
        assertEquals(first, only());
        assertEquals("acme.weather", first.skill().skill());
        assertEquals(1, toolbox.findings().size());
        assertTrue(toolbox.findings().get(0).message().contains("aaa.thief"));
    }

    @Test
    void aSkillThatCannotBeLoadedIsAFindingAndNotATool() {
        SkillTool broken =
                new SkillTool(
                        NAME,
                        "x",
                        "{\"pattern\":\"(\"}",
                        "{}",
                        "weather.wasm",
                        "f",
                        false,
                        false,
                        false);
        skills.put(Skills.skill("acme.weather", "1.0.0", SkillGrants.NONE, broken));
        toolbox.use(skills::active);
        assertTrue(registered.isEmpty());
        assertEquals(1, toolbox.findings().size());
    }

    // ---- Updates ----

    @Test
    void aNewVersionOfTheSameToolTakesItsPlaceWithoutARegistration() throws Exception {
        SkillToolService tool = offer(weather("1.0.0"));
        String decided = FactsDigest.of(facts(tool).facts());
        assertEquals(tool, offer(weather("1.1.0")));
        assertEquals("1.1.0", tool.skill().version());
        assertEquals(Outcome.SUCCEEDED, tool.run(order(INPUT, decided, Tier.A)).outcome());
        assertEquals(Outcome.SUCCEEDED, run(tool).outcome());
    }

    @Test
    void anUpdateThatIsNotKnownHereYetLosesNoCall() throws Exception {
        SkillToolService tool = offer(weather("1.0.0"));
        skills.put(weather("1.1.0"));
        assertEquals("acme.weather@1.1.0", facts(tool).facts().subcommand());
        assertEquals(Outcome.SUCCEEDED, run(tool).outcome());
    }

    @Test
    void aCallThatWasDecidedBeforeAnUpdateRunsHoweverOftenTheUpdateIsTold() throws Exception {
        SkillToolService tool = offer(weather("1.0.0"));
        String decided = FactsDigest.of(facts(tool).facts());
        offer(weather("1.1.0"));
        offer(weather("1.1.0"));
        assertEquals(Outcome.SUCCEEDED, tool.run(order(INPUT, decided, Tier.A)).outcome());
    }

    private static LoadedSkill inOtherWords(SkillGrants grants) {
        return Skills.skill(
                "acme.weather", "2.0.0", grants, described("Tells more.", "{\"type\":\"object\"}"));
    }

    @Test
    void aCallThatWasDecidedBeforeTheWordsChangedRunsOnEitherTool() throws Exception {
        SkillToolService old = offer(weather("1.0.0"));
        String decided = FactsDigest.of(facts(old).facts());
        skills.put(inOtherWords(Stage.grants()));
        assertEquals(Outcome.SUCCEEDED, old.run(order(INPUT, decided, Tier.A)).outcome());
        assertEquals("acme.weather@2.0.0", facts(old).facts().subcommand());
        toolbox.use(skills::active);
        SkillToolService fresh;
        synchronized (registered) {
            fresh = (SkillToolService) registered.get(registered.size() - 1);
        }
        assertEquals("Tells more.", fresh.descriptor().description());
        assertEquals(Outcome.SUCCEEDED, fresh.run(order(INPUT, decided, Tier.A)).outcome());
    }

    @Test
    void aVersionThatMayDoOtherThingsIsNotTakenForTheOneBefore() {
        SkillToolService old =
                offer(Skills.skill("acme.weather", "1.0.0", SkillGrants.NONE, Skills.tool(NAME)));
        skills.put(inOtherWords(Stage.grants()));
        assertInstanceOf(ToolExamination.Refused.class, old.examine(proposed(INPUT)));
    }

    @Test
    void whatWasRolledBackDoesNotRunAnyMore() throws Exception {
        SkillToolService tool = offer(weather("1.1.0"));
        String decided = FactsDigest.of(facts(tool).facts());
        offer(weather("1.0.0"));
        ConfinedResult refused = tool.run(order(INPUT, decided, Tier.A));
        assertEquals(Outcome.FAILED, refused.outcome());
        assertTrue(refused.result().error().contains("updated since"), refused.result().error());
    }

    @Test
    void aToolThatIsDescribedDifferentlyIsOfferedBesideUntilItsCallsHaveEnded() throws Exception {
        SkillToolService old = offer(weather("1.0.0"));
        SkillTool other =
                new SkillTool(
                        NAME,
                        "Tells more.",
                        "{\"type\":\"object\"}",
                        "{}",
                        "weather.wasm",
                        "palyra_call",
                        false,
                        false,
                        false);
        skills.put(Skills.skill("acme.weather", "2.0.0", Stage.grants(), other));
        toolbox.use(skills::active);
        Await.until(
                "the old tool is gone",
                java.time.Duration.ofSeconds(30),
                () -> {
                    synchronized (registered) {
                        return !registered.contains(old);
                    }
                });
        assertEquals("Tells more.", only().descriptor().description());
    }

    @Test
    void aSkillInQuarantineRunsNothing() throws Exception {
        SkillToolService tool = offer(weather("1.0.0"));
        skills.remove("acme.weather");
        ConfinedResult refused = run(tool);
        assertEquals(Outcome.FAILED, refused.outcome());
        assertTrue(refused.result().error().contains("not_approved"));
        assertInstanceOf(ToolExamination.Refused.class, tool.examine(proposed(INPUT)));
    }

    // ---- Calls ----

    @Test
    void aCallIsAskedAboutRunsAndIsAttested() throws Exception {
        ConfinedResult result = run(offer(weather("1.0.0")));
        assertEquals(Outcome.SUCCEEDED, result.outcome());
        assertEquals("{\"degrees\":3}", result.result().outputJson());
        assertEquals("endive", result.executor());
        assertTrue(result.enforcement().startsWith("strict tier=a "));
        assertEquals("skill.execute", stage.access.requests().get(0).action());
        assertEquals("skill:acme.weather@1.0.0", stage.access.requests().get(0).resource());
        assertEquals("false", stage.access.requests().get(0).facts().get("trusted"));
    }

    @Test
    void policyAndTierKeepASkillFromRunning() throws Exception {
        SkillToolService tool = offer(weather("1.0.0"));
        ConfinedResult tier = tool.run(order(INPUT, "", Tier.C));
        assertTrue(tier.result().error().contains("tier C"), tier.result().error());
        stage.access.deny("skill.execute");
        ConfinedResult denied = run(tool);
        assertEquals(Outcome.FAILED, denied.outcome());
        assertTrue(denied.result().error().contains("skill.execute"));
        assertEquals("wasm", denied.executor());
    }

    @Test
    void outputThatDoesNotFitItsSchemaIsAFailureThatNamesThePath() throws Exception {
        SkillToolService tool = offer(weather("1.0.0"));
        program =
                guest -> {
                    guest.write("{\"degrees\":\"warm\"}");
                    return 0;
                };
        assertTrue(run(tool).result().error().contains("degrees"));
        program =
                guest -> {
                    guest.write("warm");
                    return 0;
                };
        assertTrue(run(tool).result().error().contains("not acceptable JSON"));
        program = guest -> guest.call("output_write", 0, (1 << 20) + 1) + 1;
        assertTrue(run(tool).result().error().contains("more than 1048576 bytes"));
    }

    @Test
    void aToolThatFailsSaysWhy() throws Exception {
        SkillToolService tool = offer(weather("1.0.0"));
        program =
                guest -> {
                    guest.write("{\"why\":\"no city\"}");
                    return 7;
                };
        ConfinedResult failed = run(tool);
        assertEquals(Outcome.FAILED, failed.outcome());
        assertEquals("{\"why\":\"no city\"}", failed.result().outputJson());
        assertTrue(failed.result().error().contains("code 7"));
        program =
                guest -> {
                    throw new WasmStop(WasmEnding.OUT_OF_FUEL, "");
                };
        assertTrue(run(tool).result().error().contains("fuel of 1000000"));
        program =
                guest -> {
                    throw new WasmStop(WasmEnding.DEADLINE, "");
                };
        assertEquals(Outcome.TIMED_OUT, run(tool).outcome());
    }

    @Test
    void aLegacyToolAnswersWithItsExitCode() throws Exception {
        SkillTool legacy =
                new SkillTool(
                        NAME,
                        "Old.",
                        "{\"type\":\"object\"}",
                        "{}",
                        "weather.wasm",
                        "run",
                        false,
                        false,
                        true);
        SkillToolService tool =
                offer(Skills.skill("acme.weather", "1.0.0", Stage.grants(), legacy));
        program = guest -> 0;
        assertEquals("{\"exit_code\":0}", run(tool).result().outputJson());
        program = guest -> 4;
        ConfinedResult failed = run(tool);
        assertEquals("{\"exit_code\":4}", failed.result().outputJson());
        assertEquals(Outcome.FAILED, failed.outcome());
    }

    @Test
    void aCallUnderWayEndsWithTheVersionItBeganWith() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        SkillToolService tool = offer(weather("1.0.0"));
        program =
                guest -> {
                    inside.countDown();
                    go.await();
                    guest.write("{\"degrees\":4}");
                    return 0;
                };
        var running =
                java.util.concurrent.CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return run(tool);
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        assertTrue(inside.await(30, TimeUnit.SECONDS));
        skills.put(weather("1.1.0"));
        runner.keepOnly(skills.active());
        toolbox.use(skills::active);
        go.countDown();
        assertEquals(Outcome.SUCCEEDED, running.get(30, TimeUnit.SECONDS).outcome());
    }
}

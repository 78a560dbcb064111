package palyra.bench.skills;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmEngine;
import palyra.shared.hash.Digests;
import palyra.skills.internal.host.CallScope;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;
import palyra.skills.internal.run.Engines;
import palyra.skills.internal.run.ModuleAdmission;
import palyra.skills.internal.run.RunReport;
import palyra.skills.internal.run.RunRequest;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.run.SkillRunner;

/**
 * Calls a module as the skill runtime does, from the decided call to the module's output: admission
 * with its memory, choice of engine, host functions, a new instance, clamps, fuel, deadline. Not
 * measured: loading the skill, schemas, policy, the journal. Used by one thread.
 */
final class SkillEngine implements AutoCloseable {
    private static final SkillId SKILL = new SkillId("bench.skill", "1.0.0");
    private static final SkillGrants GRANTED =
            new SkillGrants(
                    List.of("api.example.com"),
                    List.of(new SkillGrants.SecretGrant("skill:", "api_token", false, List.of())),
                    List.of(
                            new SkillGrants.StorageGrant("counts/", true, 65_536),
                            new SkillGrants.StorageGrant("slugs/", true, 65_536)),
                    List.of(),
                    List.of());
    private static final long HOUR_MILLIS = 3_600_000;

    private final Setup setup;
    private Task task;
    private SkillTool tool;
    private LoadedSkill skill;
    private String sha256;
    private long number;

    /** A way to get an engine. */
    interface EngineMaker {
        /** Returns an engine with nothing compiled. */
        Engine make();

        /** An engine and how to end it. */
        record Engine(WasmEngine service, Runnable end) {}
    }

    /** An engine with what runs calls on it. */
    private record Setup(EngineMaker.Engine engine, String id, SkillRunner runner)
            implements AutoCloseable {
        static Setup of(EngineMaker maker) {
            EngineMaker.Engine engine = maker.make();
            String id = engine.service().view().id();
            Engines engines = new Engines();
            engines.add(engine.service(), Map.of(WasmEngine.ID, id));
            return new Setup(
                    engine,
                    id,
                    new SkillRunner(engines, new ModuleAdmission(), () -> RunSettings.DEFAULT));
        }

        @Override
        public void close() {
            runner.close();
            engine.end().run();
        }
    }

    SkillEngine(EngineMaker maker) {
        this.setup = Setup.of(maker);
    }

    /** Sets the module that the calls after this run. */
    void prepare(Task next) {
        task = next;
        sha256 = Digests.sha256Hex(next.module());
        tool =
                new SkillTool(
                        "bench.tool",
                        "Measured.",
                        "{}",
                        "{}",
                        "module.wasm",
                        next.entry(),
                        false,
                        false,
                        false);
        skill =
                new LoadedSkill(
                        SKILL,
                        "bench",
                        sha256,
                        sha256,
                        List.of(tool),
                        next.granted() ? GRANTED : SkillGrants.NONE,
                        new SkillQuotas(next.timeoutMillis(), next.fuel(), next.memoryBytes()),
                        true,
                        "",
                        Map.of(tool.module(), next.module()));
    }

    private RunRequest request(String engine) {
        CallScope scope =
                new CallScope(
                        SKILL,
                        tool.id(),
                        "call-" + ++number,
                        1,
                        "run",
                        "user:bench",
                        Set.of("operator"),
                        "agent",
                        System.currentTimeMillis() + HOUR_MILLIS,
                        skill.grants());
        return new RunRequest(
                scope,
                skill,
                tool,
                sha256,
                task.input().getBytes(StandardCharsets.UTF_8),
                skill.quotas(),
                engine,
                Tier.A,
                Seams.empty());
    }

    /** Calls the module in a new instance. */
    CallResult call() throws InterruptedException {
        RunReport report = setup.runner().run(request(setup.id()));
        if (report.result().ending() != WasmEnding.RETURNED) {
            throw new IllegalStateException(task.name() + " ended " + report.result());
        }
        return new CallResult(
                (int) report.exitCode(), new String(report.output(), StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        setup.close();
    }
}

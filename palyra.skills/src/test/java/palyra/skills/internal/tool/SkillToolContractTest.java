package palyra.skills.internal.tool;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import palyra.api.core.access.Confinement;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.wasm.WasmModule;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.skills.internal.host.fakes.FakeEngine;
import palyra.skills.internal.host.fakes.Skills;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.run.Admitter;
import palyra.skills.internal.run.Engines;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.run.SkillRunner;
import palyra.testing.tool.ToolContract;

/** A tool of a skill keeps to what every tool promises. */
final class SkillToolContractTest extends ToolContract {
    private static final String NAME = "acme.weather.get";
    private static final String LASTING = "{\"city\":\"for ever\"}";

    private final Engines engines = new Engines();
    private final SkillRunner runner =
            new SkillRunner(
                    engines,
                    (module, sha256, functions, entrypoint, action, memory) ->
                            new Admitter.AdmittedModule(
                                    new WasmModule("c".repeat(64), 1, 2, 1, false, module),
                                    Set.of(entrypoint)),
                    () -> new RunSettings("endive", 1_000, 200));

    @AfterEach
    void close() {
        runner.close();
    }

    @Override
    protected Tool tool() {
        FakeEngine engine =
                FakeEngine.usual(
                        guest -> {
                            if (guest.read(0).equals(LASTING)) {
                                new CountDownLatch(1).await();
                            }
                            guest.write("{\"degrees\":3}");
                            return 0;
                        });
        engines.add(engine, engine.properties());
        Stage stage = new Stage();
        LoadedSkill skill =
                Skills.skill("acme.weather", "1.0.0", SkillGrants.NONE, Skills.tool(NAME));
        return new Confined(
                new SkillToolService(
                        new Skills().put(skill),
                        new SkillCallService(runner, stage.seams, stage.accessGate),
                        LoadedTool.of(skill, NAME)));
    }

    /** Runs each call as a policy that wants tier A would have it. */
    private record Confined(SkillToolService tool) implements Tool {
        @Override
        public ToolDescriptor descriptor() {
            return tool.descriptor();
        }

        @Override
        public ToolResult execute(ToolInvocation invocation) throws Exception {
            Confinement confinement =
                    new Confinement(Confinement.Tier.A, Confinement.Egress.STRICT);
            return tool.run(new ToolOrder(NAME, invocation, "a", Set.of(), confinement, "", false))
                    .result();
        }
    }

    @Override
    protected String validInput() {
        return "{\"city\":\"Köln\"}";
    }

    @Override
    protected List<String> badInputs() {
        return List.of("{}", "{\"city\":1}", "{\"city\":\"" + "x".repeat(41) + "\"}");
    }

    @Override
    protected Optional<String> lastingInput() {
        return Optional.of(LASTING);
    }
}

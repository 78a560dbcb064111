package palyra.skills.internal.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.Confinement;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.skills.internal.Samples;
import palyra.skills.internal.SkillFixture;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.run.Engines;
import palyra.skills.internal.run.ModuleAdmission;
import palyra.skills.internal.run.RunSettings;
import palyra.skills.internal.run.SkillRunner;

/** A skill that a new gateway is not made for, as agents and operators see it. */
class OtherGatewayToolTest {
    private static final String TOOL = "acme.weather_get";

    @TempDir Path state;
    private final Stage stage = new Stage();
    private final List<Tool> offered = new ArrayList<>();

    @Test
    void isNotOfferedItsCallsGetAnErrorAndDoctorSaysWhy() throws Exception {
        SkillRunner runner =
                new SkillRunner(new Engines(), new ModuleAdmission(), () -> RunSettings.DEFAULT);
        SkillCallService calls = new SkillCallService(runner, stage.seams, stage.accessGate);
        SkillFixture before = new SkillFixture(state);
        before.active(new Samples().compat("max_palyra_version = '0.1.0'").signed());
        LoadedTool offer = LoadedTool.of(before.loader().load(SkillFixture.ID), TOOL);
        SkillFixture after = before.with("0.2.0");
        SkillToolService left = new SkillToolService(after.loader(), calls, offer);
        try (after;
                SkillToolbox toolbox =
                        new SkillToolbox(
                                after.loader(),
                                calls,
                                (tool, ranking) -> {
                                    offered.add(tool);
                                    return () -> offered.remove(tool);
                                })) {
            toolbox.use(after.loader()::active);
            assertTrue(offered.isEmpty());
            assertEquals(1, toolbox.findings().size());
            String why = toolbox.findings().get(0).message();
            assertTrue(why.contains("made for Palyra up to 0.1.0, and this is Palyra 0.2.0"), why);

            ToolExamination.Refused examined =
                    assertInstanceOf(
                            ToolExamination.Refused.class,
                            left.examine(new ToolProposed(TOOL, "{}", "s", "user:anna", "helper")));
            assertTrue(examined.toString().contains("palyra_too_new"), examined.toString());
            ConfinedResult ran = left.run(order());
            assertEquals(Outcome.FAILED, ran.outcome());
            assertTrue(ran.result().error().contains("palyra_too_new"), ran.result().error());
            assertTrue(after.journal.events("skill_state").size() == 1, "nothing was quarantined");
        }
        try (SkillFixture again = after.with("0.1.0");
                SkillToolbox toolbox =
                        new SkillToolbox(
                                again.loader(),
                                calls,
                                (tool, ranking) -> {
                                    offered.add(tool);
                                    return () -> offered.remove(tool);
                                })) {
            toolbox.use(again.loader()::active);
            assertEquals(1, offered.size(), "without a new approval");
            assertTrue(toolbox.findings().isEmpty());
        }
        runner.close();
    }

    private static ToolOrder order() {
        return new ToolOrder(
                TOOL,
                new ToolInvocation(
                        "call-1",
                        1,
                        "run-1",
                        "s",
                        "user:anna",
                        "{}",
                        System.currentTimeMillis() + 60_000),
                "helper",
                Set.of("operator"),
                new Confinement(Confinement.Tier.A, Confinement.Egress.STRICT),
                "",
                false);
    }
}

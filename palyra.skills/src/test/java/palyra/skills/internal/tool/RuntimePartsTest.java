package palyra.skills.internal.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.Confinement;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolInvocation;
import palyra.skills.internal.host.fakes.Fixtures;
import palyra.skills.internal.host.fakes.InterpretedEngine;
import palyra.skills.internal.host.fakes.Skills;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillTool;
import palyra.skills.internal.run.RunSettings;

/** The runtime as a whole, and how it goes. */
class RuntimePartsTest {
    private static final String FIRST = "acme.weather.first";
    private static final String SECOND = "acme.weather.second";

    @TempDir Path state;
    private final Stage stage = new Stage();
    private final List<ConfinedResult> results = new CopyOnWriteArrayList<>();

    private static SkillTool tool(String name) {
        return new SkillTool(
                name, "x", "{}", "{}", "weather.wasm", "palyra_call", false, false, false);
    }

    private static ConfinedResult call(SkillToolService tool) {
        String name = tool.descriptor().name();
        try {
            return tool.run(
                    new ToolOrder(
                            name,
                            new ToolInvocation(
                                    "call-" + name,
                                    1,
                                    "run-1",
                                    "s",
                                    "user:anna",
                                    "{}",
                                    System.currentTimeMillis() + 60_000),
                            "helper",
                            Set.of("operator"),
                            new Confinement(Confinement.Tier.A, Confinement.Egress.STRICT),
                            ""));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An executor waits for the calls of a tool that goes; these came in just before. */
    @Test
    void callsThatWereLetInBeforeTheToolsWentAreMadeWhileItStops() {
        Skills skills = new Skills();
        skills.put(
                Skills.skill(
                        "acme.weather",
                        "1.0.0",
                        SkillGrants.NONE,
                        Fixtures.module("basic"),
                        tool(FIRST),
                        tool(SECOND)));
        RuntimeParts parts =
                new RuntimeParts(
                        skills,
                        state,
                        new RunSettings("endive", 1_000, 20_000),
                        (tool, ranking) -> () -> results.add(call((SkillToolService) tool)));
        InterpretedEngine engine = new InterpretedEngine();
        parts.engines().add(engine, engine.properties());
        parts.access().add(stage.access.service(), Map.of());
        parts.journal().add(stage.journal.service(), Map.of());
        parts.refresh();
        SkillToolService left = new SkillToolService(skills, parts.desk(), offer(skills));
        parts.close();
        assertEquals(2, results.size());
        for (ConfinedResult each : results) {
            assertEquals(Outcome.SUCCEEDED, each.outcome(), each.result().error());
        }
        ConfinedResult late = call(left);
        assertEquals(Outcome.FAILED, late.outcome());
        assertTrue(late.result().error().contains("is stopping"), late.result().error());
    }

    private static Offer offer(Skills skills) {
        return Offer.of(skills.load(skills.active().get(0)), FIRST);
    }
}

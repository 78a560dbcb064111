package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import java.io.IOException;
import java.util.Set;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import palyra.itests.Dist;
import palyra.itests.Wait;

/** Bundles that are missing at the start and come later: what needs them waits and goes on. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class LateIT {
    private static final String MODELS = "palyra.story.models";
    private static final String TOOLS = "palyra.story.tools";
    private static final String ECHO =
            "#!palyra-script\n"
                    + "{\"turns\":[[{\"call\":{\"tool\":\"palyra.echo\",\"input\":{\"text\":\"x\"}}}],"
                    + "[{\"lastToolOutput\":true}]]}";

    @Configuration
    public Option[] configuration() {
        return ProductOptions.without(
                Set.of("palyra.models", "palyra.tools"),
                systemProperty(MODELS).value(Dist.bundle("palyra.models").toUri().toString()),
                systemProperty(TOOLS).value(Dist.bundle("palyra.tools").toUri().toString()));
    }

    @Test
    public void aRunWaitsForItsModelAndForItsTool() throws Exception {
        House house = House.ready();
        house.client()
                .run("agents", "create", "late", "--test", "true", "--tool", "palyra.echo")
                .ok();
        String runId =
                house.client()
                        .runWith(ECHO, "ask", "--background", "--agent", "late", "-")
                        .ok()
                        .out()
                        .trim();
        awaitReason(house, runId, "waiting for model provider deterministic");
        String findings = house.client().run("doctor").exits(1).out();
        assertTrue(findings, findings.contains("No bundle offers palyra.api.model.ModelProvider"));
        assertTrue(
                findings, findings.contains("No bundle offers palyra.api.core.tools.ToolExecutor"));
        assertTrue(findings, findings.contains("No installed bundle supplies it"));
        install(house, MODELS);
        awaitReason(house, runId, "waiting for tool palyra.echo");
        install(house, TOOLS);
        Wait.until("the run to end", () -> field(house, runId, "state").equals("SUCCEEDED"));
        String tape = house.client().run("tape", "show", runId).ok().out();
        assertTrue(tape, tape.contains("palyra.echo SUCCEEDED"));
        assertEquals("You said: all here\n", house.client().run("ask", "all here").ok().out());
        house.client().run("doctor").ok();
    }

    private static void install(House house, String property) throws Exception {
        house.context().installBundle("reference:" + System.getProperty(property)).start();
    }

    private static void awaitReason(House house, String runId, String reason) throws Exception {
        Wait.until(reason, () -> field(house, runId, "reason").startsWith(reason));
    }

    private static String field(House house, String runId, String name) throws IOException {
        return house.client().run("run", "show", runId, "--json").ok().json().path(name).asText();
    }
}

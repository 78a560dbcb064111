package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import palyra.api.model.ModelProvider;
import palyra.itests.Dist;
import palyra.itests.OneTry;
import palyra.itests.Wait;
import palyra.itests.crash.Audit;

/**
 * Each bundle is updated in place, five times, while messages flow: none is lost or answered twice,
 * and nothing of another bundle restarts. That the old classes go is shown by the survival test, on
 * the process that users run.
 */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class SwapIT {
    private static final String JAR = "palyra.story.jar.";
    private static final List<String> SWAPPED =
            List.of(
                    "palyra.gateway",
                    "palyra.models",
                    "palyra.tools",
                    "palyra.policy",
                    "palyra.access",
                    "palyra.front",
                    "palyra.keys",
                    "palyra.journal",
                    "palyra.shell",
                    "palyra.config",
                    "palyra.deploy",
                    "palyra.backup",
                    "palyra.retention",
                    "palyra.health");
    private static final int UPDATES = 5;
    private static final int MESSAGES = 6;

    @Rule public final OneTry once = new OneTry();

    private House house;
    private int runsBefore;

    @Configuration
    public Option[] configuration() {
        Option[] jars =
                SWAPPED.stream()
                        .map(
                                name ->
                                        (Option)
                                                systemProperty(JAR + name)
                                                        .value(
                                                                Dist.bundle(name)
                                                                        .toUri()
                                                                        .toString()))
                        .toArray(Option[]::new);
        return ProductOptions.product(jars);
    }

    @Before
    public void open() throws Exception {
        house = House.ready();
        if (house.client().run("agents", "show", "traffic").exit() != 0) {
            house.client()
                    .run(
                            "agents",
                            "create",
                            "traffic",
                            "--test",
                            "true",
                            "--tool",
                            "palyra.sleep",
                            "--tool",
                            "palyra.echo")
                    .ok();
        }
    }

    @Test
    public void gateway() throws Exception {
        swap("palyra.gateway");
    }

    @Test
    public void models() throws Exception {
        swap("palyra.models");
    }

    @Test
    public void tools() throws Exception {
        swap("palyra.tools");
    }

    @Test
    public void policy() throws Exception {
        swap("palyra.policy");
    }

    @Test
    public void access() throws Exception {
        swap("palyra.access");
    }

    @Test
    public void front() throws Exception {
        swap("palyra.front");
    }

    @Test
    public void keys() throws Exception {
        swap("palyra.keys");
    }

    @Test
    public void journal() throws Exception {
        swap("palyra.journal");
    }

    @Test
    public void shell() throws Exception {
        swap("palyra.shell");
    }

    @Test
    public void config() throws Exception {
        swap("palyra.config");
    }

    @Test
    public void deploy() throws Exception {
        swap("palyra.deploy");
    }

    @Test
    public void backup() throws Exception {
        swap("palyra.backup");
    }

    @Test
    public void retention() throws Exception {
        swap("palyra.retention");
    }

    @Test
    public void health() throws Exception {
        swap("palyra.health");
    }

    private void swap(String name) throws Exception {
        Bundle bundle = house.bundle(name);
        Map<String, String> others = others(name);
        Map<String, String> own = own(name);
        runsBefore = Audit.runs(house.client()).size();
        try (Traffic traffic = Traffic.start(house, name)) {
            traffic.awaitMore(MESSAGES);
            for (int i = 0; i < UPDATES; i++) {
                try (InputStream jar =
                        URI.create(System.getProperty(JAR + name)).toURL().openStream()) {
                    House.update(bundle, jar);
                }
                traffic.awaitMore(MESSAGES);
            }
            traffic.stop();
            everyMessageHasOneAnswer(traffic);
        }
        house.awaitReady();
        Wait.until("every component", () -> house.notActive().isEmpty());
        assertEquals("restarted in other bundles", others, others(name));
        own(name).forEach((component, id) -> assertNotEquals(component, own.get(component), id));
        house.client().run("tape", "verify", "--all").ok();
    }

    private void everyMessageHasOneAnswer(Traffic traffic) throws Exception {
        assertTrue(traffic.acknowledged().size() >= MESSAGES * UPDATES);
        house.awaitReady();
        Map<String, Audit.Accepted> accepted = new HashMap<>();
        traffic.acknowledged()
                .forEach(
                        (key, answer) ->
                                accepted.put(
                                        key,
                                        new Audit.Accepted(answer.messageId(), answer.runId())));
        Audit audit = new Audit(house.client());
        List<JsonNode> runs = Audit.runs(house.client());
        audit.read(runs.subList(0, runs.size() - runsBefore), accepted);
        assertEquals("", audit.breaches());
        assertEquals(
                audit.seen().toString(),
                Integer.valueOf(accepted.size()),
                audit.seen().get("run SUCCEEDED"));
        System.out.println("SwapIT: " + UPDATES + " updates, " + audit.seen());
    }

    private Map<String, String> others(String name) throws Exception {
        return ids(component -> !component.bundle().equals(name));
    }

    private Map<String, String> own(String name) throws Exception {
        return ids(component -> component.bundle().equals(name));
    }

    private Map<String, String> ids(Predicate<House.Component> which) throws Exception {
        return house.components().values().stream()
                .filter(which)
                .collect(
                        Collectors.toMap(
                                House.Component::name,
                                component -> component.id() + "/" + component.service()));
    }

    /** What a swap of the model would restart if it needed one. */
    public static final class Dependent implements Runnable {
        @Override
        public void run() {}
    }

    @Test
    public void aRestartInAnotherBundleWouldBeSeen() throws Exception {
        Bundle models = house.bundle("palyra.models");
        Bundle control;
        try (InputStream jar =
                new TestBundle("story.control")
                        .component(Dependent.class, ModelProvider.class.getName())
                        .jar()) {
            control = house.context().installBundle("memory:control", jar);
        }
        try {
            control.start();
            Map<String, String> before = own("story.control");
            models.stop();
            models.start();
            Wait.until("the control to be up again", () -> house.up().contains("Dependent"));
            assertNotEquals(before, own("story.control"));
        } finally {
            control.uninstall();
        }
    }
}

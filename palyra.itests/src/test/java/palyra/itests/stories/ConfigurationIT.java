package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import palyra.itests.Wait;
import palyra.itests.process.CommandClient;

/** Files in the folder conf/ of a running gateway. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class ConfigurationIT {
    private static final String TWO_TURNS =
            "#!palyra-script\n"
                    + "{\"turns\":[[{\"call\":{\"tool\":\"palyra.echo\",\"input\":{\"text\":\"x\"}}}],"
                    + "[{\"say\":\"two turns\"}]]}";

    private House house;
    private Path file;

    @Configuration
    public Option[] configuration() {
        return ProductOptions.product();
    }

    @Before
    public void open() throws Exception {
        house = House.ready();
        file = house.state().resolve("conf/palyra.gateway.json");
        if (house.client().run("agents", "show", "scripted").exit() != 0) {
            house.client()
                    .run("agents", "create", "scripted", "--test", "true", "--tool", "palyra.echo")
                    .ok();
        }
    }

    @After
    public void remove() throws Exception {
        Files.deleteIfExists(file);
        awaitTurns("120");
        house.client().run("doctor").ok();
    }

    private void write(String text) throws IOException {
        write(file, text);
    }

    /** Moved into place, so that it is never seen half written. */
    private void write(Path file, String text) throws IOException {
        Path draft = Files.writeString(house.state().resolve("tmp/draft.json"), text);
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private String maxTurns() throws IOException {
        JsonNode shown =
                house.client().run("config", "show", "palyra.gateway", "--json").ok().json();
        for (JsonNode row : shown) {
            if (row.path("key").asText().equals("maxTurns")) {
                return row.path("value").asText();
            }
        }
        return shown.toString();
    }

    private void awaitTurns(String wanted) throws Exception {
        Wait.until("maxTurns to be " + wanted, () -> maxTurns().equals(wanted));
    }

    private CommandClient.Result askTwoTurns() throws IOException {
        return house.client().runWith(TWO_TURNS, "ask", "--agent", "scripted", "--final", "-");
    }

    @Test
    public void aFileTakesEffectWhileTheGatewayRuns() throws Exception {
        assertEquals("two turns\n", askTwoTurns().ok().out());
        Map<String, House.Component> before = house.standing();
        write("{\"maxTurns\": 1}");
        awaitTurns("1");
        CommandClient.Result refused = askTwoTurns().exits(1);
        assertTrue(refused.err(), refused.err().contains("used its 1 turns"));
        assertEquals("nothing restarts, the gateway's component neither", before, house.standing());
        Files.delete(file);
        awaitTurns("120");
        assertEquals("two turns\n", askTwoTurns().ok().out());
    }

    @Test
    public void aBadFileLeavesTheLastGoodOneInForceAndDoctorShowsIt() throws Exception {
        write("{\"maxTurns\": 1}");
        awaitTurns("1");
        write("{\"maxTurns\": 100000, \"maxTurn\": 3}");
        Wait.until("doctor to notice", () -> house.client().run("doctor").exit() == 1);
        String findings = house.client().run("doctor").out();
        assertTrue(findings, findings.contains("palyra.gateway.json"));
        assertTrue(findings, findings.contains("maxTurn") && findings.contains("100000"));
        assertEquals("1", maxTurns());
        askTwoTurns().exits(1);
        assertEquals(
                "the operator's file is left as it is",
                "{\"maxTurns\": 100000, \"maxTurn\": 3}",
                Files.readString(file));
        write("{\"maxTurns\": 2}");
        awaitTurns("2");
        house.client().run("doctor").ok();
        assertEquals("two turns\n", askTwoTurns().ok().out());
    }

    /** The values fit the schema, and only the component knows that they are wrong. */
    @Test
    public void aComponentThatRefusesItsConfigurationIsToldAndBeginsAgainWhenItIsCorrected()
            throws Exception {
        Path sandbox = house.state().resolve("conf/palyra.sandbox.json");
        try {
            write(sandbox, "{\"commandRowsFile\": \"not/absolute\"}");
            Wait.until("doctor to notice", () -> house.client().run("doctor").exit() == 1);
            String findings = house.client().run("doctor").out();
            assertTrue(findings, findings.contains("palyra.sandbox was refused by"));
            assertTrue(findings, findings.contains("use an absolute path"));
            String list = house.client().run("config", "list").ok().out();
            assertTrue(list, list.matches("(?s).*palyra.sandbox +last good in force.*"));
            house.client().run("bundle", "stop", "palyra.sandbox").ok();
            String started = house.client().run("bundle", "start", "palyra.sandbox").exits(1).err();
            assertTrue(started, started.contains("use an absolute path"));
            assertEquals(64, house.client().run("sandbox", "list").exit());
            Files.delete(sandbox);
            Wait.until(
                    "the sandbox to begin again",
                    () -> house.client().run("sandbox", "list").exit() == 0);
        } finally {
            Files.deleteIfExists(sandbox);
        }
        Wait.until("doctor to be content", () -> house.client().run("doctor").exit() == 0);
    }
}

package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceRegistration;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.core.tools.ToolExecutor;
import palyra.itests.Dist;
import palyra.itests.Wait;
import palyra.itests.process.CommandClient;

/** What somebody else's bundle brings appears by itself and goes with its bundle. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class ContributionIT {
    private static final String EXAMPLE = "palyra.story.example";
    private static final String APPEND =
            "#!palyra-script\n"
                    + "{\"turns\":[[{\"call\":{\"tool\":\"palyra.test.append\",\"input\":"
                    + "{\"file\":\"f.txt\",\"line\":\"hello\"}}}],[{\"lastToolOutput\":true}]]}";

    private House house;

    @Configuration
    public Option[] configuration() {
        return ProductOptions.product(
                systemProperty(EXAMPLE).value(Dist.example().toUri().toString()));
    }

    @Before
    public void open() throws Exception {
        house = House.ready();
    }

    private boolean offers(String tool) throws Exception {
        return house.with(
                ToolExecutor.class,
                executor -> executor.catalogue().stream().anyMatch(one -> one.name().equals(tool)));
    }

    @Test
    public void aToolIsOfferedWhileItsBundleIsThere() throws Exception {
        house.client()
                .run(
                        "agents",
                        "create",
                        "appending",
                        "--test",
                        "true",
                        "--tool",
                        "palyra.test.append")
                .ok();
        assertFalse(offers("palyra.test.append"));
        Bundle example = house.context().installBundle("reference:" + System.getProperty(EXAMPLE));
        example.start();
        Wait.until("the tool to be offered", () -> offers("palyra.test.append"));
        CommandClient.Result first =
                house.client().runWith(APPEND, "ask", "--agent", "appending", "--final", "-").ok();
        assertEquals("{\"file\":\"f.txt\",\"sizeBytes\":6}\n", first.out());
        assertEquals(List.of("hello"), Files.readAllLines(house.state().resolve("append/f.txt")));
        house.client().run("doctor").ok();
        example.uninstall();
        Wait.until("the tool to be gone", () -> !offers("palyra.test.append"));
    }

    /** A command as anybody may write one. */
    private static final class Greeting implements Command {
        @Override
        public CommandSpec spec() {
            return new CommandSpec(
                    "greet", "Says hello.", "", List.of(), List.of(), "extension.greet", false);
        }

        @Override
        public int run(CommandContext context) {
            context.output().line("hello, " + context.principal().id());
            return 0;
        }
    }

    @Test
    public void aCommandIsThereWhileItsBundleIs() throws Exception {
        house.client().run("greet").exits(64);
        ServiceRegistration<Command> registration =
                house.context().registerService(Command.class, new Greeting(), null);
        try {
            Wait.until("the command", () -> house.client().run("greet").exit() == 0);
            assertTrue(house.client().run("greet").ok().out().startsWith("hello, "));
            assertTrue(helpNames("greet"));
            assertTrue(house.client().run("greet", "--help").ok().out().contains("Says hello."));
            assertTrue(house.client().run("gogo", "palyra:greet").ok().out().startsWith("hello, "));
        } finally {
            registration.unregister();
        }
        Wait.until("the command to be gone", () -> house.client().run("greet").exit() == 64);
        assertFalse(helpNames("greet"));
    }

    private boolean helpNames(String command) throws IOException {
        return house.client().run("help").ok().out().contains(command);
    }
}

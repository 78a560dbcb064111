package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** A stranger's first hour: {@code palyra dev}, outside of the repository, against a gateway. */
public class DevIT {
    private static UnprivilegedGateway gateway;

    @BeforeClass
    public static void open() throws Exception {
        gateway = UnprivilegedGateway.install().up();
    }

    @AfterClass
    public static void close() throws Exception {
        gateway.close();
    }

    private static Path made(String kind, String name) throws Exception {
        gateway.runIn(gateway.folder(), "dev", "init", kind, name).ok();
        return gateway.folder().resolve(name);
    }

    /** Builds with the project's tests, and puts it into the gateway. */
    private static CommandClient.Result deploy(Path project) throws Exception {
        return gateway.runIn(project, "dev", "deploy").ok();
    }

    @Test
    public void aToolIsMadeCalledChangedAndCalledAgain() throws Exception {
        Path project = made("tool", "org.example.words");
        deploy(project);
        gateway.run("agents", "create", "words", "--test", "true", "--tool", "org.example.words")
                .ok();
        assertEquals("{\"words\":3}", count());
        Path source = project.resolve("src/main/java/org/example/words/internal/WordsTool.java");
        Files.writeString(
                source, Files.readString(source).replace("\"words\", words", "\"words\", -words"));
        CommandClient.Result failed = gateway.runIn(project, "dev", "deploy").exits(1);
        assertTrue(failed.err(), failed.err().contains("countsWords"));
        assertEquals("a bundle whose tests fail stays out", "{\"words\":3}", count());
        Path test = project.resolve("src/test/java/org/example/words/internal/WordsToolTest.java");
        Files.writeString(
                test, Files.readString(test).replace("{\\\"words\\\":4}", "{\\\"words\\\":-4}"));
        deploy(project);
        assertEquals("{\"words\":-3}", count());
    }

    private static String count() throws Exception {
        String script =
                """
                #!palyra-script
                {"turns": [ [ {"call": {"tool": "org.example.words", "input": {"text": "a b c"}}} ],
                            [ {"lastToolOutput": true} ] ]}
                """;
        return gateway.runWith(script, "ask", "--agent", "words", "-").ok().out().strip();
    }

    @Test
    public void aCommandIsMadeAndCalled() throws Exception {
        deploy(made("command", "org.example.hello"));
        String answer = gateway.run("hello", "greet", "Ada", "--loud").ok().out();
        assertTrue(answer, answer.contains("HELLO, ADA"));
    }

    @Test
    public void aModelIsMadeAndAnswers() throws Exception {
        deploy(made("model", "org.example.shout"));
        gateway.run("agents", "create", "loud", "--provider", "shout").ok();
        assertEquals(
                "GOOD MORNING\n", gateway.run("ask", "--agent", "loud", "good morning").ok().out());
    }

    @Test
    public void aComponentThatFailsIsToldWithItsCauseEverywhere() throws Exception {
        Path project = made("tool", "org.example.broken");
        Path source = project.resolve("src/main/java/org/example/broken/internal/BrokenTool.java");
        Files.writeString(
                source,
                Files.readString(source)
                        .replaceFirst(
                                "(?m)^    @Override",
                                "    public BrokenTool() {\n"
                                        + "        throw new IllegalStateException(\"no licence\");\n"
                                        + "    }\n\n    @Override"));
        Files.delete(
                project.resolve("src/test/java/org/example/broken/internal/BrokenToolTest.java"));
        CommandClient.Result deployed = gateway.runIn(project, "dev", "deploy").exits(1);
        assertTrue(deployed.err(), deployed.err().contains("no licence"));
        assertTrue(gateway.run("status").out().contains("no licence"));
        assertTrue(gateway.run("doctor").exits(1).out().contains("no licence"));
        Files.writeString(
                source,
                Files.readString(source)
                        .replace("throw new IllegalStateException(\"no licence\");", ""));
        deploy(project);
        assertFalse(gateway.run("status").out().contains("no licence"));
    }

    @Test
    public void whatCannotBecomeAProjectIsRefusedAndLeavesNothing() throws Exception {
        String[][] refused = {
            {"a tool, a command or a model", "widget", "org.example.x"},
            {"cannot be a package", "tool", "Hello"},
            {"cannot be a package", "tool", "../org.example"},
            {"begins with palyra.", "tool", "palyra.x"},
        };
        for (String[] one : refused) {
            CommandClient.Result result =
                    gateway.runIn(gateway.folder(), "dev", "init", one[1], one[2]).exits(64);
            assertTrue(result.err(), result.err().contains(one[0]));
            assertFalse(Files.exists(gateway.folder().resolve(one[2])));
        }
        Path kept = Files.createDirectory(gateway.folder().resolve("org.example.kept"));
        Files.writeString(kept.resolve("mine"), "mine");
        gateway.runIn(gateway.folder(), "dev", "init", "tool", "org.example.kept").exits(64);
        assertEquals("mine", Files.readString(kept.resolve("mine")));
        CommandClient.Result nowhere = gateway.runIn(kept, "dev", "build").exits(64);
        assertTrue(nowhere.err(), nowhere.err().contains("dev init"));
    }
}

package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipFile;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Dist;
import palyra.itests.Wait;

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
        agent("words", "org.example.words");
        assertEquals("{\"words\":3}", count("words"));
        Path source = project.resolve("src/main/java/org/example/words/internal/WordsTool.java");
        Files.writeString(
                source, Files.readString(source).replace("\"words\", words", "\"words\", -words"));
        CommandClient.Result failed = gateway.runIn(project, "dev", "deploy").exits(1);
        assertTrue(failed.err(), failed.err().contains("countsWords"));
        assertEquals("a bundle whose tests fail stays out", "{\"words\":3}", count("words"));
        Path test = project.resolve("src/test/java/org/example/words/internal/WordsToolTest.java");
        Files.writeString(
                test, Files.readString(test).replace("{\\\"words\\\":4}", "{\\\"words\\\":-4}"));
        deploy(project);
        assertEquals("{\"words\":-3}", count("words"));
    }

    private static void agent(String name, String tool) throws Exception {
        gateway.run("agents", "create", name, "--test", "true", "--tool", tool).ok();
    }

    /** Lets the agent of a name call the tool of that name. */
    private static String count(String name) throws Exception {
        String script =
                """
                #!palyra-script
                {"turns": [ [ {"call": {"tool": "org.example.NAME", "input": {"text": "a b c"}}} ],
                            [ {"lastToolOutput": true} ] ]}
                """
                        .replace("NAME", name);
        return gateway.runWith(script, "ask", "--agent", name, "-").ok().out().strip();
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
    public void aToolOfABndWorkspaceIsMadeCalledChangedAndCalledAgain() throws Exception {
        Path workspace = Files.createDirectory(gateway.folder().resolve("workspace"));
        gateway.runIn(workspace, "dev", "init", "--layout", "bnd", "tool", "org.example.tally")
                .ok();
        Path project = workspace.resolve("org.example.tally");
        deploy(project);
        agent("tally", "org.example.tally");
        assertEquals("{\"words\":3}", count("tally"));
        change(project.resolve("src"), "Tool", "\"words\", words", "\"words\", -words");
        CommandClient.Result failed = gateway.runIn(project, "dev", "deploy").exits(1);
        assertTrue(failed.err(), failed.err().contains("countsWords"));
        assertEquals("a bundle whose tests fail stays out", "{\"words\":3}", count("tally"));
        change(project.resolve("test"), "ToolTest", "{\\\"words\\\":4}", "{\\\"words\\\":-4}");

        // Another program builds, as Bndtools does: what it writes is deployed.
        Path output = gateway.folder().resolve("watch");
        Process watch = gateway.startIn(project, output, "dev", "watch", "--jars");
        try {
            awaitDeployments(output, 1);
            gateway.runIn(project, "dev", "build").ok();
            awaitDeployments(output, 2);
        } finally {
            watch.destroy();
        }
        assertEquals("{\"words\":-3}", count("tally"));
        CommandClient.Result twice =
                gateway.runIn(
                                project,
                                "dev",
                                "init",
                                "--layout",
                                "bnd",
                                "tool",
                                "org.example.tally")
                        .exits(64);
        assertTrue(twice.err(), twice.err().contains(project.toRealPath().toString()));
    }

    private static void change(Path folder, String suffix, String from, String to)
            throws Exception {
        Path file = folder.resolve("org/example/tally/internal/Tally" + suffix + ".java");
        String text = Files.readString(file);
        assertTrue(from, text.contains(from));
        Files.writeString(file, text.replace(from, to));
    }

    private static void awaitDeployments(Path output, int count) throws Exception {
        Wait.until(
                count + " deployments",
                Duration.ofSeconds(60),
                () -> read(output).split("deployed in", -1).length > count,
                () -> read(output));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The engine of bnd takes the fragments by their index, as the wizard of Bndtools does. */
    @Test
    public void bndTakesEachKindFromAFragmentThenItBuildsAndPassesItsTest() throws Exception {
        Path fragments = gateway.folder().resolve("fragments");
        Path workspace = gateway.folder().resolve("taken");
        Path output = gateway.folder().resolve("taking");
        gateway.runIn(gateway.folder(), "dev", "fragment", "fragments").ok();
        Process bnd =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                Dist.root()
                                        .resolve("palyra.itests/target/bnd/biz.aQute.bnd.jar")
                                        .toString(),
                                Dist.root()
                                        .resolve("palyra.itests/src/test/bnd/TakeFragments.java")
                                        .toString(),
                                fragments.resolve("index.bnd").toString(),
                                workspace.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        assertTrue(read(output), bnd.waitFor(60, TimeUnit.SECONDS));
        assertEquals(read(output), 0, bnd.exitValue());
        for (String name : List.of("words.WordsTool", "hello.HelloCommand", "shout.ShoutModel")) {
            String project = "org.example." + name.substring(0, name.indexOf('.'));
            Path folder = workspace.resolve(project);
            gateway.runIn(folder, "dev", "build").ok();
            String log = Files.readString(folder.resolve("generated/palyra-dev.log"));
            assertTrue(log, log.matches("(?s).*\\[ *[1-9]\\d* tests successful.*"));
            try (ZipFile jar =
                    new ZipFile(folder.resolve("generated/" + project + ".jar").toFile())) {
                String component = project + ".internal" + name.substring(name.indexOf('.'));
                assertNotNull(component, jar.getEntry("OSGI-INF/" + component + ".xml"));
            }
        }
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
        CommandClient.Result layout =
                gateway.runIn(
                                gateway.folder(),
                                "dev",
                                "init",
                                "--layout",
                                "gradle",
                                "tool",
                                "org.example.x")
                        .exits(64);
        assertTrue(layout.err(), layout.err().contains("maven or bnd; found 'gradle'"));
        Path kept = Files.createDirectory(gateway.folder().resolve("org.example.kept"));
        Files.writeString(kept.resolve("mine"), "mine");
        gateway.runIn(gateway.folder(), "dev", "init", "tool", "org.example.kept").exits(64);
        assertEquals("mine", Files.readString(kept.resolve("mine")));
        CommandClient.Result nowhere = gateway.runIn(kept, "dev", "build").exits(64);
        assertTrue(nowhere.err(), nowhere.err().contains("dev init"));
    }
}

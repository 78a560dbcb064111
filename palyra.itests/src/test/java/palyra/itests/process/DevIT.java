package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
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
        forgetEarlierBuilds();
    }

    /** What was fetched for earlier builds stays, but not the product of them. */
    private static void forgetEarlierBuilds() throws IOException {
        Path own = Dist.root().resolve("palyra.itests/target/m2/dev/palyra");
        if (Files.exists(own)) {
            try (Stream<Path> files = Files.walk(own)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
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
        Path jar = project.resolve("target/org.example.words-1.0.0.jar");
        Map<String, String> full = content(jar);
        agent("words", "org.example.words");
        assertEquals("{\"words\":3}", count("words"));
        Path sources = project.resolve("src/main/java/org/example/words/internal");
        change(sources.resolve("WordsTool.java"), "\"words\", words", "\"words\", -words");
        CommandClient.Result failed = gateway.runIn(project, "dev", "deploy").exits(1);
        assertTrue(failed.err(), failed.err().contains("countsWords"));
        assertEquals("a bundle whose tests fail stays out", "{\"words\":3}", count("words"));
        try (Watch watch = new Watch(project)) {
            watch.await("deployed in", 1);
            assertEquals("{\"words\":-3}", count("words"));
            Files.createDirectories(project.resolve("src/main/resources/extra"));
            Files.writeString(project.resolve("src/main/resources/extra/text"), "text");
            watch.await("deployed in", 2);
            Path more = sources.resolve("More.java");
            Files.writeString(more, "package org.example.words.internal;\n\nclass More {}\n");
            watch.await("deployed in", 3);
            assertEquals("text", content(jar).get("extra/text"));
            assertTrue(content(jar).containsKey("org/example/words/internal/More.class"));
            Files.writeString(more, "package org.example.words.internal;\n\nclass More { oops }\n");
            watch.await("the build failed", 1);
            assertTrue(watch.said(), watch.said().contains("More.java:[3,"));
            assertEquals("what was deployed stays", "{\"words\":-3}", count("words"));
            Files.delete(project.resolve("src/main/resources/extra/text"));
            Files.delete(more);
            change(sources.resolve("WordsTool.java"), "\"words\", -words", "\"words\", words");
            watch.await("deployed in", 4);
            assertEquals("{\"words\":3}", count("words"));
            assertEquals("a save makes what a full build makes", full, content(jar));
            // A change of the settings begins anew, with what they say now.
            change(
                    project.resolve("pom.xml"),
                    "<version>1.0.0</version>",
                    "<version>1.0.1</version>");
            watch.await("deployed in", 5);
            assertTrue(gateway.run("bundles").ok().out().contains("1.0.1"));
            watch.assertLeavesNothingWhenKilled();
        }
    }

    /** The entries of a jar with what is in them; classes and others by their bytes. */
    private static Map<String, String> content(Path jar) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                byte[] bytes = zip.getInputStream(entry).readAllBytes();
                content.put(entry.getName(), new String(bytes, StandardCharsets.ISO_8859_1));
            }
        }
        assertTrue(jar.toString(), content.containsKey("META-INF/MANIFEST.MF"));
        return content;
    }

    private static void change(Path file, String from, String to) throws IOException {
        String text = Files.readString(file);
        assertTrue(file + " has " + from, text.contains(from));
        Files.writeString(file, text.replace(from, to));
    }

    /** A {@code palyra dev watch} that runs. */
    private static final class Watch implements AutoCloseable {
        private final Path output;
        private final Process process;

        Watch(Path project, String... options) throws Exception {
            output = Files.createTempFile(gateway.folder(), "watch", "");
            List<String> words = new ArrayList<>(List.of("dev", "watch"));
            words.addAll(List.of(options));
            process = gateway.startIn(project, output, words.toArray(String[]::new));
        }

        String said() {
            try {
                return Files.readString(output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void await(String words, int count) throws Exception {
            Wait.until(
                    count + " times " + words,
                    Duration.ofSeconds(60),
                    () -> said().split(words, -1).length > count,
                    this::said);
        }

        List<ProcessHandle> builders() {
            return process.descendants()
                    .filter(one -> one.info().command().orElse("").endsWith("/java"))
                    .toList();
        }

        void killBuilders() {
            assertFalse(said(), builders().isEmpty());
            builders().forEach(ProcessHandle::destroyForcibly);
        }

        /** The JVM that builds ends with the shell that started it, even one that cannot say so. */
        void assertLeavesNothingWhenKilled() throws Exception {
            List<ProcessHandle> builders = builders();
            assertFalse(said(), builders.isEmpty());
            assertFalse(said(), said().contains("note: no build stays warm"));
            process.destroyForcibly();
            for (ProcessHandle builder : builders) {
                Wait.until(
                        "the end of " + builder.info(),
                        Duration.ofSeconds(60),
                        () -> !builder.isAlive(),
                        this::said);
            }
        }

        @Override
        public void close() throws Exception {
            process.destroy();
            process.waitFor();
        }
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
        Path project = made("command", "org.example.hello");
        deploy(project);
        String answer = gateway.run("hello", "greet", "Ada", "--loud").ok().out();
        assertTrue(answer, answer.contains("HELLO, ADA"));
        assertASaveMakesTheSame(project, "target/org.example.hello-1.0.0.jar");
    }

    private static void assertASaveMakesTheSame(Path project, String name) throws Exception {
        Path jar = project.resolve(name);
        Map<String, String> full = content(jar);
        Files.delete(jar);
        try (Watch watch = new Watch(project)) {
            watch.await("deployed in", 1);
            assertEquals(full, content(jar));
            watch.assertLeavesNothingWhenKilled();
        }
    }

    @Test
    public void aModelIsMadeAndAnswers() throws Exception {
        Path project = made("model", "org.example.shout");
        CommandClient.Result alone = gateway.runWithoutGateway(project, "dev", "deploy").exits(69);
        assertEquals(
                alone.err(), 1, alone.err().split("palyra: no gateway is running", -1).length - 1);
        assertFalse(alone.err(), alone.err().contains("private /tmp"));
        assertASaveMakesTheSame(project, "target/org.example.shout-1.0.0.jar");
        gateway.run("agents", "create", "loud", "--provider", "shout").ok();
        assertEquals(
                "GOOD MORNING\n", gateway.run("ask", "--agent", "loud", "good morning").ok().out());
    }

    @Test
    public void aConnectorIsMadeAndAnswersAlsoFromTheDropInFolder() throws Exception {
        Path project = made("connector", "org.example.desk");
        deploy(project);
        Path messages = Files.createDirectory(project.resolve("messages"));
        Path ada = openToAll(Files.createDirectory(messages.resolve("ada")));
        configure(
                "palyra.channels.route~desk",
                "{\"connectors\": [\"desk:main\"], \"directMessages\": \"allow\"}");
        Wait.until("the rule", DevIT::adaIsAnswered);
        configure("org.example.desk~main", "{\"folder\": \"" + messages + "\"}");
        say(ada, "good morning");
        awaitAnswers(ada, List.of("good morning"));
        Path jar = project.resolve("target/org.example.desk-1.0.0.jar");
        assertASaveMakesTheSame(project, "target/org.example.desk-1.0.0.jar");
        say(ada, "good evening");
        awaitAnswers(ada, List.of("good morning", "good evening"));
        gateway.run("bundle", "uninstall", "org.example.desk").ok();

        configure("palyra.deploy", "{\"enabled\": true}");
        say(ada, "good night"); // while there is no connector
        Path dropped = gateway.state().resolve("deploy").resolve(jar.getFileName());
        Wait.until("the folder", () -> Files.isDirectory(dropped.getParent()));
        Path part = Files.copy(jar, gateway.state().resolve("part"));
        Files.move(part, dropped, StandardCopyOption.ATOMIC_MOVE);
        String name = jar.getFileName().toString();
        Wait.until("the jar to be seen", () -> gateway.run("deploy", "pin", name).exit() == 0);
        awaitAnswers(ada, List.of("good morning", "good evening", "good night"));
        Files.delete(dropped);
        Wait.until(
                "the connector to be gone",
                () -> gateway.run("channels", "status", "desk:main").exit() != 0);
    }

    private static boolean adaIsAnswered() throws Exception {
        String[] question = {"router", "explain", "desk:main", "hello", "--as", "ada", "--direct"};
        return gateway.run(question).out().contains("user:desk:main:ada");
    }

    /** The gateway's user writes there, whoever the test is. */
    private static Path openToAll(Path folder) throws IOException {
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private static void configure(String pid, String json) throws IOException {
        Path part = Files.writeString(gateway.state().resolve("configuration"), json);
        Path file = gateway.state().resolve("conf").resolve(pid + ".json");
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void say(Path person, String text) throws Exception {
        Path part = Files.writeString(person.resolve("part"), text);
        Files.move(part, person.resolve(text.replace(' ', '-') + ".txt"));
    }

    private static String said(Path person) {
        try {
            return answers(person) + gateway.run("channels", "status", "desk:main").out();
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static void awaitAnswers(Path person, List<String> texts) throws Exception {
        List<String> expected = texts.stream().map(text -> "You said: " + text + "\n").toList();
        Wait.until(
                "answers to " + texts,
                Duration.ofSeconds(60),
                () -> answers(person).equals(expected),
                () -> said(person));
    }

    /** The answers in their order. */
    private static List<String> answers(Path person) throws IOException {
        Path folder = person.resolve("answers");
        List<String> answers = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.sorted().toList()) {
                    answers.add(Files.readString(file));
                }
            }
        }
        return answers;
    }

    @Test
    public void aToolOfABndWorkspaceIsMadeCalledChangedAndCalledAgain() throws Exception {
        Path workspace = Files.createDirectory(gateway.folder().resolve("workspace"));
        String[] init = {"dev", "init", "--layout", "bnd", "tool", "org.example.tally"};
        gateway.runIn(workspace, init).ok();
        Path project = workspace.resolve("org.example.tally");
        deploy(project);
        Path jar = project.resolve("generated/org.example.tally.jar");
        Map<String, String> full = content(jar);
        agent("tally", "org.example.tally");
        assertEquals("{\"words\":3}", count("tally"));
        Path sources = project.resolve("src/org/example/tally/internal");
        Path source = sources.resolve("TallyTool.java");
        change(source, "\"words\", words", "\"words\", -words");
        CommandClient.Result failed = gateway.runIn(project, "dev", "deploy").exits(1);
        assertTrue(failed.err(), failed.err().contains("countsWords"));
        assertEquals("a bundle whose tests fail stays out", "{\"words\":3}", count("tally"));
        Path changed = gateway.folder().resolve("changed.jar");
        try (Watch watch = new Watch(project)) {
            watch.await("deployed in", 1);
            assertEquals("{\"words\":-3}", count("tally"));
            Files.copy(jar, changed);
            Path more = sources.resolve("More.java");
            Files.writeString(more, "package org.example.tally.internal;\n\nclass More { oops }\n");
            watch.await("the build failed", 1);
            assertTrue(watch.said(), watch.said().contains("More.java:3: error:"));
            Files.writeString(more, "package org.example.tally.internal;\n\nclass More {}\n");
            watch.await("deployed in", 2);
            assertTrue(content(jar).containsKey("org/example/tally/internal/More.class"));
            Files.delete(more);
            change(source, "\"words\", -words", "\"words\", words");
            watch.await("deployed in", 3);
            assertEquals("a save makes what a full build makes", full, content(jar));
            watch.assertLeavesNothingWhenKilled();
        }

        try (Watch watch = new Watch(project)) {
            watch.await("deployed in", 1);
            watch.killBuilders();
            Files.setLastModifiedTime(source, FileTime.from(Instant.now()));
            watch.await("deployed in", 2);
            assertTrue(watch.said(), watch.said().contains("note: no build stays warm"));
            assertFalse("bash says nothing of its own", watch.said().contains("Killed"));
        }

        // Another program builds, as Bndtools does: what it writes is deployed.
        try (Watch watch = new Watch(project, "--jars")) {
            watch.await("deployed in", 1);
            assertEquals("{\"words\":3}", count("tally"));
            Files.copy(changed, jar, StandardCopyOption.REPLACE_EXISTING);
            watch.await("deployed in", 2);
        }
        assertEquals("{\"words\":-3}", count("tally"));
        CommandClient.Result twice = gateway.runIn(workspace, init).exits(64);
        assertTrue(twice.err(), twice.err().contains(project.toRealPath().toString()));
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
        assertTrue(bnd.waitFor(60, TimeUnit.SECONDS));
        assertEquals(Files.readString(output), 0, bnd.exitValue());
        for (String name :
                List.of(
                        "words.WordsTool",
                        "hello.HelloCommand",
                        "shout.ShoutModel",
                        "desk.DeskConnector")) {
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
        // Without a Maven that can stay it takes longer and is the same.
        change(
                project.resolve("mvnw"),
                "#!/bin/sh\n",
                "#!/bin/sh\n[ \"$1\" != -v ] || { echo 'Maven home: /nowhere'; exit 0; }\n");
        try (Watch watch = new Watch(project)) {
            watch.await("deployed in", 1);
            assertTrue(watch.said(), watch.said().contains("no Maven 3 ('/nowhere')"));
        }
        assertFalse(gateway.run("status").out().contains("no licence"));
    }

    /** The first words of what the gateway and its script know themselves. */
    private static Set<String> taken() throws Exception {
        Set<String> words = new TreeSet<>(List.of("palyra", "up", "dev", "upgrade", "shell"));
        for (JsonNode one : CommandClient.JSON.readTree(gateway.run("help", "--json").ok().out())) {
            words.add(one.path("command").asText().split(" ")[0]);
        }
        words.remove("hello"); // of another test
        return words;
    }

    @Test
    public void whatCannotBecomeAProjectIsRefusedAndLeavesNothing() throws Exception {
        String[][] refused = {
            {"a tool, a command, a model or a connector", "widget", "org.example.x"},
            {"more than 32 characters", "connector", "org.example." + "x".repeat(33)},
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
        for (String word : taken()) {
            String name = "org.example." + word;
            CommandClient.Result result =
                    gateway.runIn(gateway.folder(), "dev", "init", "command", name).exits(64);
            assertTrue(result.err(), result.err().contains("would be '" + word + " greet'"));
            assertFalse(Files.exists(gateway.folder().resolve(name)));
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

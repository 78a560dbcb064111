package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.core.tools.ToolExecutor;
import palyra.itests.Dist;
import palyra.itests.Wait;
import palyra.itests.process.CommandClient;

/** What is moved into the drop-in folder becomes live if it is trusted, and harms nobody. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class DeployIT {
    private static final String EXAMPLE = "palyra.story.example";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private House house;
    private Path folder;
    private Path conf;
    private Map<String, String> before;

    @Configuration
    public Option[] configuration() {
        return ProductOptions.product(
                systemProperty(EXAMPLE).value(Dist.example().toUri().toString()));
    }

    /** A command as anybody may bring one. */
    public static final class Greeting implements Command {
        @Override
        public CommandSpec spec() {
            return new CommandSpec(
                    "dropped greet", "Says hello.", "", List.of(), List.of(), "extension.x", false);
        }

        @Override
        public int run(CommandContext context) {
            context.output().line("hello from the folder");
            return 0;
        }
    }

    private static TestBundle greeting(String version) throws IOException {
        return new TestBundle("story.greeting")
                .header("Bundle-Version", version)
                .header("Import-Package", "palyra.api.command,palyra.api.access,palyra.api")
                .offering(Greeting.class, Command.class);
    }

    private static byte[] bytes(TestBundle bundle) throws IOException {
        try (InputStream jar = bundle.jar()) {
            return jar.readAllBytes();
        }
    }

    private static String digest(byte[] jar) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(jar));
    }

    @Before
    public void open() throws Exception {
        house = House.ready();
        folder = house.state().resolve("deploy");
        conf = house.state().resolve("conf/palyra.deploy.json");
        Wait.until("every component", () -> house.notActive().isEmpty());
        before = others();
    }

    @After
    public void close() throws Exception {
        Files.deleteIfExists(conf);
        await("the folder to be off", () -> list().err().contains("not watched"));
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        }
        await("nothing of the folder to be in", () -> dropped().isEmpty());
        await("doctor to have no complaint", () -> !complains());
        assertEquals("nothing else restarted", before, others());
    }

    /** Components of everybody else, with the ids that a restart would change. */
    private Map<String, String> others() throws Exception {
        return house.components().values().stream()
                .filter(component -> !component.bundle().startsWith("story."))
                .filter(component -> !component.bundle().startsWith("palyra.examples."))
                .collect(
                        Collectors.toMap(
                                House.Component::name,
                                component -> component.id() + "/" + component.service()));
    }

    private List<String> dropped() {
        return Arrays.stream(house.context().getBundles())
                .filter(bundle -> bundle.getLocation().startsWith("palyra:deploy/"))
                .map(Bundle::getSymbolicName)
                .toList();
    }

    private void await(String what, Callable<Boolean> condition) throws Exception {
        Wait.until(what, PATIENCE, condition, () -> String.valueOf(shown()));
    }

    private String shown() {
        try {
            return list() + " " + doctor();
        } catch (IOException e) {
            return e.toString();
        }
    }

    private String doctor() throws IOException {
        return house.client().run("doctor").out();
    }

    /** About the folder or a file of it, whatever else there may be. */
    private boolean complains() throws IOException {
        String said = doctor();
        return said.contains("[deploy]") || said.contains("deploy file");
    }

    private CommandClient.Result list() throws IOException {
        return house.client().run("deploy", "list");
    }

    /** Moved into place, so that it is never seen half written. */
    private void move(byte[] content, Path to) throws IOException {
        Path draft = Files.write(house.state().resolve("tmp/draft"), content);
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
        Files.move(draft, to, StandardCopyOption.ATOMIC_MOVE);
    }

    private void enable(String... pins) throws Exception {
        String list =
                Arrays.stream(pins).map(p -> "\"" + p + "\"").collect(Collectors.joining(","));
        move(
                ("{\"enabled\": true, \"pins\": [" + list + "]}").getBytes(StandardCharsets.UTF_8),
                conf);
        await("the folder to be watched", () -> !list().err().contains("not watched"));
        await("the folder", () -> Files.isDirectory(folder));
    }

    private void drop(String name, byte[] content) throws IOException {
        move(content, folder.resolve(name));
    }

    private JsonNode status(String file) throws IOException {
        return house.client().run("deploy", "status", file, "--json").json();
    }

    private void awaitState(String file, String state) throws Exception {
        await(
                file + " to be " + state,
                () ->
                        house.client().run("deploy", "status", file).exit() != 66
                                && status(file).path("state").asText().equals(state));
    }

    private boolean greets() throws IOException {
        return house.client().run("dropped", "greet").out().equals("hello from the folder\n");
    }

    private boolean offers(String tool) throws Exception {
        return house.with(
                ToolExecutor.class,
                executor -> executor.catalogue().stream().anyMatch(one -> one.name().equals(tool)));
    }

    @Test
    public void aPinnedBundleIsLiveAndGoesWithItsFile() throws Exception {
        byte[] jar = bytes(greeting("1.0.0"));
        enable("sha256:" + digest(jar));
        drop("greeting.jar", jar);
        await("its command", this::greets);
        awaitState("greeting.jar", "active");
        assertFalse(doctor(), complains());
        String events = house.client().run("tape", "show", "journal", "--json").ok().out();
        assertTrue(events, events.contains("bundle_deploy_started"));
        Files.delete(folder.resolve("greeting.jar"));
        await("it to be gone", () -> dropped().isEmpty());
        house.client().run("dropped", "greet").exits(64);
    }

    @Test
    public void anUnpinnedBundleIsRefusedWithTheLineThatWorks() throws Exception {
        byte[] example;
        try (InputStream in = URI.create(System.getProperty(EXAMPLE)).toURL().openStream()) {
            example = in.readAllBytes();
        }
        byte[] jar = bytes(greeting("1.0.0"));
        enable();
        drop("example.jar", example);
        drop("greeting.jar", jar);
        awaitState("example.jar", "refused");
        awaitState("greeting.jar", "refused");
        String line = "sha256:" + digest(jar);
        String doctor = doctor();
        assertTrue(doctor, doctor.contains("\"" + line + "\""));
        assertTrue(list().out(), list().out().contains("\"" + line + "\""));
        assertEquals(List.of(), dropped());
        house.client().run("deploy", "pin", "example.jar").ok();
        await("the example's tool", () -> offers("palyra.test.append"));
        assertFalse(greets());
        enable(line);
        await("its command", this::greets);
        await("doctor to have no complaint", () -> !complains());
        house.client().run("deploy", "unpin", digest(example)).ok();
        await("the example's tool to be gone", () -> !offers("palyra.test.append"));
        assertTrue(greets());
    }

    @Test
    public void aFileThatIsStillBeingCopiedIsNeverLoaded() throws Exception {
        byte[] jar = bytes(greeting("1.0.0"));
        enable("sha256:" + digest(jar));
        Path file = folder.resolve("greeting.jar");
        Files.write(file, Arrays.copyOf(jar, jar.length / 2));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        awaitState("greeting.jar", "refused");
        assertEquals(List.of(), dropped());
        Files.write(
                file,
                Arrays.copyOfRange(jar, jar.length / 2, jar.length),
                StandardOpenOption.APPEND);
        await("its command", this::greets);
    }

    @Test
    public void aBrokenBundleIsExplainedAndHarmsNobody() throws Exception {
        byte[] good = bytes(greeting("1.0.0"));
        byte[] worse = bytes(greeting("1.1.0").header("Import-Package", "no.such.pkg"));
        byte[] broken = bytes(new TestBundle("story.broken").header("Import-Package", "no.pkg"));
        byte[] failing =
                bytes(
                        new TestBundle("story.failing")
                                .header("Bundle-Activator", "no.such.Activator"));
        enable(
                "sha256:" + digest(good),
                "sha256:" + digest(worse),
                "sha256:" + digest(broken),
                "sha256:" + digest(failing));
        drop("greeting.jar", good);
        await("its command", this::greets);
        drop("greeting.jar", worse);
        drop("broken.jar", broken);
        drop("failing.jar", failing);
        awaitState("failing.jar", "failed");
        awaitState("broken.jar", "refused");
        awaitState("greeting.jar", "refused");
        String doctor = doctor();
        assertTrue(doctor, doctor.contains("the package no.pkg"));
        assertTrue(doctor, doctor.contains("the package no.such.pkg"));
        assertTrue(doctor, doctor.contains("no.such.Activator"));
        assertTrue("the version before stays", greets());
        assertEquals(List.of("story.greeting"), dropped());
    }

    @Test
    public void aPartOfTheProductIsNotReplaced() throws Exception {
        byte[] jar = bytes(new TestBundle("palyra.models").header("Bundle-Version", "9.0.0"));
        enable("sha256:" + digest(jar));
        drop("models.jar", jar);
        awaitState("models.jar", "refused");
        assertTrue(status("models.jar").path("remedy").asText().contains("palyra swap"));
        assertEquals(Bundle.ACTIVE, house.bundle("palyra.models").getState());
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

    @Test
    public void aConfigurationIsInForceWhileItIsThere() throws Exception {
        String usual = maxTurns();
        enable();
        drop("palyra.gateway.json", "{\"maxTurns\": 7}".getBytes(StandardCharsets.UTF_8));
        await("it to be in force", () -> maxTurns().equals("7"));
        drop("palyra.deploy.json", "{\"pins\": [\"sha256:00\"]}".getBytes(StandardCharsets.UTF_8));
        await(
                "the folder not to configure itself",
                () -> doctor().contains("configures the drop-in folder"));
        Files.delete(folder.resolve("palyra.gateway.json"));
        await("it to be gone", () -> maxTurns().equals(usual));
    }
}

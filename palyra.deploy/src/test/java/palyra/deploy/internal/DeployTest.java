package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Operation;
import palyra.api.core.ops.LoopView;
import palyra.deploy.internal.parts.Greeter;
import palyra.deploy.internal.parts.Listener;
import palyra.shared.bundles.LifecycleLock;

/** The life of bundles that are dropped into the folder of a running framework. */
@Timeout(300)
class DeployTest {
    private static final String NAME = "acme.one";

    @TempDir Path state;
    private Gateway gateway;
    private final Map<String, List<List<String>>> bundlesAt = new ConcurrentHashMap<>();

    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(state);
        gateway.boot();
        gateway.journal.afterUnit((unit, committed) -> unit.operations().forEach(this::look));
    }

    /** Notes the bundles of the moment when an event was recorded. */
    private void look(Operation operation) {
        if (operation instanceof Operation.Append event) {
            bundlesAt
                    .computeIfAbsent(event.type(), type -> new CopyOnWriteArrayList<>())
                    .add(gateway.bundles());
        }
    }

    private List<String> bundlesAt(String type, int number) {
        return bundlesAt.get(type).get(number);
    }

    @AfterEach
    void close() throws Exception {
        gateway.stop();
    }

    private static byte[] greeter(String version) {
        return new TestJar(NAME, version)
                .component(Greeter.class, TestJar.offers(Supplier.class, "greeting"))
                .bytes();
    }

    private static String[] pins(byte[]... jars) {
        return Arrays.stream(jars).map(TestJar::pin).toArray(String[]::new);
    }

    private void watch(byte[]... pinned) {
        gateway.watch(Samples.settings(state, pins(pinned)));
    }

    private List<JsonNode> events(String type) {
        return gateway.journal.events(type);
    }

    private String lastOutcome() {
        gateway.await(
                "every outcome in the journal",
                () ->
                        events(DeployJournal.STARTED).size()
                                == events(DeployJournal.FINISHED).size());
        List<JsonNode> ends = events(DeployJournal.FINISHED);
        return ends.get(ends.size() - 1).get("outcome").asText();
    }

    @Test
    void aPinnedBundleComesLiveAndIsRecordedBefore() throws Exception {
        byte[] jar = greeter("1.0.0");
        watch(jar);
        gateway.drop("one.jar", jar);
        gateway.awaitActive(NAME, "1.0.0");
        Row row = gateway.awaitRow("one.jar", Row.State.ACTIVE);
        assertEquals("configuration", row.pin().orElseThrow().origin());
        assertEquals(1, gateway.system().getServiceReferences(Supplier.class, null).size());
        assertEquals("DONE", lastOutcome());
        JsonNode started = events(DeployJournal.STARTED).get(0);
        assertEquals("local-files", started.get("principal").asText());
        assertEquals("one.jar", started.get("file").asText());
        assertEquals(TestJar.pin(jar), "sha256:" + started.get("sha256").asText());
        assertFalse(
                bundlesAt(DeployJournal.STARTED, 0).contains(NAME + " 1.0.0"),
                "the record comes first");
        assertTrue(bundlesAt(DeployJournal.FINISHED, 0).contains(NAME + " 1.0.0"));
        assertEquals(List.of(), gateway.reporter.view().findings());
    }

    @Test
    void anErrorOfALookIsSeenAndTheNextLookTakesTheBundle() throws Exception {
        gateway.journal.beforeRead(
                () -> {
                    gateway.journal.beforeRead(() -> {});
                    throw new NoClassDefFoundError("gone");
                });
        byte[] jar = greeter("1.0.0");
        watch(jar);
        gateway.drop("one.jar", jar);
        gateway.awaitActive(NAME, "1.0.0");
        LoopView loop = gateway.watch.loop();
        assertEquals(1, loop.restarts());
        assertEquals("NoClassDefFoundError: gone", loop.lastFailure());
    }

    @Test
    void anUnpinnedBundleStaysOutUntilItsLineIsUsed() throws Exception {
        byte[] jar = greeter("1.0.0");
        watch();
        gateway.drop("one.jar", jar);
        Row row = gateway.awaitRow("one.jar", Row.State.REFUSED);
        gateway.await("the refusal in the journal", () -> !events(DeployJournal.REFUSED).isEmpty());
        assertEquals(row.pinLine(), events(DeployJournal.REFUSED).get(0).get("pin").asText());
        assertTrue(gateway.bundle(NAME).isEmpty());
        assertEquals(1, gateway.reporter.view().findings().size());
        assertTrue(gateway.reporter.view().findings().get(0).remedy().contains(row.pinLine()));
        gateway.watch.configure(Samples.settings(state, row.pinLine()));
        gateway.awaitActive(NAME, "1.0.0");
        assertEquals(1, events(DeployJournal.REFUSED).size(), "one refusal is recorded once");
    }

    @Test
    void aNewContentUpdatesTheBundleInPlace() throws Exception {
        byte[] first = greeter("1.0.0");
        byte[] second = greeter("1.1.0");
        byte[] third = greeter("1.2.0");
        watch(first, second, third);
        gateway.drop("one.jar", first);
        gateway.awaitActive(NAME, "1.0.0");
        Bundle bundle = gateway.bundle(NAME).orElseThrow();
        gateway.drop("one.jar", second);
        gateway.awaitActive(NAME, "1.1.0");
        gateway.drop("two.jar", third);
        gateway.awaitActive(NAME, "1.2.0");
        assertEquals(bundle.getBundleId(), gateway.bundle(NAME).orElseThrow().getBundleId());
        gateway.awaitRow("one.jar", Row.State.SUPERSEDED);
        gateway.take("one.jar");
        gateway.await("one row", () -> gateway.reporter.view().rows().size() == 1);
        assertTrue(gateway.isActive(NAME, "1.2.0"));
        gateway.take("two.jar");
        gateway.awaitGone(NAME);
    }

    @Test
    void aRemovedFileTakesOutOnlyWhatItBrought() throws Exception {
        byte[] jar = greeter("1.0.0");
        Bundle other = install("test.other", new TestJar("test.other", "1.0.0").bytes());
        watch(jar);
        gateway.drop("one.jar", jar);
        gateway.awaitActive(NAME, "1.0.0");
        gateway.take("one.jar");
        gateway.awaitGone(NAME);
        assertEquals(Bundle.ACTIVE, other.getState());
        assertEquals("DONE", lastOutcome());
        assertTrue(
                bundlesAt(DeployJournal.STARTED, 1).contains(NAME + " 1.0.0"),
                "the record comes first");
    }

    private Bundle install(String location, byte[] jar) throws Exception {
        Bundle bundle =
                gateway.system().installBundle("test:" + location, new ByteArrayInputStream(jar));
        bundle.start();
        return bundle;
    }

    @Test
    void nothingHappensWhileItCannotBeRecorded() throws Exception {
        byte[] jar = greeter("1.0.0");
        watch(jar);
        gateway.journal.refuseUnits(ErrorCode.DISK_FULL);
        gateway.drop("one.jar", jar);
        gateway.await(
                "it to wait",
                () -> gateway.row("one.jar").map(Row::explanation).orElse("").contains("journal"));
        assertTrue(gateway.bundle(NAME).isEmpty());
        gateway.journal.acceptUnits();
        gateway.awaitActive(NAME, "1.0.0");
        gateway.journal.refuseUnits(ErrorCode.DISK_FULL);
        gateway.take("one.jar");
        gateway.await("the row to go", () -> gateway.row("one.jar").isEmpty());
        assertTrue(gateway.isActive(NAME, "1.0.0"), "removals wait too");
        gateway.journal.acceptUnits();
        gateway.awaitGone(NAME);
    }

    @Test
    void nothingIsDecidedBeforeStoredPinsCouldBeRead() throws Exception {
        byte[] jar = greeter("1.0.0");
        gateway.loseJournal();
        watch(jar);
        gateway.await("it to wait", () -> !gateway.reporter.view().findings().isEmpty());
        assertTrue(gateway.reporter.view().findings().get(0).message().contains("journal"));
        Files.createDirectories(state.resolve("deploy"));
        Files.setPosixFilePermissions(
                state.resolve("deploy"),
                java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
        gateway.drop("one.jar", jar);
        gateway.findJournal();
        gateway.awaitActive(NAME, "1.0.0");
    }

    @Test
    void itWaitsForAnotherChangeOfBundles() throws Exception {
        byte[] jar = greeter("1.0.0");
        LifecycleLock turn = LifecycleLock.take(gateway.system(), "a swap").orElseThrow();
        assertTrue(LifecycleLock.take(gateway.system(), "another").isEmpty());
        assertTrue(LifecycleLock.await(gateway.system(), "another", 120).isEmpty());
        watch(jar);
        gateway.drop("one.jar", jar);
        gateway.await(
                "it to wait",
                () -> gateway.row("one.jar").map(Row::explanation).orElse("").contains("a swap"));
        assertTrue(gateway.bundle(NAME).isEmpty());
        turn.close();
        gateway.awaitActive(NAME, "1.0.0");
        gateway.await("its turn to end", () -> LifecycleLock.owner(gateway.system()).isEmpty());
    }

    @Test
    void whenItIsSwitchedOffNothingOfTheFolderIsIn() throws Exception {
        byte[] jar = greeter("1.0.0");
        watch(jar);
        gateway.drop("one.jar", jar);
        gateway.awaitActive(NAME, "1.0.0");
        gateway.watch.configure(Samples.disabled(state));
        gateway.awaitGone(NAME);
        gateway.await("it to be off", () -> !gateway.reporter.view().active());
        assertTrue(Files.exists(state.resolve("deploy/one.jar")), "the folder is left alone");
        gateway.drop("two.jar", new TestJar("acme.two", "1.0.0").bytes());
        gateway.watch.configure(Samples.settings(state, pins(jar)));
        gateway.awaitActive(NAME, "1.0.0");
        gateway.awaitRow("two.jar", Row.State.REFUSED);
    }

    @Test
    void whatIsInStaysInWhileItIsItselfUpdatedAndIsFoundAgain() throws Exception {
        byte[] jar = greeter("1.0.0");
        byte[] next = greeter("1.1.0");
        watch(jar, next);
        gateway.drop("one.jar", jar);
        gateway.awaitActive(NAME, "1.0.0");
        lastOutcome();
        Bundle bundle = gateway.bundle(NAME).orElseThrow();
        long modified = bundle.getLastModified();
        gateway.unwatch();
        assertEquals(Bundle.ACTIVE, bundle.getState());
        watch(jar, next);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        assertEquals(modified, bundle.getLastModified(), "it was not touched");
        assertEquals(1, events(DeployJournal.STARTED).size());
        gateway.unwatch();
        gateway.drop("one.jar", next);
        watch(jar, next);
        gateway.awaitActive(NAME, "1.1.0");
        gateway.unwatch();
        gateway.take("one.jar");
        watch(jar, next);
        gateway.awaitGone(NAME);
    }

    @Test
    void comesBackAfterARestart() throws Exception {
        byte[] jar = greeter("1.0.0");
        watch(jar);
        gateway.drop("one.jar", jar);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        gateway.stop();
        gateway.boot();
        assertTrue(gateway.bundle(NAME).isEmpty(), "the framework remembers nothing");
        watch(jar);
        gateway.awaitActive(NAME, "1.0.0");
        gateway.stop();
        gateway.boot();
        watch();
        gateway.awaitRow("one.jar", Row.State.REFUSED);
        assertTrue(gateway.bundle(NAME).isEmpty(), "it is no longer pinned");
    }

    @Test
    void withdrawsWhatIsNoLongerPinned() throws Exception {
        byte[] jar = greeter("1.0.0");
        watch(jar);
        gateway.drop("one.jar", jar);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        gateway.watch.configure(Samples.settings(state));
        gateway.awaitGone(NAME);
        gateway.awaitRow("one.jar", Row.State.REFUSED);
    }

    @Test
    void aBundleWhoseNeedsGoAndComeBackIsStartedAgain() throws Exception {
        byte[] library =
                new TestJar("acme.library", "1.0.0").header("Export-Package", "lib").bytes();
        byte[] user = new TestJar("acme.user", "1.0.0").header("Import-Package", "lib").bytes();
        watch(library, user);
        gateway.drop("user.jar", user);
        Row row = gateway.awaitRow("user.jar", Row.State.REFUSED);
        assertTrue(row.explanation().contains("the package lib"), row.explanation());
        assertTrue(gateway.bundle("acme.user").isEmpty(), "it is not even installed");
        gateway.drop("library.jar", library);
        gateway.awaitActive("acme.user", "1.0.0");
        gateway.take("library.jar");
        gateway.awaitGone("acme.library");
        row = gateway.awaitRow("user.jar", Row.State.INACTIVE);
        assertTrue(row.explanation().contains("the package lib"), row.explanation());
        gateway.drop("library.jar", library);
        gateway.awaitActive("acme.user", "1.0.0");
    }

    @Test
    void leavesABundleAloneThatAPersonStopped() throws Exception {
        byte[] jar = greeter("1.0.0");
        byte[] other = new TestJar("acme.two", "1.0.0").bytes();
        watch(jar, other);
        gateway.drop("one.jar", jar);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        gateway.bundle(NAME).orElseThrow().stop();
        Row row = gateway.awaitRow("one.jar", Row.State.INACTIVE);
        assertTrue(row.remedy().contains("start "), row.remedy());
        gateway.drop("two.jar", other);
        gateway.awaitActive("acme.two", "1.0.0");
        assertEquals(Bundle.RESOLVED, gateway.bundle(NAME).orElseThrow().getState());
    }

    @Test
    void othersThatNeedADroppedServiceGetIt() throws Exception {
        byte[] jar = greeter("1.0.0");
        install(
                "listener",
                new TestJar("test.listener", "1.0.0")
                        .component(
                                Listener.class,
                                TestJar.needs(Supplier.class, "greeting")
                                        .replace("/>", " bind=\"bind\"/>"))
                        .bytes());
        watch(jar);
        gateway.drop("one.jar", jar);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
    }
}

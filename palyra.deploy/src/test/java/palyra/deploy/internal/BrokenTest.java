package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import palyra.api.ErrorCode;
import palyra.deploy.internal.parts.Greeter;
import palyra.deploy.internal.parts.Saboteur;
import palyra.deploy.internal.parts.Sleeper;
import palyra.deploy.internal.parts.Sulker;
import palyra.deploy.internal.parts.Thrower;

/** Broken jars, and jars that only look trusted, do no harm. */
@Timeout(300)
class BrokenTest {
    private static final String NAME = "acme.one";

    @TempDir Path state;
    private Gateway gateway;
    private Bundle victim;

    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(state);
        gateway.boot();
        victim = install(greeter("test.victim", "1.0.0").bytes());
    }

    @AfterEach
    void close() throws Exception {
        assertEquals(Bundle.ACTIVE, victim.getState(), "others go on");
        gateway.stop();
    }

    private Bundle install(byte[] jar) throws Exception {
        Bundle bundle =
                gateway.system().installBundle("test:" + jar.length, new ByteArrayInputStream(jar));
        bundle.start();
        return bundle;
    }

    private static TestJar greeter(String name, String version) {
        return new TestJar(name, version)
                .component(Greeter.class, TestJar.offers(Supplier.class, "greeting"));
    }

    private static TestJar activated(Class<?> activator, String version) {
        return new TestJar(NAME, version)
                .type(activator)
                .header("Bundle-Activator", activator.getName())
                .header("Import-Package", "org.osgi.framework");
    }

    private void watch(byte[]... pinned) {
        gateway.watch(
                Samples.settings(
                        state, Arrays.stream(pinned).map(TestJar::pin).toArray(String[]::new)));
    }

    /** A start may take a second. */
    private void watchImpatiently(byte[]... pinned) {
        DeploySettings usual =
                Samples.settings(
                        state, Arrays.stream(pinned).map(TestJar::pin).toArray(String[]::new));
        gateway.watch(
                new DeploySettings(
                        true,
                        "",
                        false,
                        usual.folder(),
                        true,
                        usual.pins(),
                        usual.maxFileBytes(),
                        1_000));
    }

    private String failure(String file) {
        return gateway.awaitRow(file, Row.State.FAILED).explanation();
    }

    private String outcome() {
        List<JsonNode> ends = gateway.journal.events(DeployJournal.FINISHED);
        return ends.get(ends.size() - 1).get("outcome").asText();
    }

    @Test
    void aComponentThatCannotBeMadeIsTakenOutAgainAndTriedAnewWhenTouched() throws Exception {
        byte[] jar = new TestJar(NAME, "1.0.0").component(Sulker.class, "").bytes();
        watch(jar);
        gateway.drop("one.jar", jar);
        String said = failure("one.jar");
        assertTrue(said.contains("Sulker of acme.one could not be made: "), said);
        assertTrue(said.contains("not today"), said);
        assertTrue(gateway.bundle(NAME).isEmpty());
        gateway.await("the outcome", () -> outcome().equals("WITHDRAWN"));
        assertEquals(1, gateway.journal.events(DeployJournal.STARTED).size());
        Files.setLastModifiedTime(
                state.resolve("deploy/one.jar"), FileTime.fromMillis(1_000_000_000_000L));
        gateway.await(
                "another try", () -> gateway.journal.events(DeployJournal.STARTED).size() == 2);
        failure("one.jar");
    }

    @Test
    void anActivatorThatThrowsIsTakenOutAgain() throws Exception {
        byte[] jar = activated(Thrower.class, "1.0.0").bytes();
        watch(jar);
        gateway.drop("one.jar", jar);
        String said = failure("one.jar");
        assertTrue(said.contains("no start today"), said);
        assertTrue(gateway.bundle(NAME).isEmpty());
        assertEquals(1, gateway.reporter.failed());
    }

    @Test
    void aStartThatNeverEndsIsEnded() throws Exception {
        byte[] jar = activated(Sleeper.class, "1.0.0").bytes();
        byte[] other = greeter("acme.two", "1.0.0").bytes();
        watchImpatiently(jar, other);
        gateway.drop("one.jar", jar);
        gateway.drop("two.jar", other);
        String said = failure("one.jar");
        assertTrue(said.contains("longer than 1000 ms"), said);
        assertTrue(gateway.bundle(NAME).isEmpty());
        gateway.awaitActive("acme.two", "1.0.0");
    }

    @Test
    void anUpdateWhoseStartNeverEndsIsUndone() throws Exception {
        byte[] good = greeter(NAME, "1.0.0").bytes();
        byte[] bad = activated(Sleeper.class, "2.0.0").bytes();
        watchImpatiently(good, bad);
        gateway.drop("one.jar", good);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        gateway.drop("one.jar", bad);
        String said = failure("one.jar");
        assertTrue(said.contains("longer than 1000 ms"), said);
        assertTrue(gateway.isActive(NAME, "1.0.0"));
        gateway.await("the outcome", () -> outcome().equals("ROLLED_BACK"));
    }

    @Test
    void aBundleThatHarmsAnotherIsTakenOutAgain() throws Exception {
        byte[] jar = activated(Saboteur.class, "1.0.0").bytes();
        DeploySettings patient = Samples.settings(state, TestJar.pin(jar));
        gateway.watch(
                new DeploySettings(
                        true,
                        "",
                        false,
                        patient.folder(),
                        true,
                        patient.pins(),
                        patient.maxFileBytes(),
                        2_000));
        gateway.drop("one.jar", jar);
        String said = failure("one.jar");
        assertTrue(said.contains("Greeter of test.victim is gone"), said);
        assertTrue(gateway.bundle(NAME).isEmpty());
    }

    @Test
    void aBadUpdateIsUndoneAndAfterARestartTheLastGoodIsBack() throws Exception {
        byte[] good = greeter(NAME, "1.0.0").bytes();
        byte[] bad = greeter(NAME, "2.0.0").component(Sulker.class, "").bytes();
        watch(good, bad);
        gateway.drop("one.jar", good);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        gateway.drop("one.jar", bad);
        String said = failure("one.jar");
        assertTrue(said.contains("could not be made"), said);
        assertTrue(
                said.contains("acme.one 1.0.0, which was deployed before, stays in force"), said);
        assertTrue(gateway.isActive(NAME, "1.0.0"));
        gateway.await("the outcome", () -> outcome().equals("ROLLED_BACK"));
        gateway.stop();
        gateway.boot();
        victim = install(greeter("test.victim", "1.0.0").bytes());
        watch(good, bad);
        failure("one.jar");
        gateway.awaitActive(NAME, "1.0.0");
        gateway.drop("one.jar", good);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
    }

    @Test
    void anUnpinnedOrDamagedReplacementLeavesTheLastGoodInForce() throws Exception {
        byte[] good = greeter(NAME, "1.0.0").bytes();
        watch(good);
        gateway.drop("one.jar", good);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        gateway.drop("one.jar", greeter(NAME, "2.0.0").bytes());
        gateway.awaitRow("one.jar", Row.State.REFUSED);
        assertTrue(gateway.isActive(NAME, "1.0.0"));
        gateway.drop("one.jar", Arrays.copyOf(good, good.length - 9));
        gateway.await(
                "it to be seen",
                () -> gateway.row("one.jar").map(Row::explanation).orElse("").contains("whole"));
        assertTrue(gateway.isActive(NAME, "1.0.0"));
        gateway.drop("one.jar", good);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
    }

    @Test
    void neitherTheFileNorOurCopyCanBeExchangedAfterTheCheck() throws Exception {
        byte[] good = greeter(NAME, "1.0.0").bytes();
        byte[] evil = greeter(NAME, "6.6.6").bytes();
        watch(good);
        gateway.journal.refuseUnits(ErrorCode.DISK_FULL); // holds it between check and effect
        gateway.drop("one.jar", good);
        gateway.awaitRow("one.jar", Row.State.WAITING);
        Path copy = state.resolve("deployed").resolve(TestJar.pin(good).substring(7) + ".jar");
        Files.write(copy, evil);
        gateway.journal.acceptUnits();
        String said = failure("one.jar");
        assertTrue(said.contains("the copy of the jar was changed"), said);
        assertTrue(gateway.bundle(NAME).isEmpty());
        gateway.journal.refuseUnits(ErrorCode.DISK_FULL);
        gateway.drop("one.jar", good);
        gateway.awaitRow("one.jar", Row.State.WAITING);
        gateway.drop("one.jar", evil);
        gateway.journal.acceptUnits();
        gateway.awaitRow("one.jar", Row.State.REFUSED);
        assertTrue(
                gateway.bundle(NAME).map(b -> b.getVersion().getMajor() == 1).orElse(true),
                "never the other one");
    }

    @Test
    void partsOfTheGatewayAreNotReplacedFromTheFolder() throws Exception {
        Map<String, TestJar> never =
                Map.of(
                        "palyra.api", new TestJar("palyra.api", "9.0.0"),
                        "palyra.api.core", new TestJar("palyra.api.core", "9.0.0"),
                        "palyra.lib.x", new TestJar("palyra.lib.x", "9.0.0"),
                        "org.apache.felix.framework",
                                new TestJar("org.apache.felix.framework", "9.0.0"),
                        "system.bundle", new TestJar("system.bundle", "9.0.0"),
                        "test.victim", greeter("test.victim", "9.0.0"),
                        "acme.fragment",
                                new TestJar("acme.fragment", "1.0.0")
                                        .header(
                                                "Fragment-Host",
                                                "system.bundle; extension:=framework"),
                        "acme.native",
                                new TestJar("acme.native", "1.0.0")
                                        .header("Bundle-NativeCode", "libx.so;osname=Linux"),
                        "acme.exporter",
                                new TestJar("acme.exporter", "1.0.0")
                                        .header(
                                                "Export-Package",
                                                "x;uses:=\"a,b\";version=1,palyra.api.tool"));
        watch(never.values().stream().map(TestJar::bytes).toArray(byte[][]::new));
        int before = gateway.system().getBundles().length;
        for (Map.Entry<String, TestJar> each : never.entrySet()) {
            gateway.drop(each.getKey() + ".jar", each.getValue().bytes());
        }
        for (String name : never.keySet()) {
            Row row = gateway.awaitRow(name + ".jar", Row.State.REFUSED);
            assertTrue(row.pin().isEmpty(), name);
        }
        assertEquals(before, gateway.system().getBundles().length);
        assertEquals("1.0.0", victim.getVersion().toString());
        String remedy = gateway.row("test.victim.jar").orElseThrow().remedy();
        assertTrue(remedy.contains("palyra swap test.victim"), remedy);
        assertEquals(List.of(), gateway.journal.events(DeployJournal.STARTED));
        gateway.await(
                "every refusal in the journal",
                () -> gateway.journal.events(DeployJournal.REFUSED).size() == never.size());
    }

    @Test
    void theSignerIsEnoughForWhatItSignedWholeAndForNothingElse(@TempDir Path keys)
            throws Exception {
        Signing acme = Signing.make(keys, "acme", "-validity", "3650");
        Signing late = Signing.make(keys, "late", "-startdate", "-2y", "-validity", "30");
        byte[] signed = acme.sign(greeter(NAME, "1.0.0").bytes());
        gateway.watch(Samples.settings(state, acme.pin(), late.pin()));
        gateway.drop("one.jar", signed);
        gateway.awaitActive(NAME, "1.0.0");
        assertEquals(
                acme.pin(),
                gateway.awaitRow("one.jar", Row.State.ACTIVE).pin().get().pin().toString());
        Map<String, byte[]> entries = Signing.unpack(acme.sign(greeter("a.b", "1.0.0").bytes()));
        entries.put("evil.class", new byte[] {1});
        gateway.drop("partly.jar", Signing.pack(entries));
        gateway.drop("late.jar", late.sign(greeter("a.c", "1.0.0").bytes()));
        gateway.drop("plain.jar", greeter("a.d", "1.0.0").bytes());
        String partly = gateway.awaitRow("partly.jar", Row.State.REFUSED).explanation();
        assertTrue(partly.contains("evil.class in it is not signed"), partly);
        String expired = gateway.awaitRow("late.jar", Row.State.REFUSED).explanation();
        assertTrue(expired.contains("is valid from"), expired);
        gateway.awaitRow("plain.jar", Row.State.REFUSED);
        for (String name : List.of("a.b", "a.c", "a.d")) {
            assertFalse(gateway.bundle(name).isPresent(), name);
        }
    }

    @Test
    void whatAnInterruptedChangeLeftIsSettledByTheFolder() throws Exception {
        byte[] left = greeter(NAME, "0.9.0").bytes();
        byte[] jar = greeter(NAME, "1.0.0").bytes();
        gateway.system()
                .installBundle(DeployedBundle.location(NAME), new ByteArrayInputStream(left));
        gateway.system()
                .installBundle(
                        DeployedBundle.location("acme.gone"),
                        new ByteArrayInputStream(greeter("acme.gone", "1.0.0").bytes()));
        Files.createDirectories(state.resolve("deploy"));
        Files.setPosixFilePermissions(
                state.resolve("deploy"),
                java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
        gateway.drop("one.jar", jar);
        watch(jar);
        gateway.awaitActive(NAME, "1.0.0");
        gateway.awaitGone("acme.gone");
    }
}

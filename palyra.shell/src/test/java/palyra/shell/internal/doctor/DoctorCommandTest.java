package palyra.shell.internal.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import palyra.api.command.ExitCodes;
import palyra.api.core.gateway.Intake;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.ops.ReadinessJudge;
import palyra.api.run.Runs;
import palyra.shared.files.MediumFailure;
import palyra.shared.readiness.Startup;
import palyra.shell.internal.commands.StatusCommand;
import palyra.shell.internal.fakes.FakeTape;
import palyra.shell.internal.fakes.FrameworkFixture;
import palyra.shell.internal.fakes.FrameworkFixture.Jar;
import palyra.shell.internal.fakes.Partial;
import palyra.shell.internal.fakes.ShellAccess;
import palyra.shell.internal.fakes.parts.Greeter;
import palyra.shell.internal.fakes.parts.Listener;
import palyra.shell.internal.fakes.parts.Sulker;
import palyra.shell.internal.host.Seams;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.wait.Await;

class DoctorCommandTest {
    private static final String PROVIDES =
            "<service><provide interface=\"java.util.function.Supplier\"/></service>";

    @TempDir Path folder;
    private final Seams seams = ShellAccess.seams(ShellAccess.create());
    private final FakeTape tape = new FakeTape("user:op");
    private FrameworkFixture framework;
    private DoctorCommand doctor;
    private final ReadinessJudge ready = Map::of;

    @BeforeEach
    void start() throws Exception {
        Files.createDirectory(
                folder.resolve("state"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        framework = new FrameworkFixture(folder);
        seams.journal().add(tape.journal(), Map.of());
        framework
                .context()
                .registerService(
                        Runnable.class,
                        () -> {},
                        FrameworkUtil.asDictionary(Map.of(Ops.READY, true)));
        doctor = new DoctorCommand(seams, framework.runtime(), framework.context());
        doctor.bindReadiness(ready);
    }

    @AfterEach
    void stop() throws Exception {
        framework.close();
    }

    private static Jar listener(String target) {
        return new Jar("test.listener", "1.0.0")
                .component(
                        Listener.class,
                        "<reference name=\"greeter\" interface=\"java.util.function.Supplier\""
                                + " bind=\"bind\""
                                + target
                                + "/>");
    }

    /** Components come up on a thread of their own, so what is expected is waited for. */
    private String expect(int code, String... parts) {
        String[] last = new String[1];
        try {
            Await.until(
                    "the doctor to say so",
                    () -> {
                        FakeCommandContext context = FakeCommandContext.builder().build();
                        int given = doctor.run(context);
                        last[0] = context.output().text();
                        return given == code && List.of(parts).stream().allMatch(last[0]::contains);
                    });
        } catch (AssertionError e) {
            throw new AssertionError(List.of(parts) + " is not in:\n" + last[0], e);
        }
        return last[0];
    }

    @Test
    void findsNothingWhenAllIsWell() throws Exception {
        framework.start(new Jar("test.greeter", "1.0.0").component(Greeter.class, PROVIDES));
        framework.start(listener(""));
        expect(ExitCodes.OK, "All is well: the gateway is ready; 2 components");
    }

    @Test
    void saysWhatAComponentWaitsForAndThatNobodySuppliesIt() throws Exception {
        framework.start(listener(""));
        expect(
                ExitCodes.FAILED,
                "Listener of test.listener waits for its reference greeter: a service"
                        + " java.util.function.Supplier.",
                "No installed bundle supplies it");
    }

    @Test
    void namesTheBundleThatWouldSupplyItAndHowToStartIt() throws Exception {
        framework.start(listener(""));
        Bundle greeter =
                framework.install(
                        new Jar("test.greeter", "1.0.0").component(Greeter.class, PROVIDES));
        expect(
                ExitCodes.FAILED,
                "test.greeter would supply it",
                "palyra bundle start " + greeter.getBundleId());
        greeter.start();
        expect(ExitCodes.OK);
    }

    @Test
    void namesWhatNobodyOffersThoughComponentsAreUpWithoutIt() throws Exception {
        String type = Runs.class.getName();
        framework.start(
                new Jar("test.surface", "1.0.0")
                        .component(
                                Greeter.class,
                                "<reference name=\"runs\" interface=\""
                                        + type
                                        + "\" cardinality=\"0..n\" policy=\"dynamic\"/>"));
        expect(
                ExitCodes.FAILED,
                "No bundle offers " + type + ", which test.surface uses.",
                "No installed bundle supplies it");
        framework.context().registerService(Runs.class, Partial.of(Runs.class, new Object()), null);
        expect(ExitCodes.OK, "All is well: the gateway is ready; 1 components");
    }

    @Test
    void whatIsOfferedOnceTheJournalOpensFollowsFromItWhileItIsStopped() throws Exception {
        framework.start(
                new Jar("test.surface", "1.0.0")
                        .component(
                                Greeter.class,
                                "<reference name=\"runs\" interface=\""
                                        + Runs.class.getName()
                                        + "\" cardinality=\"0..n\" policy=\"dynamic\"/>"));
        tape.status(new JournalStatus(JournalStatus.State.STOPPED, "Not this node's.", 1, 0, 1, 1));
        doctor.bindSource(
                () -> List.of(error("journal", "The journal is STOPPED: Not this node's.")),
                Map.of());
        String text = expect(ExitCodes.FAILED, "This also affects: services.");
        assertFalse(text.contains("No bundle offers"), text);
    }

    @Test
    void knowsASupplierByItsDeclaredCapabilityAlone() throws Exception {
        framework.start(listener(""));
        framework.start(
                new Jar("test.promises", "1.0.0")
                        .header(
                                "Provide-Capability",
                                "osgi.service;objectClass:List<String>="
                                        + "\"java.util.function.Supplier\""));
        expect(ExitCodes.FAILED, "test.promises would supply it and is active, but has not");
    }

    @Test
    void saysThatTheSupplierWaitsItself() throws Exception {
        framework.start(listener(""));
        framework.start(
                new Jar("test.greeter", "1.0.0")
                        .component(
                                Greeter.class,
                                PROVIDES
                                        + "<reference name=\"x\" interface=\"java.lang.Comparable\""
                                        + " bind=\"bind\"/>"));
        expect(
                ExitCodes.FAILED,
                "Greeter of test.greeter would supply it but waits itself",
                "a service java.lang.Comparable.");
    }

    @Test
    void saysThatServicesAreThereButNotTheOneAskedFor() throws Exception {
        framework.start(new Jar("test.greeter", "1.0.0").component(Greeter.class, PROVIDES));
        framework.start(listener(" target=\"(lang=en)\""));
        expect(ExitCodes.FAILED, "with (lang=en)", "1 service of this type are there, but none");
    }

    @Test
    void namesWhatAnUnresolvedBundleNeeds() throws Exception {
        framework.install(
                new Jar("test.needy", "1.0.0")
                        .header("Import-Package", "no.such.pkg;version=\"[1.2,2)\""));
        framework.install(
                new Jar("test.chained", "1.0.0")
                        .header("Require-Capability", "own.thing;filter:=\"(a=b)\""));
        framework.install(
                new Jar("test.thing", "1.0.0")
                        .header("Provide-Capability", "own.thing;a=b")
                        .header("Import-Package", "no.such.pkg"));
        expect(
                ExitCodes.FAILED,
                "test.needy is not resolved: it needs the package no.such.pkg from",
                "and below 2.0.0",
                "which only test.thing offers, itself unresolved");
    }

    @Test
    void takesABundleForAnotherPlatformForGranted() throws Exception {
        framework.install(
                new Jar("test.plan9", "1.0.0")
                        .header(
                                "Require-Capability",
                                "osgi.native;filter:=\"(osgi.native.osname=plan9)\""));
        expect(
                ExitCodes.OK,
                "test.plan9 is for another platform and stays off: it needs another platform"
                        + " (osgi.native.osname=plan9), and this framework runs on ");
    }

    @Test
    void tellsWhyAComponentFailed() throws Exception {
        framework.start(new Jar("test.sulker", "1.0.0").component(Sulker.class, PROVIDES));
        expect(ExitCodes.FAILED, "Sulker of test.sulker failed to activate", "not today");
    }

    @Test
    void seesAStateFolderThatOthersCanReach() throws Exception {
        Files.setPosixFilePermissions(
                folder.resolve("state"), PosixFilePermissions.fromString("rwxr-x---"));
        expect(ExitCodes.FAILED, "Other users can reach");
    }

    @Test
    void tellsHowTheJournalIs() throws Exception {
        tape.status(
                new JournalStatus(
                        JournalStatus.State.DISK_FULL, "No room on the medium.", 1, 0, 1, 1));
        doctor.bindSource(
                () -> List.of(error("journal", "The journal is full: No room on the medium.")),
                Map.of());
        assertEquals(1, count(expect(ExitCodes.FAILED, "No room"), "[journal]"));
        Seams bare = ShellAccess.seams(ShellAccess.create());
        doctor = new DoctorCommand(bare, framework.runtime(), framework.context());
        expect(ExitCodes.FAILED, "The journal is not available");
    }

    private static Finding error(String area, String message) {
        return new Finding(Finding.Severity.ERROR, area, message, "");
    }

    private static int count(String text, String part) {
        return text.split(java.util.regex.Pattern.quote(part), -1).length - 1;
    }

    @Test
    void namesAFullDiskOnceWithWhatItHoldsUpUnderIt() throws Exception {
        String why = "The medium has no space left.";
        tape.status(new JournalStatus(JournalStatus.State.DISK_FULL, why, 1, 0, 1, 1));
        doctor.bindSource(
                () -> List.of(error("journal", "The journal is DISK_FULL: " + why)), Map.of());
        doctor.bindSource(
                () -> List.of(error("gateway", "The engine is not open. It waits: " + why)),
                Map.of());
        Files.createDirectory(folder.resolve("state/journal"));
        String medium = MediumFailure.NO_SPACE.words(folder.resolve("state/vault"));
        doctor.bindSource(
                () -> List.of(error("vault", "The vault cannot be written: " + medium)), Map.of());
        doctor.unbindReadiness(ready);
        doctor.bindReadiness(() -> Map.of("journal", "It is full.", "gateway", "It waits."));
        String text =
                expect(
                        ExitCodes.FAILED,
                        "The journal is DISK_FULL: " + why + " This also affects: gateway, vault.",
                        "the gateway is not ready (gateway, journal)");
        assertEquals(1, count(text, why), text);
        assertEquals(1, count(text, "error ["), text);
    }

    @Test
    void leavesOutAnAbsentServiceWhoseSupplierSaysWhy() throws Exception {
        String type = Runs.class.getName();
        framework.start(
                new Jar("test.surface", "1.0.0")
                        .component(
                                Greeter.class,
                                "<reference name=\"runs\" interface=\""
                                        + type
                                        + "\" cardinality=\"0..n\" policy=\"dynamic\"/>"));
        Bundle supplier =
                framework.start(
                        new Jar("test.engine", "1.0.0")
                                .header(
                                        "Provide-Capability",
                                        "osgi.service;objectClass:List<String>=\"" + type + "\""));
        expect(ExitCodes.FAILED, "No bundle offers " + type);
        doctor.bindSource(
                () -> List.of(error("gateway", "The engine waits.")),
                Map.of("service.bundleid", supplier.getBundleId()));
        String text = expect(ExitCodes.FAILED, "The engine waits.");
        assertFalse(text.contains("No bundle offers"), text);
    }

    @Test
    void passesOnWhatOthersFound() throws Exception {
        doctor.bindSource(
                () ->
                        List.of(
                                new Finding(
                                        Finding.Severity.ERROR,
                                        "config",
                                        "A file is bad.",
                                        "Fix.")),
                Map.of());
        doctor.bindSource(
                () -> {
                    throw new IllegalStateException("mid-update");
                },
                Map.of());
        String text =
                expect(
                        ExitCodes.FAILED,
                        "error [config] A file is bad.",
                        "could not be asked: IllegalStateException");
        assertTrue(text.indexOf("error") < text.indexOf("warning"));
    }

    @Test
    void writesJson() throws Exception {
        framework.start(listener(""));
        expect(ExitCodes.FAILED, "waits for its reference greeter");
        FakeCommandContext context = FakeCommandContext.builder().json().build();
        assertEquals(ExitCodes.FAILED, context.run(doctor));
        JsonNode json = new ObjectMapper().readTree(context.output().text());
        assertEquals("ERROR", json.get(0).get("severity").asText());
        assertFalse(json.get(0).get("remedy").asText().isEmpty());
    }

    @Test
    void warnsOfAnOldJava() {
        List<Finding> found = new ArrayList<>();
        SystemDoctor.java(found, 21);
        assertEquals(Finding.Severity.WARNING, found.get(0).severity());
        found.clear();
        SystemDoctor.java(found, 25);
        assertEquals(List.of(), found);
    }

    @Test
    void showsTheStatusWithAndWithoutTheRest() throws Exception {
        FakeCommandContext context = FakeCommandContext.builder().json().build();
        StatusCommand status = new StatusCommand(seams, framework.runtime(), framework.context());
        status.bindReadiness(ready);
        assertEquals(ExitCodes.OK, context.run(status));
        JsonNode json = new ObjectMapper().readTree(context.output().text());
        assertTrue(json.get("ready").asBoolean());
        assertEquals("OPEN", json.get("journal").get("state").asText());
        FakeCommandContext bare = FakeCommandContext.builder().build();
        Seams nothing = new Seams(100);
        StatusCommand alone = new StatusCommand(nothing, framework.runtime(), framework.context());
        alone.bindReadiness(ready);
        assertEquals(ExitCodes.OK, bare.run(alone));
        assertTrue(bare.output().text().contains("ABSENT"));
    }

    @Test
    void statusAndDoctorAreNotReadyWhenAReadinessCheckFails() throws Exception {
        Map<String, String> failing = new TreeMap<>(Map.of("model", "A model is not there."));
        StatusCommand status = new StatusCommand(seams, framework.runtime(), framework.context());
        status.bindReadiness(() -> failing);
        doctor.unbindReadiness(ready);
        doctor.bindReadiness(() -> failing);
        JsonNode json = status(ExitCodes.FAILED, status);
        assertFalse(json.get("ready").asBoolean());
        assertEquals("A model is not there.", json.get("notReady").get("model").asText());
        expect(ExitCodes.FAILED, "[model] The gateway is not ready: A model is not there.");
        failing.clear();
        assertEquals(0, status(ExitCodes.OK, status).get("notReady").size());
        expect(ExitCodes.OK);
    }

    @Test
    void tellsWhatIsNotThereYetAsStartingWhileTheStartGoesOn() throws Exception {
        tape.status(new JournalStatus(JournalStatus.State.STOPPED, "It is opened.", 1, 0, 1, 1));
        doctor.bindReadiness(() -> Map.of("journal", "It is starting."));
        doctor.bindSource(
                () -> List.of(error("journal", "The journal is STOPPED: It is opened.")), Map.of());
        System.setProperty(Startup.STARTING, String.valueOf(System.nanoTime() + 300_000_000_000L));
        try {
            String text =
                    expect(
                            ExitCodes.FAILED,
                            "info [start] The gateway is starting; not there yet: journal.",
                            "the gateway is starting (journal); ");
            assertFalse(text.contains("error ["), text);
        } finally {
            System.clearProperty(Startup.STARTING);
        }
        expect(ExitCodes.FAILED, "error [journal]", "the gateway is not ready (journal); ");
    }

    @Test
    void statusAndDoctorAreNotReadyWithoutAJudge() throws Exception {
        JsonNode json =
                status(
                        ExitCodes.FAILED,
                        new StatusCommand(seams, framework.runtime(), framework.context()));
        assertTrue(json.get("notReady").get("health").asText().contains("palyra.health"));
        doctor.unbindReadiness(ready);
        expect(ExitCodes.FAILED, "[health] The gateway is not ready", "palyra.health");
        doctor.bindReadiness(
                () -> {
                    throw new IllegalStateException("mid-update");
                });
        expect(ExitCodes.FAILED, "[health] The gateway is not ready");
    }

    @Test
    void statusShowsSandboxesOfSessionsWhereThereAreSuch() throws Exception {
        StatusCommand status = new StatusCommand(seams, framework.runtime(), framework.context());
        status.bindReadiness(ready);
        assertTrue(status(0, status).path("sandboxSessions").isMissingNode());
        MetricSource source =
                () ->
                        List.of(
                                Metric.gauge("palyra_sandbox_sessions", "Open.", 2),
                                Metric.gauge("palyra_sandbox_session_bytes", "Held.", 2048));
        status.bindMetrics(
                () -> {
                    throw new IllegalStateException("it is being replaced");
                });
        status.bindMetrics(source);
        JsonNode sessions = status(0, status).path("sandboxSessions");
        assertEquals(2, sessions.path("open").asInt());
        assertEquals(2048, sessions.path("heldBytes").asInt());
        status.unbindMetrics(source);
        assertTrue(status(0, status).path("sandboxSessions").isMissingNode());
    }

    private static JsonNode status(int exit, StatusCommand status) throws Exception {
        FakeCommandContext context = FakeCommandContext.builder().json().build();
        assertEquals(exit, context.run(status));
        return new ObjectMapper().readTree(context.output().text());
    }

    @Test
    void uptimeDoesNotFollowTheWallClock() throws Exception {
        System.setProperty("palyra.start.millis", "0");
        try {
            StatusCommand status =
                    new StatusCommand(seams, framework.runtime(), framework.context());
            status.bindReadiness(ready);
            assertEquals("0", framework.context().getProperty("palyra.start.millis"));
            JsonNode uptime = status(ExitCodes.OK, status).get("uptimeMillis");
            assertTrue(uptime.isIntegralNumber(), uptime.toString());
            assertTrue(uptime.asLong() < 86_400_000, uptime.toString());
        } finally {
            System.clearProperty("palyra.start.millis");
        }
    }

    @Test
    void showsHowMuchIsSetAsideAndTheOldestWithItsReason() throws Exception {
        Setback oldest = new Setback(Setback.Kind.COMMAND, "c1", 4, "it is no command", 1, 2);
        Setback newer = new Setback(Setback.Kind.DUTY, "starting runs", 2, "no", 3, 4);
        Seams some = new Seams(100);
        some.intake()
                .add(
                        Partial.of(
                                Intake.class,
                                new Object() {
                                    public int activeRuns() {
                                        return 0;
                                    }

                                    public List<Setback> setbacks() {
                                        return List.of(oldest, newer);
                                    }
                                }),
                        Map.of());
        FakeCommandContext context = FakeCommandContext.builder().json().build();
        context.run(new StatusCommand(some, framework.runtime(), framework.context()));
        JsonNode told = new ObjectMapper().readTree(context.output().text()).get("setAside");
        assertEquals(2, told.get("all").asInt());
        assertEquals(oldest.sentence(), told.get("oldest").asText());
    }

    private static LoopView loop(String name, boolean essential, LoopView.State state) {
        boolean failed = state != LoopView.State.RUNNING;
        return new LoopView(
                name,
                "palyra.journal",
                essential,
                state,
                Instant.EPOCH,
                failed ? 3 : 0,
                failed ? "NoClassDefFoundError: gone" : "",
                Instant.EPOCH,
                5);
    }

    @Test
    void tellsOfEachLoopThatFails() throws Exception {
        LoopSource well = () -> List.of(loop("good", true, LoopView.State.RUNNING));
        LoopSource failing =
                () ->
                        List.of(
                                loop("writer", true, LoopView.State.BACKING_OFF),
                                loop("watch", false, LoopView.State.STALLED));
        doctor.bindLoops(well);
        FakeCommandContext quiet = FakeCommandContext.builder().build();
        quiet.run(doctor);
        assertFalse(quiet.output().text().contains("[loops]"), quiet.output().text());
        doctor.bindLoops(failing);
        FakeCommandContext told = FakeCommandContext.builder().build();
        assertEquals(ExitCodes.FAILED, told.run(doctor));
        String text = told.output().text();
        assertTrue(text.contains("error [loops] The loop writer of palyra.journal is BACKING_OFF"));
        assertTrue(text.contains("3 restarts, last failure: NoClassDefFoundError: gone"), text);
        assertTrue(text.contains("warning [loops] The loop watch"), text);
        doctor.unbindLoops(failing);
    }

    @Test
    void showsLoopsThatDoNotRunAndInJsonAll() throws Exception {
        StatusCommand status = new StatusCommand(seams, framework.runtime(), framework.context());
        status.bindLoops(
                () ->
                        List.of(
                                loop("good", true, LoopView.State.RUNNING),
                                loop("writer", true, LoopView.State.BACKING_OFF)));
        FakeCommandContext plain = FakeCommandContext.builder().build();
        plain.run(status);
        assertTrue(plain.output().text().contains("BACKING_OFF"), plain.output().text());
        assertFalse(plain.output().text().contains("good"), plain.output().text());
        FakeCommandContext json = FakeCommandContext.builder().json().build();
        json.run(status);
        JsonNode loops = new ObjectMapper().readTree(json.output().text()).get("loops");
        assertEquals(2, loops.get("all").asInt());
        JsonNode good = loops.at("/each/0");
        assertEquals("good", good.path("name").asText(), loops::toString);
        assertEquals("RUNNING", good.path("state").asText(), loops::toString);
        assertTrue(good.path("sinceMillis").isIntegralNumber(), loops::toString);
    }
}

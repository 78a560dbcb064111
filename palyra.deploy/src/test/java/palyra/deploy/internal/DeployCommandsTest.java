package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.command.Command;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.AccessRequest;
import palyra.testing.command.FakeCommandContext;

@Timeout(300)
class DeployCommandsTest {
    private static final Principal OPERATOR =
            new Principal("user:op", PrincipalKind.USER, Set.of("operator"), Set.of(), "");
    private static final Principal VIEWER =
            new Principal("user:eve", PrincipalKind.USER, Set.of("viewer"), Set.of(), "");

    @TempDir Path state;
    private Gateway gateway;
    private byte[] jar;
    private String pin;

    @BeforeEach
    void open() throws Exception {
        gateway = new Gateway(state);
        gateway.boot();
        jar = new TestJar("acme.one", "1.0.0").entry("x", "y").bytes();
        pin = TestJar.pin(jar);
    }

    @AfterEach
    void close() throws Exception {
        gateway.stop();
    }

    private void watch(String... pins) throws Exception {
        gateway.watch(Samples.settings(state, pins));
        gateway.drop("one.jar", jar);
    }

    private static FakeCommandContext.Builder context() {
        return FakeCommandContext.builder().principal(OPERATOR);
    }

    private DeployPinCommand pinCommand() {
        return new DeployPinCommand(gateway.reporter, gateway.pins, gateway.watch::pinsChanged);
    }

    private DeployUnpinCommand unpinCommand() {
        return new DeployUnpinCommand(
                gateway.pins, () -> gateway.watch.settings().pins(), gateway.watch::pinsChanged);
    }

    private static void ok(FakeCommandContext context, Command command) throws Exception {
        assertEquals(ExitCodes.OK, context.run(command), context.output().notes().toString());
    }

    private static void refuses(int code, String because, FakeCommandContext context, Command of)
            throws Exception {
        assertEquals(code, context.run(of));
        String said = context.output().notes().toString();
        assertTrue(said.contains(because), said);
    }

    @Test
    void aPinMadeByCommandBringsTheFileInAndTakenBackTakesItOut() throws Exception {
        watch();
        gateway.awaitRow("one.jar", Row.State.REFUSED);
        ok(context().positionals("one.jar").build(), pinCommand());
        gateway.awaitActive("acme.one", "1.0.0");
        Row row = gateway.awaitRow("one.jar", Row.State.ACTIVE);
        assertEquals("command by user:op", row.pin().orElseThrow().origin());
        AccessRequest asked = gateway.access.requests().get(0);
        assertEquals("deploy.pin", asked.action());
        assertEquals("pin:" + pin, asked.resource());
        assertEquals(1, gateway.journal.events("access_decision").size());

        FakeCommandContext listed = context().build();
        ok(listed, new DeployPinsCommand(gateway.reporter, gateway.pins, List::of));
        assertEquals(
                List.of(List.of(pin, "command by user:op", "one.jar", "one.jar")),
                listed.output().tables().get(0).rows());

        ok(context().positionals(pin).build(), unpinCommand());
        gateway.awaitGone("acme.one");
        assertEquals("deploy.unpin", gateway.access.requests().get(1).action());
        assertEquals(2, gateway.journal.events("access_decision").size());
    }

    @Test
    void aPinMadeByCommandHoldsOverARestart() throws Exception {
        watch();
        ok(context().positionals(pin.substring(7)).build(), pinCommand());
        gateway.awaitActive("acme.one", "1.0.0");
        gateway.stop();
        gateway.boot();
        gateway.watch(Samples.settings(state));
        gateway.awaitActive("acme.one", "1.0.0");
    }

    @Test
    void nobodyPinsWithoutPermission() throws Exception {
        watch();
        gateway.awaitRow("one.jar", Row.State.REFUSED);
        FakeCommandContext eve =
                FakeCommandContext.builder().principal(VIEWER).positionals("one.jar").build();
        refuses(ExitCodes.DENIED, "does not allow deploy.pin", eve, pinCommand());
        assertEquals(List.of(), gateway.pins.load());
        assertEquals(List.of(), gateway.journal.events("access_decision"));
    }

    @Test
    void pinsOnlyWhatItCanName() throws Exception {
        watch();
        gateway.awaitRow("one.jar", Row.State.REFUSED);
        refuses(
                ExitCodes.NOT_FOUND,
                "Not found in the drop-in folder: jar 'two.jar'",
                context().positionals("two.jar").build(),
                pinCommand());
        refuses(
                ExitCodes.FAILED,
                "it is not signed",
                context().positionals("one.jar").flag("signer").build(),
                pinCommand());
        refuses(
                ExitCodes.USAGE,
                "--signer needs a file",
                context().positionals(pin).flag("signer").build(),
                pinCommand());
        refuses(
                ExitCodes.USAGE,
                "--note takes one line",
                context().positionals(pin).option("note", "a\nb").build(),
                pinCommand());
        assertEquals(List.of(), gateway.pins.load());
    }

    @Test
    void pinsTheSignerOfAFile(@TempDir Path keys) throws Exception {
        Signing acme = Signing.make(keys, "acme", "-validity", "3650");
        jar = acme.sign(jar);
        watch();
        gateway.awaitRow("one.jar", Row.State.REFUSED);
        ok(context().positionals("one.jar").flag("signer").build(), pinCommand());
        assertEquals(acme.pin(), gateway.pins.load().get(0).pin().toString());
        gateway.awaitActive("acme.one", "1.0.0");
    }

    @Test
    void takesBackOnlyWhatACommandMade() throws Exception {
        watch(pin);
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        refuses(
                ExitCodes.FAILED,
                "is in the configuration",
                context().positionals(pin).build(),
                unpinCommand());
        refuses(
                ExitCodes.NOT_FOUND,
                "is not pinned",
                context().positionals("0".repeat(64)).build(),
                unpinCommand());
        refuses(
                ExitCodes.USAGE,
                "is not a pin",
                context().positionals("x").build(),
                unpinCommand());
        ok(context().positionals(pin).build(), pinCommand());
        FakeCommandContext both = context().positionals(pin).build();
        ok(both, unpinCommand());
        assertTrue(both.output().notes().toString().contains("stays in force"));
        assertTrue(gateway.isActive("acme.one", "1.0.0"));
    }

    @Test
    void listsFilesWithWhatSpeaksAgainstThemAndTheLineThatWouldPinThem() throws Exception {
        watch();
        gateway.drop("x.json", new byte[] {'{', '}'});
        gateway.awaitRow("one.jar", Row.State.REFUSED);
        gateway.awaitRow("x.json", Row.State.CONFIGURATION);
        FakeCommandContext text = context().build();
        ok(text, new DeployListCommand(gateway.reporter));
        assertTrue(text.output().text().contains("one.jar\trefused\tacme.one\t1.0.0"));
        assertTrue(text.output().text().contains("\"" + pin + "\""), text.output().text());
        FakeCommandContext json = context().json().build();
        ok(json, new DeployListCommand(gateway.reporter));
        List<String> row = json.output().tables().get(0).rows().get(0);
        assertTrue(row.get(8).contains(pin), row.toString());
        FakeCommandContext status = context().positionals("one.jar").build();
        assertEquals(ExitCodes.FAILED, status.run(new DeployStatusCommand(gateway.reporter)));
        Map<String, ?> fields = status.output().fieldSets().get(0);
        assertEquals("refused", fields.get("state"));
        assertEquals(pin.substring(7), fields.get("sha256"));
        assertEquals("it is not signed", fields.get("unsignedBecause"));
        gateway.watch.configure(Samples.settings(state, pin));
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        FakeCommandContext active = context().positionals("one.jar").build();
        ok(active, new DeployStatusCommand(gateway.reporter));
        assertEquals("configuration", active.output().fieldSets().get(0).get("pinnedBy"));
    }

    @Test
    void saysThatTheFolderIsOff() throws Exception {
        gateway.watch(Samples.disabled(state));
        gateway.await("it to be off", () -> gateway.reporter.view().why().contains("enabled"));
        FakeCommandContext list = context().build();
        ok(list, new DeployListCommand(gateway.reporter));
        assertTrue(list.output().notes().toString().contains("not watched: It is not enabled."));
        refuses(
                ExitCodes.NOT_FOUND,
                "not watched",
                context().positionals("one.jar").build(),
                pinCommand());
        ok(context().positionals(pin).build(), pinCommand());
    }

    @Test
    void doctorIsToldOfAFolderThatCannotBeWatched() throws Exception {
        gateway.watch(
                DeploySettings.of(
                        Samples.configuration(Map.of("enabled", true, "folder", "keys")),
                        state,
                        false));
        DeployReport report = new DeployReport(gateway.reporter);
        gateway.await("the finding", () -> report.findings().size() == 1);
        assertTrue(report.findings().get(0).message().contains("keeps for itself"));
    }

    @Test
    void findingsAndMetricsTellOfRefusals() throws Exception {
        watch("md5:nonsense");
        gateway.awaitRow("one.jar", Row.State.REFUSED);
        DeployReport report = new DeployReport(gateway.reporter);
        gateway.await("both", () -> report.findings().size() == 2);
        assertTrue(report.findings().get(0).message().contains("md5:nonsense"));
        assertTrue(report.findings().get(1).remedy().contains(pin));
        assertEquals(1, metric(report, "palyra_deploy_refused"));
        assertEquals(0, metric(report, "palyra_deploy_active"));
        gateway.watch.configure(Samples.settings(state, pin));
        gateway.awaitRow("one.jar", Row.State.ACTIVE);
        assertEquals(1, metric(report, "palyra_deploy_active"));
        assertEquals(1, metric(report, "palyra_deploy_changes_total"));
        assertEquals(0, metric(report, "palyra_deploy_failures_total"));
        assertEquals(1, metric(report, "palyra_deploy_enabled"));
        assertFalse(report.metrics().isEmpty());
        assertEquals(List.of(), report.findings());
    }

    private static int metric(DeployReport report, String name) {
        return report.metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .mapToInt(metric -> (int) metric.value())
                .findFirst()
                .orElseThrow();
    }

    private DeployCheckCommand checkCommand() {
        return new DeployCheckCommand(
                gateway.pins, () -> gateway.watch.settings(), state.resolve("check"));
    }

    private static FakeCommandContext piped(byte[] jar) {
        return context().positionals("-").in(new ByteArrayInputStream(jar)).build();
    }

    @Test
    void saysOfAnyJarWhatItIsAndWhetherItIsTrustedAndKeepsNothing() throws Exception {
        gateway.watch(Samples.settings(state));
        FakeCommandContext strange = piped(jar);
        assertEquals(ExitCodes.FAILED, strange.run(checkCommand()));
        Map<String, ?> facts = strange.output().fieldSets().get(0);
        assertEquals("acme.one", facts.get("bundle"));
        assertEquals(pin, "sha256:" + facts.get("sha256"));
        assertEquals(false, facts.get("trusted"));
        assertTrue(facts.get("remedy").toString().contains("palyra deploy pin " + pin));
        ok(context().positionals(pin).build(), pinCommand());
        FakeCommandContext known = piped(jar);
        ok(known, checkCommand());
        assertEquals(true, known.output().fieldSets().get(0).get("trusted"));
        assertEquals("command by user:op", known.output().fieldSets().get(0).get("pinnedBy"));
        try (Stream<Path> left = Files.list(state.resolve("check"))) {
            assertEquals(0, left.count());
        }
        assertEquals(List.of(), gateway.reporter.view().rows(), "nothing is in the folder");
    }

    @Test
    void aSignersPinCountsOnlyWhileItsCertificateIsValid(@TempDir Path keys) throws Exception {
        Signing acme = Signing.make(keys, "acme", "-validity", "3650");
        Signing late = Signing.make(keys, "late", "-startdate", "-2y", "-validity", "30");
        Signing early = Signing.make(keys, "early", "-startdate", "+2y", "-validity", "30");
        gateway.watch(Samples.settings(state, acme.pin(), late.pin(), early.pin()));
        FakeCommandContext valid = piped(acme.sign(jar));
        ok(valid, checkCommand());
        assertEquals(acme.pin(), valid.output().fieldSets().get(0).get("pin"));
        for (Signing each : List.of(late, early)) {
            byte[] signed = each.sign(jar);
            FakeCommandContext refused = piped(signed);
            assertEquals(ExitCodes.FAILED, refused.run(checkCommand()));
            Map<String, ?> facts = refused.output().fieldSets().get(0);
            assertEquals(false, facts.get("trusted"));
            String remedy = facts.get("remedy").toString();
            assertTrue(remedy.contains("is valid from"), remedy);
            ok(context().positionals("sha256:" + facts.get("sha256")).build(), pinCommand());
            ok(piped(signed), checkCommand());
        }
    }

    @Test
    void checksNoJarThatIsDamagedOrTooLarge() throws Exception {
        gateway.watch(Samples.settings(state));
        byte[] damaged = Arrays.copyOf(jar, jar.length - 5);
        int refused = ExitCodes.of(ErrorCode.INVALID_ARGUMENT);
        refuses(refused, "", piped(damaged), checkCommand());
        byte[] large = new byte[(int) gateway.watch.settings().maxFileBytes() + 1];
        refuses(refused, "more than", piped(large), checkCommand());
        try (Stream<Path> left = Files.list(state.resolve("check"))) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void completesFileNames() throws Exception {
        watch();
        gateway.awaitRow("one.jar", Row.State.REFUSED);
        assertEquals(List.of("one.jar"), pinCommand().complete(0, "o"));
        assertEquals(List.of(), pinCommand().complete(0, "x"));
        assertEquals(List.of(), pinCommand().complete(1, "o"));
    }

    @Test
    void everyCommandCanBeDescribed() {
        gateway.watch(Samples.settings(state));
        List<Command> commands =
                List.of(
                        new DeployListCommand(gateway.reporter),
                        new DeployStatusCommand(gateway.reporter),
                        new DeployPinsCommand(gateway.reporter, gateway.pins, List::of),
                        checkCommand(),
                        pinCommand(),
                        unpinCommand());
        for (Command command : commands) {
            assertTrue(command.spec().action().startsWith("deploy."), command.spec().name());
        }
    }
}

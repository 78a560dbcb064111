package palyra.skills.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.command.ExitCodes;
import palyra.skills.internal.Samples;
import palyra.skills.internal.SkillFixture;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.trust.KeyRotation;
import palyra.testing.command.FakeCommandContext;

/** What people type. */
class CommandsTest {
    @TempDir Path state;
    @TempDir Path work;
    private SkillFixture fixture;

    @BeforeEach
    void open() {
        fixture = new SkillFixture(state);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private FakeCommandContext.Builder with(String... words) {
        return FakeCommandContext.builder().workingFolder(work.toString()).positionals(words);
    }

    private int run(String command, FakeCommandContext.Builder builder) throws Exception {
        return run(command, builder.build());
    }

    private String last = "";

    private int run(String command, FakeCommandContext context) throws Exception {
        int exit = context.run(fixture.command(command));
        last = context.output().text() + context.output().notes();
        return exit;
    }

    private void install(Samples skill) throws Exception {
        Files.write(work.resolve("a.palyra-skill"), skill.signed());
        assertEquals(0, run("install", with("a.palyra-skill").flag("yes")), last);
    }

    @Test
    void aSkillIsInstalledFromAFileConfirmedListedAndShown() throws Exception {
        Files.write(work.resolve("a.palyra-skill"), new Samples().signed());
        assertEquals(ExitCodes.USAGE, run("install", with("a.palyra-skill")));
        assertTrue(last.contains("--yes"), last);
        assertEquals(
                ExitCodes.CANCELLED, run("install", with("a.palyra-skill").terminal(80).in("n\n")));
        assertTrue(fixture.inventory().all().isEmpty());
        assertEquals(0, run("install", with("a.palyra-skill").terminal(80).in("y\n")), last);
        assertTrue(last.contains("tofu_newly_pinned"), last);
        assertTrue(last.contains("palyra skills enable acme.weather@1.0.0"), last);
        assertEquals(0, run("list", with().json()));
        assertTrue(last.contains("\"state\":\"quarantined\""), last);
        assertEquals(0, run("enable", with("acme.weather").flag("yes")), last);
        assertEquals(0, run("info", with("acme.weather").json()));
        assertTrue(last.contains("\"check\":\"ok\""), last);
        assertEquals(0, run("check", with()));
        assertEquals(0, run("audit", with("acme.weather").json()));
        assertTrue(last.contains("\"quarantine_reasons\":[]"), last);
        assertEquals(0, run("install", with("a.palyra-skill").flag("yes")));
        assertTrue(last.contains("already"), last);
    }

    @Test
    void aDamagedFileIsNamedByTheAuditAndRepairedByInstallingAgain() throws Exception {
        install(new Samples());
        assertEquals(0, run("enable", with("acme.weather").flag("yes")), last);
        Path file = fixture.artifact(fixture.inventory().get(SkillFixture.ID));
        Files.write(file, new byte[5]);
        assertEquals(ExitCodes.FAILED, run("audit", with()));
        assertTrue(last.contains("artifact_changed"), last);
        assertEquals(ExitCodes.FAILED, run("check", with("acme.weather")));
        assertEquals(ExitCodes.DATA, run("enable", with("acme.weather").flag("yes")));
        install(new Samples());
        assertEquals(1, fixture.journal.events("skill_repaired").size());
        assertEquals(0, run("enable", with("acme.weather").flag("yes")), last);
        assertEquals(0, run("audit", with()), last);
    }

    @Test
    void streamsTakeThePlaceOfFilesForEverybody() throws Exception {
        byte[] file = new Samples().signed();
        assertEquals(
                ExitCodes.DENIED,
                run("verify", with("a.palyra-skill").principal(SkillFixture.VIEWER)));
        assertEquals(
                0,
                run(
                        "verify",
                        with("-")
                                .principal(SkillFixture.VIEWER)
                                .in(new ByteArrayInputStream(file))),
                last);
        assertTrue(last.contains("acme.weather"), last);
        assertEquals(
                ExitCodes.DATA,
                run("verify", with("-").in(new ByteArrayInputStream(new byte[50]))));
        assertEquals(ExitCodes.NOT_FOUND, run("verify", with("none.palyra-skill")));
        assertEquals(ExitCodes.USAGE, run("verify", with(state.resolve("x").toString())));
    }

    @Test
    void anUpdateShowsTheDifferenceAndGoesIntoUse() throws Exception {
        install(new Samples());
        assertEquals(0, run("enable", with("acme.weather").flag("yes")));
        Files.write(
                work.resolve("b.palyra-skill"),
                new Samples()
                        .version("1.1.0")
                        .capabilities("[capabilities]\nhttp_egress_allowlist=['api.example.com']\n")
                        .signed());
        assertEquals(0, run("update", with("b.palyra-skill").flag("yes")), last);
        assertTrue(last.contains("+ connects to api.example.com"), last);
        assertTrue(last.contains("active"), last);
        assertEquals(
                ExitCodes.FAILED, run("update", with("a.palyra-skill").flag("yes")) == 0 ? 1 : 0);
        Files.write(work.resolve("c.palyra-skill"), new Samples().version("0.9.0").signed());
        assertEquals(ExitCodes.FAILED, run("update", with("c.palyra-skill").flag("yes")));
        assertTrue(last.contains("(downgrade)"), last);
        assertEquals(0, run("rollback", with("acme.weather")));
        assertTrue(last.contains("1.0.0"), last);
        assertEquals(0, run("disable", with("acme.weather")));
        assertEquals(0, run("quarantine", with("acme.weather").option("reason", "odd")));
        assertEquals(0, run("appeal", with("acme.weather@1.1.0", "It is fine.")), last);
        assertEquals(ExitCodes.USAGE, run("remove", with("acme.weather").flag("yes")));
        assertEquals(0, run("remove", with("acme.weather").flag("all").flag("yes")));
        assertEquals(ExitCodes.NOT_FOUND, run("info", with("acme.weather")));
    }

    @Test
    void aVersionThatWaitsIsShownWithWhatComesNext() throws Exception {
        install(new Samples());
        assertEquals(0, run("enable", with("acme.weather").flag("yes")));
        Files.write(work.resolve("b.palyra-skill"), new Samples().version("1.1.0").signed());
        assertEquals(0, run("update", with("b.palyra-skill").flag("yes").flag("no-enable")), last);
        String step =
                "Approve it with: palyra skills enable acme.weather@1.1.0; until then"
                        + " acme.weather@1.0.0 is in use";
        assertTrue(last.contains(step), last);
        assertEquals(0, run("update", with("b.palyra-skill").flag("yes")), last);
        assertTrue(last.contains("already") && last.contains(step), last);
        assertEquals(0, run("list", with()));
        assertTrue(last.contains("acme.weather@1.1.0: " + step), last);
        assertEquals(0, run("info", with("acme.weather@1.1.0").json()));
        assertTrue(last.contains("\"next\":\"" + step + "\""), last);
        assertEquals(0, run("info", with("acme.weather").json()));
        assertTrue(last.contains("\"next\":\"\""), last);
        assertEquals(0, run("enable", with("acme.weather").flag("yes")), last);
        assertEquals(0, run("list", with()));
        assertFalse(last.contains("Approve"), last);
    }

    @Test
    void anUpdateThatMayNotBeEnabledInstallsNothing() throws Exception {
        install(new Samples());
        assertEquals(0, run("enable", with("acme.weather").flag("yes")));
        Files.write(work.resolve("b.palyra-skill"), new Samples().version("1.1.0").signed());
        fixture.access.deny("skill.enable");
        assertEquals(ExitCodes.DENIED, run("update", with("b.palyra-skill").flag("yes")), last);
        assertEquals(1, fixture.inventory().all().size());
        assertEquals(0, run("update", with("b.palyra-skill").flag("yes").flag("no-enable")), last);
        assertEquals("1.0.0", fixture.loader().active().get(0).version());
    }

    @Test
    void trustIsShownAndChanged() throws Exception {
        String key = Samples.KEY.publicHex();
        assertEquals(0, run("trust", with("allow", "acme", key)), last);
        assertEquals(0, run("trust", with("pin", "other", key)));
        assertEquals(
                0,
                run(
                        "trust",
                        with("revoke", "version:acme.weather@0.1.0").option("reason", "a hole")));
        Files.write(
                work.resolve("rotation.json"),
                KeyRotation.make("acme", Samples.KEY, Samples.OTHER, 1));
        assertEquals(0, run("trust", with("rotate", "rotation.json")), last);
        assertEquals(0, run("trust", with("list").json()));
        assertTrue(last.contains("retired"), last);
        assertTrue(last.contains(Samples.OTHER.publicHex()), last);
        assertTrue(last.contains("a hole"), last);
        assertEquals(0, run("trust", with("unrevoke", "version:acme.weather@0.1.0")));
        assertEquals(0, run("trust", with("unpin", "other")));
        assertEquals(ExitCodes.NOT_FOUND, run("trust", with("unpin", "other")));
        assertEquals(
                ExitCodes.USAGE, run("trust", with("revoke", "everything").option("reason", "x")));
        assertEquals(ExitCodes.USAGE, run("trust", with("allow", "acme", "x")));
        assertEquals(ExitCodes.USAGE, run("trust", with("dance")));
        install(new Samples().publisher("new").skill("new.weather").version("1.0.0"));
        assertEquals(0, run("trust", with("mark", "new.weather").option("engine", "wasmtime")));
        assertEquals(0, run("trust", with("unmark", "new.weather")));
        assertEquals(0, run("trust", with("reset").option("reason", "a test").flag("yes")), last);
        assertTrue(fixture.inventory().rows().rows().isEmpty());
    }

    @Test
    void aSkillIsMadeWithinTheGatewayAsWell() throws Exception {
        assertEquals(
                0,
                run("init", with("mine").option("publisher", "me").option("id", "me.first")),
                last);
        assertEquals(0, run("keygen", with("key.pem")));
        assertEquals("rw-------", permissions(work.resolve("key.pem")));
        assertEquals(0, run("build", with("mine").option("output", "a.palyra-skill")), last);
        assertEquals(
                0,
                run(
                        "sign",
                        with("a.palyra-skill")
                                .option("key", "key.pem")
                                .option("output", "b.palyra-skill")),
                last);
        assertEquals(
                "me.first",
                Artifact.verify(Files.readAllBytes(work.resolve("b.palyra-skill")))
                        .manifest()
                        .id()
                        .skill());
        assertEquals(0, run("install", with("b.palyra-skill").flag("yes")), last);
        assertEquals(ExitCodes.DATA, run("verify", with("a.palyra-skill")));
        assertTrue(last.contains("(signature_missing)"), last);
    }

    private static String permissions(Path file) throws Exception {
        return java.nio.file.attribute.PosixFilePermissions.toString(
                Files.getPosixFilePermissions(file));
    }

    @Test
    void everyCommandSaysWhatItIsAndOffersIds() throws Exception {
        install(new Samples());
        for (String name :
                "init keygen build sign verify install update rollback list info check audit quarantine enable disable remove appeal trust"
                        .split(" ")) {
            assertTrue(fixture.command(name).spec().summary().length() > 10, name);
        }
        assertEquals(2, fixture.command("info").complete(0, "acme").size());
        assertTrue(fixture.command("trust").complete(0, "un").contains("unpin"));
    }
}

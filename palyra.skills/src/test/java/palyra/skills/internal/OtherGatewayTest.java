package palyra.skills.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.ExitCodes;
import palyra.skills.internal.store.SkillState;
import palyra.testing.command.FakeCommandContext;

/** Skills that are made for another Palyra than the one that is there. */
class OtherGatewayTest {
    private static final byte[] FITS =
            new Samples()
                    .compat("min_palyra_version = '0.1.0'\nmax_palyra_version = '0.9.9'")
                    .signed();
    private static final byte[] LATER =
            new Samples().version("2.0.0").compat("min_palyra_version = '1.0.0'").signed();

    @TempDir Path state;
    @TempDir Path work;
    private SkillFixture fixture;
    private String last = "";

    @BeforeEach
    void open() {
        fixture = new SkillFixture(state);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private int run(String command, FakeCommandContext.Builder builder) throws Exception {
        FakeCommandContext context = builder.workingFolder(work.toString()).build();
        int exit = context.run(fixture.command(command));
        last = context.output().text() + context.output().notes();
        return exit;
    }

    private static FakeCommandContext.Builder with(String... words) {
        return FakeCommandContext.builder().positionals(words);
    }

    @Test
    void isNotInstalledAndSaysWhatWasAskedFoundAndWhatToDo() throws Exception {
        Files.write(work.resolve("a"), LATER);
        assertEquals(ExitCodes.FAILED, run("install", with("a").flag("yes")));
        assertTrue(last.contains("made for Palyra 1.0.0 or later"), last);
        assertTrue(last.contains("this is Palyra 0.1.0.SNAPSHOT. Update the gateway"), last);
        assertTrue(last.contains("(palyra_too_old)"), last);
        assertTrue(fixture.inventory().rows().rows().isEmpty(), "neither record nor pin");
        assertEquals(
                ExitCodes.FAILED,
                run("install", with("a").flag("yes").option("override", "I want it")),
                "nobody overrides that");
    }

    @Test
    void isNotUpdatedToAndTheVersionInUseStays() throws Exception {
        fixture.active(FITS);
        Files.write(work.resolve("b"), LATER);
        assertEquals(ExitCodes.FAILED, run("update", with("b").flag("yes")));
        assertTrue(last.contains("(palyra_too_old)"), last);
        assertEquals(SkillFixture.ID, fixture.loader().load(SkillFixture.ID).id());
        assertEquals(1, fixture.inventory().all().size());
    }

    @Test
    void isVerifiedWithAWarning() throws Exception {
        Files.write(work.resolve("a"), LATER);
        assertEquals(0, run("verify", with("a").json()));
        assertTrue(last.contains("\"palyra\":\"1.0.0 or later\""), last);
        assertTrue(last.contains("palyra_too_old: acme.weather@2.0.0"), last);
        Files.write(work.resolve("a"), FITS);
        assertEquals(0, run("verify", with("a").json()));
        assertTrue(last.contains("\"warnings\":[]"), last);
    }

    @Test
    void isNotLoadedAfterTheGatewayChangedAndRunsAgainWithoutAnApprovalWhenItFits() {
        fixture.active(FITS);
        fixture = fixture.with("0.10.0");
        for (int i = 0; i < 2; i++) {
            PalyraException refused =
                    assertThrows(
                            PalyraException.class, () -> fixture.loader().load(SkillFixture.ID));
            assertEquals(ErrorCode.DENIED, refused.code());
            assertTrue(refused.getMessage().contains("(palyra_too_new)"), refused.getMessage());
        }
        assertEquals(2, fixture.loader().refusals());
        assertEquals(
                SkillState.ACTIVE,
                fixture.inventory().get(SkillFixture.ID).standing().state(),
                "approved");
        int moves = fixture.journal.events("skill_state").size();
        fixture = fixture.with("0.9.9");
        assertEquals(SkillFixture.ID, fixture.loader().load(SkillFixture.ID).id());
        fixture = fixture.with("0.1.0.rc1");
        assertThrows(PalyraException.class, () -> fixture.loader().load(SkillFixture.ID));
        assertEquals(moves, fixture.journal.events("skill_state").size());
    }

    @Test
    void listInfoAndCheckSayWhyItDoesNotRun() throws Exception {
        fixture.active(FITS);
        assertEquals(0, run("list", with().json()));
        assertTrue(last.contains("\"reason\":\"\""), last);
        fixture = fixture.with("1.0.0");
        assertEquals(0, run("list", with().json()));
        assertTrue(last.contains("\"reason\":\"palyra_too_new\""), last);
        assertTrue(last.contains("made for Palyra 0.1.0 to 0.9.9"), last);
        assertEquals(0, run("info", with("acme.weather").json()));
        assertTrue(last.contains("\"palyra\":\"0.1.0 to 0.9.9\",\"gateway\":\"1.0.0\""), last);
        assertTrue(last.contains("\"check\":\"palyra_too_new: "), last);
        assertEquals(ExitCodes.FAILED, run("check", with()));
        assertTrue(last.contains("palyra_too_new"), last);
    }

    @Test
    void isNotPutIntoUseBySayingSoAgain() throws Exception {
        fixture.active(FITS);
        fixture.active(new Samples().version("1.1.0").signed());
        fixture = fixture.with("1.0.0");
        assertEquals(ExitCodes.FAILED, run("enable", with("acme.weather@1.0.0").flag("yes")), last);
        assertTrue(last.contains("(palyra_too_new)"), last);
        assertEquals(ExitCodes.FAILED, run("rollback", with("acme.weather")), last);
        assertEquals("1.1.0", fixture.loader().active().get(0).version());
        Files.write(work.resolve("a"), FITS);
        Files.delete(fixture.artifact(fixture.inventory().get(SkillFixture.ID)));
        assertEquals(0, run("install", with("a").flag("yes")), last);
        assertTrue(last.contains("repaired"), "what is there already may be repaired");
    }
}

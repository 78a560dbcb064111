package palyra.skills.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.store.SkillState;

/** Modules are compiled before a version is installed or put into use. */
class ModuleCompileCheckTest extends FixtureBase {
    private static final String FIGURE = "it takes more than the 402653184 bytes of heap";

    private void refuse(ErrorCode code) {
        fixture.preparation =
                skill -> {
                    throw new PalyraException(code, FIGURE);
                };
    }

    @Test
    void refusesToInstallAModuleBeyondTheBudgetOfTheCompiler() {
        refuse(ErrorCode.INVALID_ARGUMENT);
        byte[] file = new Samples().signed();
        RefusedException refused =
                assertThrows(RefusedException.class, () -> fixture.installer().plan(file, false));
        assertEquals("module_refused", refused.reason());
        assertTrue(refused.getMessage().contains(FIGURE), refused.getMessage());
        assertTrue(fixture.inventory().all().isEmpty());
    }

    @Test
    void refusesToUpdateToAModuleBeyondTheBudgetOfTheCompiler() {
        fixture.active(new Samples().signed());
        refuse(ErrorCode.INVALID_ARGUMENT);
        byte[] next = new Samples().version("1.1.0").signed();
        assertEquals("module_refused", reason(() -> fixture.installer().plan(next, true)));
        assertEquals(List.of(SkillFixture.ID), fixture.loader().active());
    }

    @Test
    void refusesToEnableAModuleBeyondTheBudgetOfTheCompiler() {
        fixture.install(new Samples().signed());
        refuse(ErrorCode.INVALID_ARGUMENT);
        assertEquals(
                "module_refused",
                reason(
                        () ->
                                fixture.lifecycle()
                                        .enable(SkillFixture.OPERATOR, SkillFixture.ID, "")));
        assertEquals(
                SkillState.QUARANTINED,
                fixture.inventory().get(SkillFixture.ID).standing().state());
    }

    @Test
    void installsNothingThatNoEngineCanJudge() {
        refuse(ErrorCode.TOOL_UNAVAILABLE);
        byte[] file = new Samples().signed();
        PalyraException e =
                assertThrows(PalyraException.class, () -> fixture.installer().plan(file, false));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, e.code());
        assertTrue(fixture.inventory().all().isEmpty());
    }

    @Test
    void compilesWhatIsInstalledAndWhatIsEnabled() {
        fixture.active(new Samples().signed());
        assertEquals(List.of(SkillFixture.ID, SkillFixture.ID), fixture.prepared);
        SkillId next = fixture.install(new Samples().version("1.1.0").signed()).id();
        assertEquals(List.of(SkillFixture.ID, SkillFixture.ID, next), fixture.prepared);
    }
}

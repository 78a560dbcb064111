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
class ModuleTrialTest extends OpenHouse {
    private static final String FIGURE = "it takes more than the 402653184 bytes of heap";

    private void refuse(ErrorCode code) {
        house.preparation =
                skill -> {
                    throw new PalyraException(code, FIGURE);
                };
    }

    @Test
    void refusesToInstallAModuleBeyondTheBudgetOfTheCompiler() {
        refuse(ErrorCode.INVALID_ARGUMENT);
        byte[] file = new Samples().signed();
        RefusedException refused =
                assertThrows(RefusedException.class, () -> house.installer().plan(file, false));
        assertEquals("module_refused", refused.reason());
        assertTrue(refused.getMessage().contains(FIGURE), refused.getMessage());
        assertTrue(house.inventory().all().isEmpty());
    }

    @Test
    void refusesToUpdateToAModuleBeyondTheBudgetOfTheCompiler() {
        house.active(new Samples().signed());
        refuse(ErrorCode.INVALID_ARGUMENT);
        byte[] next = new Samples().version("1.1.0").signed();
        assertEquals("module_refused", reason(() -> house.installer().plan(next, true)));
        assertEquals(List.of(House.ID), house.loader().active());
    }

    @Test
    void refusesToEnableAModuleBeyondTheBudgetOfTheCompiler() {
        house.install(new Samples().signed());
        refuse(ErrorCode.INVALID_ARGUMENT);
        assertEquals(
                "module_refused",
                reason(() -> house.lifecycle().enable(House.OPERATOR, House.ID, "")));
        assertEquals(SkillState.QUARANTINED, house.inventory().get(House.ID).standing().state());
    }

    @Test
    void installsNothingThatNoEngineCanJudge() {
        refuse(ErrorCode.TOOL_UNAVAILABLE);
        byte[] file = new Samples().signed();
        PalyraException e =
                assertThrows(PalyraException.class, () -> house.installer().plan(file, false));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, e.code());
        assertTrue(house.inventory().all().isEmpty());
    }

    @Test
    void compilesWhatIsInstalledAndWhatIsEnabled() {
        house.active(new Samples().signed());
        assertEquals(List.of(House.ID, House.ID), house.prepared);
        SkillId next = house.install(new Samples().version("1.1.0").signed()).id();
        assertEquals(List.of(House.ID, House.ID, next), house.prepared);
    }
}

package palyra.sandbox.posix.internal.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import palyra.api.core.sandbox.LaunchPlan.Access;

class LandlockRulesTest {
    @Test
    void onlyWhatTheVersionKnowsIsHandled() {
        assertEquals(0x1fff, LandlockRules.handledFiles(1));
        assertEquals(0x3fff, LandlockRules.handledFiles(2));
        assertEquals(0x7fff, LandlockRules.handledFiles(3));
        assertEquals(0x7fff, LandlockRules.handledFiles(4));
        assertEquals(0xffff, LandlockRules.handledFiles(5));
        assertEquals(0xffff, LandlockRules.handledFiles(7));
    }

    @Test
    void eachAccessGrantsNoMoreThanItSays() {
        assertEquals(0b1100, LandlockRules.granted(Access.READ, 7));
        assertEquals(0b1101, LandlockRules.granted(Access.EXECUTE, 7));
        assertEquals(0b110 | 1 << 14, LandlockRules.granted(Access.DEVICE, 7));
        assertEquals(0b110, LandlockRules.granted(Access.DEVICE, 1));
        long never = 1 << 6 | 1 << 11 | 1 << 15; // devices are neither made nor controlled
        assertEquals(0xffff & ~never, LandlockRules.granted(Access.WRITE, 7));
    }
}

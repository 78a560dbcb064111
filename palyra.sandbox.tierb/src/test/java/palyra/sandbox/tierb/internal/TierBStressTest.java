package palyra.sandbox.tierb.internal;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.testing.sandbox.Results;

/** Tier B with the real launcher when many commands come at once, and when one is a bomb. */
class TierBStressTest {
    @TestFactory
    Stream<DynamicTest> holdsWhenManyAreStartedCancelledAndMoved() throws Exception {
        return Results.of(8, TierBStress.class);
    }

    @TestFactory
    Stream<DynamicTest> cgroupsBoundAllProcessesOfACommandTogether() throws Exception {
        return Results.inGroups(10, TierBStress.Bombs.class);
    }
}

package palyra.sandbox.tierc.linux.internal;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.testing.sandbox.Results;

/** Tier C with the real launcher when many commands come at once, and when one is a bomb. */
class TierCStressTest {
    @TestFactory
    Stream<DynamicTest> holdsWhenManyAreStartedCancelledAndMoved() throws Exception {
        return Results.of(24, TierCStress.class);
    }

    @TestFactory
    Stream<DynamicTest> cgroupsBoundAllProcessesOfACommandTogether() throws Exception {
        return Results.inGroups(10, TierCStress.Bombs.class);
    }
}

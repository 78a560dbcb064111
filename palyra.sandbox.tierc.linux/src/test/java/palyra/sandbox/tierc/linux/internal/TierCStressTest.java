package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.testing.sandbox.ChildJvm;
import palyra.testing.sandbox.Groups;
import palyra.testing.sandbox.Results;

/** Tier C with the real launcher when many commands come at once, and when one is a bomb. */
class TierCStressTest {
    @TestFactory
    Stream<DynamicTest> holdsWhenManyAreStartedCancelledAndMoved() throws Exception {
        return Results.atLeast(24, ChildJvm.run(TierCStress.class), Map.of());
    }

    @TestFactory
    Stream<DynamicTest> cgroupsBoundAllProcessesOfACommandTogether() throws Exception {
        Optional<Groups> groups = Groups.delegated();
        assumeTrue(groups.isPresent(), Groups.NEEDED);
        try (Groups delegated = groups.get()) {
            List<String> lines = ChildJvm.run(TierCStress.Bombs.class, delegated);
            return Results.atLeast(10, lines, Map.of());
        }
    }
}

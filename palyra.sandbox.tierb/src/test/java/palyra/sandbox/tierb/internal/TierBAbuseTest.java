package palyra.sandbox.tierb.internal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.testing.sandbox.ChildJvm;
import palyra.testing.sandbox.Results;

/** Tries to get out of Tier B with the real launcher, as an unprivileged user. */
class TierBAbuseTest {
    @TestFactory
    Stream<DynamicTest> nothingOfTheListWorks() throws Exception {
        List<String> lines = ChildJvm.run(TierBAbuse.class);
        return Stream.concat(
                Stream.of(
                        DynamicTest.dynamicTest(
                                "all of the list ran",
                                () -> assertTrue(lines.size() > 200, "only " + lines.size()))),
                Results.tests(
                        lines,
                        TierBAbuse.LIMITS.stream()
                                .collect(Collectors.toMap(id -> id, id -> "ESCAPED"))));
    }
}

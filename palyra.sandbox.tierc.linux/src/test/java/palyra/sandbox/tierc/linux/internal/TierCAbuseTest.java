package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.testing.sandbox.ChildJvm;
import palyra.testing.sandbox.Results;

/** Tries to get out of Tier C with the real launcher, as an unprivileged user. */
class TierCAbuseTest {
    @TestFactory
    Stream<DynamicTest> nothingOfTheListWorks() throws Exception {
        List<String> lines = ChildJvm.run(TierCAbuse.class);
        return Stream.concat(
                Stream.of(
                        DynamicTest.dynamicTest(
                                "all of the list ran",
                                () -> assertTrue(lines.size() > 300, "only " + lines.size()))),
                Results.tests(lines, Map.of()));
    }
}

package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import palyra.testing.sandbox.ChildJvm;
import palyra.testing.sandbox.Results;

/** Commands that share a sandbox, with the real launcher, as an unprivileged user. */
class TierCSharedTest {
    @TestFactory
    Stream<DynamicTest> nothingOfTheListWorksAndWhatIsSharedIsShared() throws Exception {
        List<String> lines = ChildJvm.run(TierCShared.class);
        return Stream.concat(
                Stream.of(
                        DynamicTest.dynamicTest(
                                "all of it ran",
                                () -> assertTrue(lines.size() > 100, "only " + lines.size()))),
                Results.tests(lines, Map.of()));
    }
}

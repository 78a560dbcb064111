package palyra.testing.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Turns lines of a child JVM into tests. */
public final class Results {
    private Results() {}

    /**
     * Returns one test a line.
     *
     * @param limits what is known to work in spite of the sandbox, by id: documented limits
     */
    public static Stream<DynamicTest> tests(List<String> lines, Map<String, String> limits) {
        return lines.stream()
                .map(line -> line.split("\t", -1))
                .filter(fields -> fields.length == 4)
                .map(
                        fields ->
                                DynamicTest.dynamicTest(
                                        fields[0] + " " + fields[1],
                                        () ->
                                                assertEquals(
                                                        expected(fields, limits),
                                                        fields[2],
                                                        fields[0] + " " + fields[1] + ": "
                                                                + fields[3])));
    }

    /** Returns one test a line, and one that there are as many lines as there should be. */
    public static Stream<DynamicTest> atLeast(
            int least, List<String> lines, Map<String, String> limits) {
        DynamicTest all =
                DynamicTest.dynamicTest(
                        "all of the list ran",
                        () -> assertTrue(lines.size() >= least, "only " + lines.size()));
        return Stream.concat(Stream.of(all), tests(lines, limits));
    }

    /** Runs a suite as {@link ChildJvm} does; returns its results. */
    public static Stream<DynamicTest> of(int least, Class<?> main)
            throws IOException, InterruptedException {
        return atLeast(least, ChildJvm.run(main), Map.of());
    }

    /** Runs a suite where it may make cgroups; an assumption says why there may be none. */
    public static Stream<DynamicTest> inGroups(int least, Class<?> main)
            throws IOException, InterruptedException {
        Optional<CgroupRules> groups = CgroupRules.delegated();
        assumeTrue(groups.isPresent(), CgroupRules.NEEDED);
        try (CgroupRules delegated = groups.get()) {
            return atLeast(least, ChildJvm.run(main, delegated), Map.of());
        }
    }

    private static String expected(String[] fields, Map<String, String> limits) {
        return "control".equals(fields[0]) ? "ok" : limits.getOrDefault(fields[1], "ok");
    }
}

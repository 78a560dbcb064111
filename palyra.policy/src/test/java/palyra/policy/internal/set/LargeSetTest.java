package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large policy folders in JVMs that end when their heap does. */
class LargeSetTest {
    /** As bin/palyra has it. */
    private static final String SHIPPED_HEAP = "-Xmx512m";

    /** A quarter of 256 MB, for everything that there is in the JVM. */
    private static final String QUARTER = "-Xmx64m";

    /**
     * Half of 256 MB: a restart resumes the set that was in force, judges the files, and the test
     * has them checked once more.
     */
    private static final String HALF = "-Xmx128m";

    /** The watcher may take some of the files while the others are still being written. */
    private static final Pattern LOAD =
            Pattern.compile(
                    "load: ([1-9][0-9]*) policies in force; refused: .* files with 5[89][0-9]{5} bytes;"
                            + " at most 1000 files with 2097152 bytes");

    @TempDir Path folder;

    private String run(String heap, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Xss512k",
                                heap,
                                "-XX:+ExitOnOutOfMemoryError",
                                "--enable-native-access=ALL-UNNAMED",
                                "-Djava.library.path=" + System.getProperty("java.library.path"),
                                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                                "-cp",
                                System.getProperty("java.class.path"),
                                LargeSetChild.class.getName(),
                                folder.toString()));
        command.addAll(List.of(arguments));
        Path output = folder.resolve("output");
        Process child =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertTrue(child.waitFor(15, TimeUnit.MINUTES), () -> read(output));
            assertEquals(0, child.exitValue(), () -> read(output));
            return read(output);
        } finally {
            child.destroyForcibly();
        }
    }

    private static String read(Path output) {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void fifteenThousandSmallPoliciesEndNeitherTheFirstGatewayNorTheNext() throws Exception {
        String first = run(SHIPPED_HEAP, "small", "15000");
        String restart = run(SHIPPED_HEAP);

        Matcher load = LOAD.matcher(first);
        assertTrue(load.find(), first);
        assertTrue(first.contains("validate: REFUSED"), first);
        assertTrue(
                restart.contains("restart: " + load.group(1) + " policies in force; refused: "),
                restart);
        assertTrue(restart.contains("at most 1000 files with 2097152 bytes"), restart);
    }

    @Test
    void theLargestSetOfSmallPoliciesIsTakenInAQuarterOfASmallHeapAndAfterARestartInHalf()
            throws Exception {
        String first = run(QUARTER, "small", "4500");

        assertTrue(first.contains("load: 4502 policies in force; refused: no"), first);
        assertTrue(first.contains("validate: VALID"), first);
        String restart = run(HALF);
        assertTrue(restart.contains("restart: 4502 policies in force; refused: no"), restart);
    }

    /** The largest sets that are taken, in other respects. */
    @ParameterizedTest
    @CsvSource({"dense, 150", "patterns, 12"})
    void theLargestSetIsCheckedAndTakenInAQuarterOfASmallHeap(String shape, int policies)
            throws Exception {
        String first = run(QUARTER, shape, Integer.toString(policies));

        assertTrue(
                first.contains("load: " + (policies + 2) + " policies in force; refused: no"),
                first);
        assertTrue(first.contains("validate: VALID"), first);
    }

    @Test
    void aSetFullOfErrorsIsRefusedInAQuarterOfASmallHeap() throws Exception {
        String first = run(QUARTER, "invalid", "4990");

        assertTrue(first.contains("load: 2 policies in force; refused: "), first);
        assertTrue(first.contains("4990 errors"), first);
    }
}

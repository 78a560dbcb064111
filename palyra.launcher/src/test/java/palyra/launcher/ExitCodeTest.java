package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the launcher says with its exit code, against what the shipped unit makes of it. */
class ExitCodeTest {
    private static final Path DIST = Path.of("..", "palyra.dist", "src", "main", "dist");
    private static final int OUT_OF_MEMORY = 3;

    /** Fills the heap. */
    static final class Exhausted {
        private Exhausted() {}

        public static void main(String[] arguments) {
            long[][] all = new long[1 << 20][];
            for (int at = 0; at < all.length; at++) {
                all[at] = new long[1 << 17];
            }
        }
    }

    private static Set<Integer> neverRestarted() throws IOException {
        Pattern line = Pattern.compile("(?m)^RestartPreventExitStatus=(.*)$");
        Matcher found =
                line.matcher(Files.readString(DIST.resolve("systemd").resolve("palyra.service")));
        assertTrue(found.find(), "the unit has no RestartPreventExitStatus");
        return Arrays.stream(found.group(1).trim().split(" +"))
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void unitNeverRestartsAfterWhatNoRestartCures() throws Exception {
        Set<Integer> known =
                Stream.of(ExitCode.USAGE, ExitCode.BROKEN, ExitCode.LOCKED)
                        .map(ExitCode::code)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(known, neverRestarted());
    }

    @Test
    void unitRestartsAJvmThatDies() throws Exception {
        for (int code : neverRestarted()) {
            assertTrue(
                    code != 0 && code != 1 && code != OUT_OF_MEMORY && code < 128,
                    "a dying JVM ends with " + code + " as well, and the unit never restarts that");
        }
    }

    @Test
    void jvmOutOfMemoryEndsWithACodeThatTheUnitRestarts() throws Exception {
        Process jvm =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx16m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Exhausted.class.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            assertTrue(jvm.waitFor(1, TimeUnit.MINUTES), "the heap of 16 MiB is never full");
            assertEquals(OUT_OF_MEMORY, jvm.exitValue());
            assertFalse(neverRestarted().contains(jvm.exitValue()));
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void scriptsEndWithCodesOfTheLauncher() throws Exception {
        Set<Integer> known =
                Arrays.stream(ExitCode.values()).map(ExitCode::code).collect(Collectors.toSet());
        for (Path script :
                List.of(
                        DIST.resolve("bin").resolve("palyra"),
                        DIST.resolve("bin").resolve("common.sh"),
                        Path.of("..", "palyra"))) {
            Matcher found = Pattern.compile("\\bdie (\\d+) ").matcher(Files.readString(script));
            assertTrue(found.find(), script.toString());
            do {
                assertTrue(
                        known.contains(Integer.valueOf(found.group(1))),
                        script + ": " + found.group());
            } while (found.find());
        }
    }
}

package palyra.skills.engine.endive.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** No module takes the JVM down. */
class HostileTest {
    @Test
    void survivesMutantsAndBombsInASmallHeap() throws Exception {
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        Process child =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx96m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                classPath,
                                Hostile.class.getName())
                        .redirectErrorStream(true)
                        .start();
        try {
            String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(child.waitFor(2, TimeUnit.MINUTES), said);
            assertEquals(0, child.exitValue(), said);
            assertTrue(said.contains("survived"), said);
        } finally {
            child.destroyForcibly();
        }
    }
}

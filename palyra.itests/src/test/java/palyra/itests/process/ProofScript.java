package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import palyra.itests.Dist;

/** Scripts of {@code scripts/} that prove something about the built product and end with a line. */
final class ProofScript {
    private static final long MINUTES = 8;
    private static final long CLEAN_UP_SECONDS = 60;

    private ProofScript() {}

    /** Runs a script; its last line, and with it the proof, begins with {@code expected}. */
    static void run(String name, String expected) throws Exception {
        Path output = Files.createTempFile("palyra-proof", ".txt");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(Dist.root().resolve("scripts").resolve(name).toString())
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process script = builder.start();
            boolean ended = script.waitFor(MINUTES, TimeUnit.MINUTES);
            script.destroy(); // it removes what it made
            script.waitFor(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
            script.descendants().forEach(ProcessHandle::destroyForcibly);
            script.destroyForcibly();
            String report = Files.readString(output);
            assertTrue(report, ended);
            assertEquals(report, 0, script.exitValue());
            String last = report.strip().lines().reduce("", (before, line) -> line);
            assertTrue(report, last.startsWith(expected));
        } finally {
            Files.delete(output);
        }
    }
}

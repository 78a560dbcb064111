package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.Test;
import palyra.itests.Dist;

/** The unit that ships, started by a real systemd in namespaces of its own. */
public class SystemdUnitIT {
    private static final long MINUTES = 5;

    @Test
    public void sandboxesWorkUnderTheRestrictionsOfTheUnit() throws Exception {
        assumeTrue(
                "only root makes the namespaces", "root".equals(System.getProperty("user.name")));
        assumeTrue("no systemd here", Files.isExecutable(Path.of("/lib/systemd/systemd")));
        Path output = Files.createTempFile("palyra-unit", ".txt");
        try {
            Process script =
                    new ProcessBuilder(Dist.root().resolve("scripts/prove-unit.sh").toString())
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            boolean ended = script.waitFor(MINUTES, TimeUnit.MINUTES);
            script.descendants().forEach(ProcessHandle::destroyForcibly);
            script.destroyForcibly();
            String report = Files.readString(output);
            assertTrue(report, ended);
            assertEquals(report, 0, script.exitValue());
            assertTrue(report, report.startsWith("palyra.service: both tiers ready"));
        } finally {
            Files.delete(output);
        }
    }
}

package palyra.itests.process;

import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Test;

/** The unit that ships, started by a real systemd in namespaces of its own. */
public class SystemdUnitIT {
    @Test
    public void sandboxesWorkUnderTheRestrictionsOfTheUnit() throws Exception {
        assumeTrue(
                "only root makes the namespaces", "root".equals(System.getProperty("user.name")));
        assumeTrue("no systemd here", Files.isExecutable(Path.of("/lib/systemd/systemd")));
        ProofScript.run("prove-unit.sh", "palyra.service: both tiers ready");
    }
}

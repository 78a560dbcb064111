package palyra.itests.process;

import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Test;

/** The image that the shipped Dockerfile makes, run by podman. */
public class ContainerIT {
    @Test
    public void theImageIsHealthyReachedByItsPublishedPortAndKeepsItsState() throws Exception {
        assumeTrue(
                "only root makes the containers", "root".equals(System.getProperty("user.name")));
        assumeTrue("no podman here", Files.isExecutable(Path.of("/usr/bin/podman")));
        ProofScript.run("prove-container.sh", "container: healthy");
    }
}

package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;
import palyra.itests.Dist;

/** The script that the README shows, word by word, on an installation as it ships. */
public class DemonstrationIT {
    @Test
    public void theScriptOfTheReadmeRunsToItsEnd() throws Exception {
        try (UnprivilegedGateway gateway = UnprivilegedGateway.install().up()) {
            CommandClient.Result result =
                    gateway.runScript(Dist.root().resolve("scripts/demo-approvals.sh"));
            assertEquals(result.toString(), 0, result.exit());
            assertTrue(result.toString(), result.out().endsWith("\nThe demonstration passed.\n"));
        }
    }
}

package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;

/**
 * npm {@code openai} and {@code @openai/agents}, which this project did not write, against the
 * product. In the long form of the tests alone, as the clients have to be installed.
 */
public class OpenAiClientsIT {
    @ClassRule public static final TemporaryFolder TEMP = new TemporaryFolder();

    private static final long INSTALL_MINUTES = 5;
    private static final long RUN_MINUTES = 3;

    @Test
    public void clientsOfOthersAgree() throws Exception {
        assumeTrue(Boolean.getBoolean("palyra.test.full"));
        Path clients = Dist.root().resolve("scripts/openai-clients");
        String installed =
                run(
                        clients,
                        INSTALL_MINUTES,
                        "npm",
                        "ci",
                        "--ignore-scripts",
                        "--no-audit",
                        "--no-fund");
        assertTrue(installed, Files.isDirectory(clients.resolve("node_modules/openai")));
        Path state = TEMP.getRoot().toPath().resolve("state");
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state).awaitReady()) {
            String token =
                    gateway.client()
                            .run(
                                    "access",
                                    "token-create",
                                    "peer",
                                    "--principal",
                                    "service:peer",
                                    "--group",
                                    "integrator",
                                    "--json")
                            .ok()
                            .json()
                            .path("secret")
                            .asText();
            String said =
                    run(clients, RUN_MINUTES, "node", "clients.mjs", gateway.http() + "/v1", token);
            assertTrue(said + gateway.console(), said.contains("all clients agree"));
        }
    }

    private static String run(Path folder, long minutes, String... command)
            throws IOException, InterruptedException {
        Path log = TEMP.newFile().toPath();
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        boolean ended = process.waitFor(minutes, TimeUnit.MINUTES);
        process.destroyForcibly();
        String said = Files.readString(log);
        assertTrue(command[0] + " did not end: " + said, ended);
        assertEquals(said, 0, process.exitValue());
        return said;
    }
}

package palyra.itests.process;

import static org.junit.Assume.assumeTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;

/**
 * npm {@code deep-chat}, a chat component that this project did not write, in Chromium against the
 * product. In the long form of the tests alone.
 */
public class OpenAiBrowserIT {
    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    @Test
    public void aChatComponentOfOthersAgrees() throws Exception {
        assumeTrue(Boolean.getBoolean("palyra.test.full"));
        assumeTrue("there is no " + BrowserStories.CHROMIUM, BrowserStories.possible());
        BrowserStories stories = new BrowserStories();
        Path state = temp.getRoot().toPath().resolve("state");
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state).awaitReady()) {
            CommandClient client = gateway.client();
            client.run("agents", "create", "writer", "--test", "true").ok();
            String token =
                    client.run(
                                    "access",
                                    "token-create",
                                    "page",
                                    "--principal",
                                    "service:page",
                                    "--group",
                                    "integrator",
                                    "--json")
                            .ok()
                            .json()
                            .path("secret")
                            .asText();
            stories.play("deep-chat.mjs", gateway, Map.of("PALYRA_TOKEN", token));
        }
    }
}

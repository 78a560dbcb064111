package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;

/**
 * What earlier versions left when they were killed is all there, and the gateway goes on with it.
 */
public class RecordedStateIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> OVER = List.of("SUCCEEDED", "FAILED");

    @Rule public final TemporaryFolder folder = new TemporaryFolder();

    private Path unpack(String name) throws IOException, InterruptedException {
        Path packed = folder.getRoot().toPath().resolve(name);
        Files.copy(
                RecordedStateIT.class.getResourceAsStream("/states/" + name),
                packed,
                StandardCopyOption.REPLACE_EXISTING);
        Path state = folder.newFolder("state").toPath();
        Process tar =
                new ProcessBuilder(
                                "tar",
                                "--no-same-owner",
                                "-xzpf",
                                packed.toString(),
                                "-C",
                                state.toString())
                        .inheritIO()
                        .start();
        assertEquals(0, tar.waitFor());
        return state;
    }

    private static String stateOf(CommandClient client, String runId) throws IOException {
        return client.run("run", "show", runId, "--json").ok().json().path("state").asText();
    }

    @Test
    public void migration10() throws Exception {
        String talked = "01M8DPX11HNWTF92JS0SCJVGMD";
        String granted = "01M8DPY7Y3J3CVCN26KX0GAACY";
        String waiting = "01M8DPYXB50N0VFT5E7XKJ7SFP";
        String question = "01M8DPYXCX0E6HN7DHQ1JKJ6RY";
        Path state = unpack("schema-10.tar.gz");
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            CommandClient client = gateway.awaitReady().client();
            client.run("tape", "verify").ok();
            assertTrue(client.run("tape", "show", talked).ok().out().contains("the first message"));
            assertEquals(
                    "kept", client.run("vault", "reveal", "global/a", "--yes-show-it").ok().out());
            assertTrue(client.run("policy", "list").ok().out().contains("no_sleep"));
            assertTrue(client.run("agents", "list").ok().out().contains("tester"));
            assertTrue(client.run("approvals", "show", granted).ok().out().contains("said yes"));
            if (client.run("approvals", "list", "--json").ok().out().contains(question)) {
                client.run("approvals", "decide", question, "--deny").ok(); // it is not over yet
            }
            Wait.until(
                    "the run that waited to end",
                    PATIENCE,
                    () -> OVER.contains(stateOf(client, waiting)),
                    gateway::console);
            assertTrue(
                    client.run("tape", "show", waiting).ok().out().contains("approval_decision"));
            client.run("ask", "--session", "talk", "the second message").ok();
            client.run("retention", "run").ok();
            client.run("tape", "verify").ok();
        }
    }
}

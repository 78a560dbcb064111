package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;

/**
 * The console in Chromium: first login, every page, a call that a person allows in another window,
 * a policy with a mistake, swaps under an open stream, requests of other origins. Screenshots are
 * in {@code target/browser-results}.
 */
public class ConsoleBrowserIT {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final int MINUTES = 6;

    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    @Test
    public void everyStoryOfTheConsolePassesInABrowser() throws Exception {
        assumeTrue("there is no Chromium at " + CHROMIUM, Files.isExecutable(CHROMIUM));
        Path folder = NodePackage.install("browser", "browser");
        Path state = temp.getRoot().toPath().resolve("state");
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            gateway.awaitReady();
            gateway.client()
                    .run(
                            "agents",
                            "create",
                            "writer",
                            "--test",
                            "true",
                            "--tool",
                            "palyra.fs.write_file",
                            "--tool",
                            "palyra.sleep")
                    .ok();
            Path log = folder.resolve("console.log");
            assertEquals(Optional.of(0), play(gateway, folder, state, log));
            assertTrue(Files.readString(log).contains("all stories passed"));
        }
    }

    private static Optional<Integer> play(GatewayProcess gateway, Path folder, Path state, Path log)
            throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("node", "console.mjs").directory(folder.toFile());
        builder.environment().put("PALYRA_URL", gateway.http().replace("127.0.0.1", "localhost"));
        builder.environment()
                .put("PALYRA_TOKEN", Files.readString(state.resolve("bootstrap-token")).strip());
        builder.environment()
                .put("PALYRA_COMMAND", "[\"" + Dist.folder().resolve("bin/palyra") + "\"]");
        builder.environment().put("PALYRA_STATE", state.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .put("PALYRA_RESULTS", folder.resolveSibling("browser-results").toString());
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        Process node = builder.start();
        try {
            boolean ended = node.waitFor(MINUTES, TimeUnit.MINUTES);
            if (!ended || node.exitValue() != 0) {
                throw new AssertionError(Files.readString(log) + gateway.console());
            }
            return Optional.of(node.exitValue());
        } finally {
            node.descendants().forEach(ProcessHandle::destroyForcibly);
            node.destroyForcibly();
        }
    }
}

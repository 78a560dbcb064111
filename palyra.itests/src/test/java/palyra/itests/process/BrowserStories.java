package palyra.itests.process;

import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Scripts of {@code src/test/browser}, which use a gateway in Chromium. */
final class BrowserStories {
    static final Path CHROMIUM = Path.of("/usr/bin/chromium");

    private static final int MINUTES = 6;

    private final Path folder;

    /** Fetches what they need. */
    BrowserStories() throws Exception {
        folder = NodePackage.install("browser", "browser");
    }

    static boolean possible() {
        return Files.isExecutable(CHROMIUM);
    }

    /**
     * Plays one; fails the test when a story of it does.
     *
     * @param environment what the script needs besides browser.mjs
     */
    void play(String script, GatewayProcess gateway, Map<String, String> environment)
            throws Exception {
        Path log = folder.resolve(script.replace(".mjs", ".log"));
        ProcessBuilder builder = new ProcessBuilder("node", script).directory(folder.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("PALYRA_URL", gateway.http().replace("127.0.0.1", "localhost"));
        builder.environment()
                .put("PALYRA_RESULTS", folder.resolveSibling("browser-results").toString());
        builder.environment().put("PALYRA_CHROMIUM", CHROMIUM.toString());
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        Process node = builder.start();
        try {
            boolean ended = node.waitFor(MINUTES, TimeUnit.MINUTES);
            String said = Files.readString(log);
            assertTrue(
                    script + ": " + said + gateway.console(),
                    ended && node.exitValue() == 0 && said.contains("all stories passed"));
        } finally {
            node.descendants().forEach(ProcessHandle::destroyForcibly);
            node.destroyForcibly();
        }
    }
}

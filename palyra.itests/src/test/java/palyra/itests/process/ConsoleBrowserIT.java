package palyra.itests.process;

import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;

/**
 * The console in Chromium: first login, every page, a call that a person allows in another window,
 * a policy with a mistake, swaps under an open stream, requests of other origins, a tape of which a
 * byte was changed. Screenshots are in {@code target/browser-results}.
 */
public class ConsoleBrowserIT {
    private static final long RECORD = 2; // what the person said

    @Rule public final TemporaryFolder temp = new TemporaryFolder();

    @Test
    public void everyStoryOfTheConsolePassesInABrowser() throws Exception {
        assumeTrue("there is no " + BrowserStories.CHROMIUM, BrowserStories.possible());
        BrowserStories stories = new BrowserStories();
        Path state = temp.getRoot().toPath().resolve("state");
        String whole;
        String broken;
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state).awaitReady()) {
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
            whole = run(gateway, "what stays as it is");
            broken = run(gateway, "what is changed later");
            stories.play(
                    "console.mjs",
                    gateway,
                    Map.of(
                            "PALYRA_TOKEN",
                            Files.readString(state.resolve("bootstrap-token")).strip(),
                            "PALYRA_COMMAND",
                            "[\"" + Dist.folder().resolve("bin/palyra") + "\"]",
                            "PALYRA_STATE",
                            state.toString(),
                            "PALYRA_JAR",
                            Dist.bundle("palyra.models").toString(),
                            "JAVA_HOME",
                            System.getProperty("java.home")));
            gateway.kill();
        }
        JournalFile.flipByte(state, broken, RECORD);
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state).awaitReady()) {
            stories.play(
                    "tape.mjs",
                    gateway,
                    Map.of(
                            "PALYRA_WHOLE",
                            whole,
                            "PALYRA_BROKEN",
                            broken,
                            "PALYRA_RECORD",
                            String.valueOf(RECORD)));
        }
    }

    /** Returns the id of a run that ended. */
    private static String run(GatewayProcess gateway, String text) throws Exception {
        return gateway.client()
                .run("ask", "--new", "--json", text)
                .ok()
                .json()
                .path("runId")
                .asText();
    }
}

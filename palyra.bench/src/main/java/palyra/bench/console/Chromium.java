package palyra.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A browser that does one thing after the other: the script {@code src/main/browser/browser.mjs} in
 * node, which {@code scripts/bench.sh} made ready.
 */
final class Chromium implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long STOP_SECONDS = 20;

    private final Process node;
    private final OutputStream to;
    private final BufferedReader from;

    private Chromium(Process node) {
        this.node = node;
        this.to = node.getOutputStream();
        this.from =
                new BufferedReader(
                        new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8));
    }

    static Chromium start() throws IOException {
        Path folder = Path.of("palyra.bench/src/main/browser").toAbsolutePath();
        if (!Files.isDirectory(folder.resolve("node_modules"))) {
            throw new IOException(
                    "there is no "
                            + folder.resolve("node_modules")
                            + "; scripts/bench.sh makes it");
        }
        Chromium made =
                new Chromium(
                        new ProcessBuilder("node", "browser.mjs")
                                .directory(folder.toFile())
                                .redirectError(ProcessBuilder.Redirect.INHERIT)
                                .start());
        made.answer("the browser");
        return made;
    }

    static ObjectNode job(String name, String url) {
        return JSON.createObjectNode().put("do", name).put("url", url);
    }

    /** Does a job, and returns what the script says of it. */
    JsonNode run(ObjectNode job) throws IOException {
        to.write((job + "\n").getBytes(StandardCharsets.UTF_8));
        to.flush();
        return answer(job.path("do").asText());
    }

    private JsonNode answer(String what) throws IOException {
        String line = from.readLine();
        if (line == null) {
            throw new IOException("the browser ended during " + what);
        }
        JsonNode said = JSON.readTree(line);
        if (said.has("error")) {
            throw new IOException(what + " in the browser: " + said.path("error").asText());
        }
        return said;
    }

    @Override
    public void close() throws IOException {
        to.close();
        try {
            if (!node.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                node.descendants().forEach(ProcessHandle::destroyForcibly);
                node.destroyForcibly();
            }
        } catch (InterruptedException e) {
            node.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

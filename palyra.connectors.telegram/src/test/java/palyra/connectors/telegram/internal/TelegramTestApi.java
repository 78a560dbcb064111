package palyra.connectors.telegram.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * {@code telegram-test-api} from npm, which this project did not write: a Bot API with people who
 * write to the bot and see what it answers. Its requests are those of its own client.
 */
final class TelegramTestApi implements AutoCloseable {
    private static final Path SOURCE = Path.of("src/test/telegram-test-api");
    private static final Path FOLDER = Path.of("target/telegram-test-api");
    private static final long INSTALL_MINUTES = 5;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process node;
    private final int port;

    private TelegramTestApi(Process node, int port) {
        this.node = node;
        this.port = port;
    }

    /** Returns why it cannot be used here; empty when it was fetched, once for all builds. */
    static Optional<String> missing() throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        for (String file : List.of("package.json", "package-lock.json", "server.mjs")) {
            Files.copy(
                    SOURCE.resolve(file),
                    FOLDER.resolve(file),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        Path lock = FOLDER.resolve("package-lock.json");
        Path installed = FOLDER.resolve("node_modules/installed-lock.json");
        if (Files.exists(installed) && Files.mismatch(lock, installed) < 0) {
            return Optional.empty();
        }
        Process npm;
        Path log = FOLDER.resolve("npm.log");
        try {
            npm =
                    process("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
        } catch (IOException e) {
            return Optional.of("there is no npm: apt-get install nodejs npm");
        }
        if (!npm.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || npm.exitValue() != 0) {
            npm.destroyForcibly();
            return Optional.of("npm ci does not succeed here: " + Files.readString(log));
        }
        Files.copy(lock, installed, StandardCopyOption.REPLACE_EXISTING);
        return Optional.empty();
    }

    static TelegramTestApi start() throws IOException {
        Process node =
                process("node", "server.mjs")
                        .redirectError(FOLDER.resolve("errors.txt").toFile())
                        .start();
        BufferedReader lines = node.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        if (line == null || !line.startsWith("port ")) {
            throw new AssertionError("it does not start; see target/telegram-test-api/errors.txt");
        }
        return new TelegramTestApi(node, Integer.parseInt(line.substring("port ".length())));
    }

    private static ProcessBuilder process(String... command) {
        return new ProcessBuilder(command).directory(FOLDER.toFile());
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    int port() {
        return port;
    }

    /** Makes a request of its client. */
    JsonNode ask(String path, JsonNode body) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url() + path))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                        .build();
        try {
            String answer = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return JSON.readTree(answer).path("result");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        client.shutdownNow();
        node.destroyForcibly();
        node.waitFor(30, TimeUnit.SECONDS);
    }
}

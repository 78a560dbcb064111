package palyra.bench.skills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An engine in a process of its own, which serves the protocol of {@link EngineMain}. */
final class EngineProcess implements CallSuite.Engine, AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long STOP_SECONDS = 20;
    private static final int MAX_ERROR_CHARS = 2_000;

    private final String name;
    private final Process process;
    private final Path errors;
    private final Writer requests;
    private final BufferedReader responses;

    /** Starts the process; what it prints to standard error goes to a file. */
    EngineProcess(String name, List<String> command, Path folder, Path errors) throws IOException {
        this.name = name;
        this.errors = errors;
        this.process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectError(errors.toFile())
                        .start();
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.responses = process.inputReader(StandardCharsets.UTF_8);
    }

    @Override
    public Round round(Task task, long nanos) throws IOException {
        send(request("prepare", task.json()));
        ObjectNode calls = JsonNodeFactory.instance.objectNode().put("nanos", nanos);
        return Round.of(send(request("calls", calls)));
    }

    private static ObjectNode request(String what, ObjectNode content) {
        return JsonNodeFactory.instance.objectNode().set(what, content);
    }

    private JsonNode send(JsonNode request) throws IOException {
        try {
            requests.write(JSON.writeValueAsString(request) + "\n");
            requests.flush();
        } catch (IOException e) {
            throw new IOException(name + " has ended: " + errorText(), e);
        }
        String line = responses.readLine();
        if (line == null) {
            throw new IOException(name + " has ended: " + errorText());
        }
        JsonNode response = JSON.readTree(line);
        if (response.has("error")) {
            throw new IOException(
                    name + " failed: " + response.path("error").asText() + errorText());
        }
        return response;
    }

    private String errorText() throws IOException {
        String text = Files.readString(errors).strip();
        return " "
                + (text.length() > MAX_ERROR_CHARS
                        ? text.substring(0, MAX_ERROR_CHARS) + "…"
                        : text);
    }

    /** Ends its input, which lets it end by itself. */
    @Override
    public void close() {
        try {
            requests.close();
        } catch (IOException e) {
            process.destroyForcibly(); // it has ended, or is about to
        }
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

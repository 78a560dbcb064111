package palyra.transport.openai.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A client of one token. */
final class Client {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final TestServer server;
    private final String token;

    Client(TestServer server, String token) {
        this.server = server;
        this.token = token;
    }

    /** An answer. */
    record Answered(int status, JsonNode body, HttpResponse<?> response) {
        String content() {
            return body.path("choices").path(0).path("message").path("content").asText();
        }

        String code() {
            return body.path("error").path("code").asText();
        }

        String message() {
            return body.path("error").path("message").asText();
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }
    }

    /** A stream of events, as it was read. */
    record Streamed(List<String> lines, HttpResponse<?> response) {
        List<JsonNode> data() {
            return lines.stream()
                    .filter(line -> line.startsWith("data: {"))
                    .map(line -> parse(line.substring(6)))
                    .toList();
        }

        String joined(String field) {
            StringBuilder all = new StringBuilder();
            data().forEach(
                            chunk ->
                                    all.append(
                                            chunk.path("choices")
                                                    .path(0)
                                                    .path("delta")
                                                    .path(field)
                                                    .asText("")));
            return all.toString();
        }

        String content() {
            return joined("content");
        }

        boolean isDone() {
            return lines.contains("data: [DONE]");
        }

        JsonNode error() {
            return data().isEmpty()
                    ? JsonNodeFactory.instance.missingNode()
                    : data().getLast().path("error");
        }
    }

    static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a chat request of these messages, a role before each text. */
    static ObjectNode chat(String... said) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("model", "default");
        body.set("messages", messages(said));
        return body;
    }

    static ArrayNode messages(String... said) {
        ArrayNode messages = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < said.length; i += 2) {
            messages.addObject().put("role", said[i]).put("content", said[i + 1]);
        }
        return messages;
    }

    HttpRequest.Builder to(String path, String... headers) {
        HttpRequest.Builder request =
                server.request(path).header("Authorization", "Bearer " + token);
        return headers.length == 0 ? request : request.headers(headers);
    }

    Answered get(String path) {
        return answered(server.send(to(path).GET().build()));
    }

    Answered send(HttpRequest request) {
        return answered(server.send(request));
    }

    static Answered answered(HttpResponse<String> response) {
        return new Answered(response.statusCode(), parse(response.body()), response);
    }

    Answered post(String path, JsonNode body, String... headers) {
        return send(
                to(path, headers)
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                        .build());
    }

    Answered ask(String... said) {
        return post("/v1/chat/completions", chat(said));
    }

    Streamed stream(String path, ObjectNode body, String... headers) {
        return stream(path, body, line -> {}, headers);
    }

    /** Reads a stream to its end, telling each line. */
    Streamed stream(String path, ObjectNode body, Consumer<String> each, String... headers) {
        body.put("stream", true);
        HttpRequest request =
                to(path, headers)
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                        .build();
        try {
            HttpResponse<java.io.InputStream> response =
                    server.http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            List<String> lines = new ArrayList<>();
            try (BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    lines.add(line);
                    each.accept(line);
                }
            }
            return new Streamed(lines, response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}

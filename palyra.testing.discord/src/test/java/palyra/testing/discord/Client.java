package palyra.testing.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** A bot as small as can be: calls, and one connection to the gateway. */
final class Client implements AutoCloseable {
    private static final int MESSAGES = 1 << 9 | 1 << 10 | 1 << 12 | 1 << 13;

    private final FakeDiscord discord;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final BlockingQueue<JsonNode> heard = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private WebSocket socket;
    long seq;

    Client(FakeDiscord discord) {
        this.discord = discord;
    }

    // Calls.

    HttpResponse<String> call(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(discord.restBase() + path))
                        .header("Authorization", "Bot " + discord.token())
                        .header("User-Agent", "DiscordBot (https://palyra.dev, 1)")
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.setHeader("Content-Type", "application/json");
        }
        for (int at = 0; at < headers.length; at += 2) {
            request.setHeader(headers[at], headers[at + 1]);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Calls and returns what is answered, with the status beside it as {@code status}. */
    JsonNode ask(String method, String path, String body) throws Exception {
        HttpResponse<String> answer = call(method, path, body.replace('\'', '"'));
        JsonNode json =
                answer.body().isEmpty()
                        ? Json.object()
                        : Json.read(answer.body().getBytes(StandardCharsets.UTF_8));
        return json.isObject() && !json.has("status")
                ? Json.object("status", answer.statusCode()).setAll((ObjectNode) json)
                : json;
    }

    JsonNode post(Channel channel, String body) throws Exception {
        return ask("POST", "/channels/" + channel.id() + "/messages", body);
    }

    // The gateway.

    Client connect() {
        return connect(discord.gatewayUrl() + "/?v=10&encoding=json");
    }

    Client connect(String address) {
        socket = http.newWebSocketBuilder().buildAsync(URI.create(address), new Listener()).join();
        return this;
    }

    /** Connects, identifies and reads READY, which is returned. */
    JsonNode ready() throws Exception {
        return ready(1 | MESSAGES);
    }

    JsonNode ready(long intents) throws Exception {
        connect();
        identify(discord.token(), intents, "");
        return event("READY");
    }

    void identify(String token, long intents, String more) {
        send(
                """
                {"op":2,"d":{"token":"%s","intents":%d,
                "properties":{"os":"linux","browser":"test","device":"test"}%s}}"""
                        .formatted(token, intents, more));
    }

    void resume(String session, long from) {
        send(
                "{\"op\":6,\"d\":{\"token\":\"%s\",\"session_id\":\"%s\",\"seq\":%d}}"
                        .formatted(discord.token(), session, from));
    }

    void send(String text) {
        socket.sendText(text, true).join();
    }

    void leave(int code) {
        socket.sendClose(code, "").join();
    }

    void drop() {
        socket.abort();
    }

    /** Returns the next payload. */
    JsonNode next() throws InterruptedException {
        JsonNode next = heard.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing came");
        }
        seq = Math.max(seq, next.path("s").asLong());
        return next;
    }

    /** Returns the next payload of an opcode. */
    JsonNode next(int op) throws InterruptedException {
        JsonNode next = next();
        while (next.path("op").asInt() != op) {
            next = next();
        }
        return next;
    }

    /** Returns the content of the next event of a type. */
    JsonNode event(String type) throws InterruptedException {
        JsonNode next = next();
        while (!next.path("t").asText().equals(type)) {
            next = next();
        }
        return next.path("d");
    }

    boolean hearsNothingMore() {
        return heard.isEmpty();
    }

    /** Waits until the server closes, and returns its code. */
    int closed() throws Exception {
        return closed.get(10, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.abort();
        }
        http.shutdownNow();
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Inflater inflater = new Inflater();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                take(text.toString().getBytes(StandardCharsets.UTF_8));
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
            byte[] part = new byte[data.remaining()];
            data.get(part);
            bytes.writeBytes(part);
            if (last) {
                take(inflated());
                bytes.reset();
            }
            from.request(1);
            return null;
        }

        private byte[] inflated() {
            inflater.setInput(bytes.toByteArray());
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[1 << 14];
            try {
                for (int n = inflater.inflate(buffer); n > 0; n = inflater.inflate(buffer)) {
                    out.write(buffer, 0, n);
                }
            } catch (DataFormatException e) {
                throw new IllegalStateException(e);
            }
            return out.toByteArray();
        }

        private void take(byte[] payload) {
            try {
                heard.add(Json.read(payload));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            closed.complete(code);
            return null;
        }
    }
}

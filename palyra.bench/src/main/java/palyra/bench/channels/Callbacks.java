package palyra.bench.channels;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Receives callbacks and tells who waits for one; it keeps those of one conversation waiting. */
final class Callbacks implements AutoCloseable {
    static final String SLOW = "slow";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final long slowMillis;
    private final Map<String, CompletableFuture<Long>> awaited = new ConcurrentHashMap<>();

    /**
     * Opens it.
     *
     * @param slowMillis how long the slow conversation waits for each answer
     */
    Callbacks(long slowMillis) throws IOException {
        this.slowMillis = slowMillis;
        server =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 256);
        server.setExecutor(threads);
        server.createContext("/", this::take);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Returns what completes with {@link System#nanoTime} when a text comes. */
    CompletableFuture<Long> await(String text) {
        return awaited.computeIfAbsent(text, unused -> new CompletableFuture<>());
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode body = JSON.readTree(exchange.getRequestBody());
            if (body.path("conversation").asText().equals(SLOW)) {
                TimeUnit.MILLISECONDS.sleep(slowMillis);
            }
            CompletableFuture<Long> waiting = awaited.remove(body.path("text").asText());
            if (waiting != null) {
                waiting.complete(System.nanoTime());
            }
            exchange.sendResponseHeaders(204, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

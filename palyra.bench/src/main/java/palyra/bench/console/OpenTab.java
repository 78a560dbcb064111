package palyra.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import palyra.bench.models.ReceivedTokens;
import palyra.bench.models.TokenServer;

/** The event stream of a tab, read by a thread of its own. */
final class OpenTab implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_SECONDS = 60;

    private final Socket socket;
    private final ReceivedTokens heard;
    private final CountDownLatch open = new CountDownLatch(1); // or refused
    private volatile String status = "";

    /** Opens it; {@code query} says what the tab shows. */
    OpenTab(Visitor person, String query, ReceivedTokens heard) throws IOException {
        this.heard = heard;
        this.socket = new Socket("127.0.0.1", person.port());
        socket.setTcpNoDelay(true);
        socket.getOutputStream()
                .write(
                        ("GET /console/events"
                                        + query
                                        + " HTTP/1.1\r\nHost: localhost:"
                                        + person.port()
                                        + "\r\nCookie: __Host-palyra="
                                        + person.cookie()
                                        + "\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
        Thread.ofVirtual().name("bench-tab").start(this::read);
    }

    private void read() {
        String event = "";
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            status = String.valueOf(lines.readLine());
            if (!status.contains(" 200 ")) {
                open.countDown();
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    event = line.substring(7);
                    if (event.equals("stream-open")) {
                        open.countDown();
                    }
                } else if (event.equals("run-text") && line.startsWith("data: ")) {
                    JsonNode text = JSON.readTree(line.substring(6));
                    long chars = text.path("offset").asLong() + text.path("text").asText().length();
                    heard.upTo((int) (chars / TokenServer.TOKEN_CHARS));
                }
            }
        } catch (IOException e) {
            // it was closed, or the product went away, which is said next
        }
        heard.failed("the stream ended: " + status);
    }

    /** Waits for the whole answer. */
    ReceivedTokens await() throws IOException, InterruptedException {
        heard.await("a tab");
        return heard;
    }

    void awaitOpen() throws IOException, InterruptedException {
        if (!open.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || !status.contains(" 200 ")) {
            throw new IOException("the stream of a tab did not begin: " + status);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package palyra.bench.models;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server of chat completions that thinks for a while and then sends tokens of one size at a pace,
 * remembering when. Asked for a page, it answers with one that shows its own stream and nothing
 * else. One answer at a time.
 */
public final class TokenServer implements AutoCloseable {
    /** Characters of a token. */
    public static final int TOKEN_CHARS = 8;

    private static final String PAGE =
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Bare</title></head><body>
            <p id="bare"></p>
            <script>
            async function ask() {
                const place = document.getElementById("bare");
                const answer = await fetch("/v1/chat/completions", { method: "POST", body: "{}" });
                const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
                let rest = "";
                for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
                    const lines = (rest + piece.value).split("\\n");
                    rest = lines.pop();
                    for (const line of lines) {
                        if (line.startsWith("data: {")) {
                            place.textContent += JSON.parse(line.slice(6)).choices[0].delta.content ?? "";
                        }
                    }
                }
            }
            </script></body></html>
            """;

    private final ServerSocket listener;
    private final Thread thread;
    private final long thinkNanos;
    private final long paceNanos;
    private final long[] sent;

    /** Begins to serve on a free port of loopback. */
    public TokenServer(int tokens, long thinkMillis, long paceMillis) throws IOException {
        sent = new long[tokens];
        thinkNanos = TimeUnit.MILLISECONDS.toNanos(thinkMillis);
        paceNanos = TimeUnit.MILLISECONDS.toNanos(paceMillis);
        listener = new ServerSocket(0, 16, InetAddress.getByName("127.0.0.1"));
        thread = Thread.ofPlatform().daemon().name("bench-token-server").start(this::listen);
    }

    /** Returns its port. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Returns the address of its page. */
    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Returns the settings with which a product asks it for every answer. */
    public String[] asDefaultProvider() {
        return new String[] {
            "palyra.gateway:defaultProvider=bench",
            "palyra.sandbox.egress:allowPrivate=127.0.0.1:" + port(),
            "palyra.models.openai~bench:baseUrl=" + url()
        };
    }

    /** Returns when a token of the last answer was sent, of {@link System#nanoTime}. */
    public synchronized long sentNanos(int token) {
        return sent[token];
    }

    private synchronized void send(int token) {
        sent[token] = System.nanoTime();
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Thread.ofVirtual().name("bench-token-answer").start(() -> answerAndClose(socket));
            } catch (IOException e) {
                // the end
            }
        }
    }

    /** Browsers connect also without a question, so each connection has its thread. */
    private void answerAndClose(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            answer(socket);
        } catch (IOException e) {
            // the client left
        }
    }

    private void answer(Socket socket) throws IOException {
        BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String asked = in.readLine();
        int length = 0;
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        for (int read = 0; read < length; read++) {
            in.read(); // the request is ASCII
        }
        OutputStream out = socket.getOutputStream();
        if (asked != null && asked.startsWith("GET ")) {
            page(out, asked.startsWith("GET / "));
            return;
        }
        LockSupport.parkNanos(thinkNanos);
        out.write(
                ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding:"
                                + " chunked\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        long next = System.nanoTime();
        for (int token = 0; token < sent.length; token++) {
            while (System.nanoTime() - next < 0) {
                LockSupport.parkNanos(next - System.nanoTime());
            }
            next += paceNanos;
            String text = String.format(Locale.ROOT, "%07d ", token);
            byte[] chunk = chunk("{\"choices\":[{\"delta\":{\"content\":\"" + text + "\"}}]}");
            send(token);
            out.write(chunk);
        }
        out.write(chunk("{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}"));
        out.write(chunk("[DONE]"));
        out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static void page(OutputStream out, boolean known) throws IOException {
        byte[] body = (known ? PAGE : "").getBytes(StandardCharsets.US_ASCII);
        out.write(
                ("HTTP/1.1 "
                                + (known ? "200 OK" : "404 Not Found")
                                + "\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: "
                                + body.length
                                + "\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        out.write(body);
    }

    private static byte[] chunk(String data) {
        String event = "data: " + data + "\n\n";
        return (Integer.toHexString(event.length()) + "\r\n" + event + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        listener.close();
        thread.join(TimeUnit.SECONDS.toMillis(10));
    }
}

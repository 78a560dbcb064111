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
 * remembering when. One answer at a time.
 */
final class TokenServer implements AutoCloseable {
    static final int TOKEN_CHARS = 8;

    private final ServerSocket listener;
    private final Thread thread;
    private final long thinkNanos;
    private final long paceNanos;
    private final long[] sent;

    TokenServer(int tokens, long thinkMillis, long paceMillis) throws IOException {
        sent = new long[tokens];
        thinkNanos = TimeUnit.MILLISECONDS.toNanos(thinkMillis);
        paceNanos = TimeUnit.MILLISECONDS.toNanos(paceMillis);
        listener = new ServerSocket(0, 16, InetAddress.getByName("127.0.0.1"));
        thread = Thread.ofPlatform().daemon().name("bench-token-server").start(this::listen);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Returns when a token of the last answer was sent, of {@link System#nanoTime}. */
    synchronized long sentNanos(int token) {
        return sent[token];
    }

    private synchronized void send(int token) {
        sent[token] = System.nanoTime();
    }

    private void listen() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                socket.setTcpNoDelay(true);
                answer(socket);
            } catch (IOException e) {
                // the client left, or the end
            }
        }
    }

    private void answer(Socket socket) throws IOException {
        BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
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

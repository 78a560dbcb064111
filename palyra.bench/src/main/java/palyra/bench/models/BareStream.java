package palyra.bench.models;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The stream of a model server without anything in between: a socket that reads it. */
public final class BareStream {
    private BareStream() {}

    /** Reads one answer. */
    public static ReceivedTokens read(TokenServer server, int count)
            throws IOException, InterruptedException {
        ReceivedTokens heard = new ReceivedTokens(count);
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream()
                    .write(
                            "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"
                                    .getBytes(StandardCharsets.US_ASCII));
            BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
            int tokens = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains("\"content\"")) {
                    heard.upTo(++tokens);
                }
            }
        }
        heard.await("the socket");
        return heard;
    }
}

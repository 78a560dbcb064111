package palyra.sandbox.tierc.macos.internal.bridge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The head of a proxy request (RFC 9112 sections 2 and 3): read no further than its empty line,
 * checked for the credentials of RFC 7617, and passed on without them.
 */
final class RequestHead {
    /** Largest head in bytes. */
    static final int MOST_BYTES = 32 << 10;

    private static final String CREDENTIALS = "proxy-authorization";

    private final List<String> lines;

    private RequestHead(List<String> lines) {
        this.lines = lines;
    }

    /**
     * Reads a head.
     *
     * @param millis how long it may take, however often a byte arrives
     * @throws IOException when the stream ends or is silent too long before the empty line, the
     *     head is too long, or a line is folded or ends in a bare LF: forms that two readers may
     *     understand differently
     */
    static RequestHead read(InputStream in, long millis) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int end = 0; // how much of CR LF CR LF was seen
        while (end < 4) {
            int next = in.read();
            if (next < 0 || bytes.size() >= MOST_BYTES) {
                throw new IOException("the head of the request is cut or too long");
            }
            if (System.nanoTime() - deadline > 0) {
                throw new SocketTimeoutException("the head of the request takes too long");
            }
            bytes.write(next);
            int wanted = end % 2 == 0 ? '\r' : '\n';
            end = next == wanted ? end + 1 : next == '\r' ? 1 : 0;
        }
        return new RequestHead(lines(bytes.toString(StandardCharsets.ISO_8859_1)));
    }

    private static List<String> lines(String head) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : head.split("\r\n", -1)) {
            if (line.indexOf('\n') >= 0 || line.indexOf('\r') >= 0 || line.indexOf('\0') >= 0) {
                throw new IOException("the head of the request has a stray control character");
            }
            if (line.startsWith(" ") || line.startsWith("\t")) {
                throw new IOException("the head of the request has a folded line");
            }
            if (!line.isEmpty()) {
                lines.add(line);
            }
        }
        if (lines.isEmpty()) {
            throw new IOException("the request has no head");
        }
        return lines;
    }

    /** Returns whether exactly one line holds these credentials; takes the same time for all. */
    boolean holds(String user, String secret) {
        byte[] wanted =
                Base64.getEncoder()
                        .encode((user + ":" + secret).getBytes(StandardCharsets.US_ASCII));
        List<String> given = lines.stream().filter(RequestHead::isCredentials).toList();
        if (given.size() != 1) {
            return false;
        }
        String value = given.get(0).substring(CREDENTIALS.length() + 1).strip();
        int space = value.indexOf(' ');
        return space > 0
                && value.substring(0, space).equalsIgnoreCase("Basic")
                && MessageDigest.isEqual(
                        value.substring(space + 1).strip().getBytes(StandardCharsets.ISO_8859_1),
                        wanted);
    }

    /**
     * Returns the head as bytes, without credentials. A request that is no tunnel asks for the end
     * of the connection after its answer: a second one in it would be passed on unread, with its
     * credentials.
     */
    byte[] withoutCredentials() {
        boolean tunnel = lines.get(0).startsWith("CONNECT ");
        StringBuilder head = new StringBuilder();
        lines.stream()
                .filter(line -> !isCredentials(line) && (tunnel || !isPersistence(line)))
                .forEach(line -> head.append(line).append("\r\n"));
        if (!tunnel) {
            head.append("Connection: close\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean isPersistence(String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        return lower.startsWith("connection:")
                || lower.startsWith("proxy-connection:")
                || lower.startsWith("keep-alive:");
    }

    private static boolean isCredentials(String line) {
        return line.toLowerCase(Locale.ROOT).startsWith(CREDENTIALS + ":");
    }
}

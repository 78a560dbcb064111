package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.zip.GZIPInputStream;
import palyra.api.core.egress.EgressRequest.EgressLimits;

/**
 * The body of a response: decoded, limited in size after decoding, in silence and in time. What has
 * arrived is given at once. Its end, its failure and its closing end the connection. Not
 * thread-safe, except {@link #close}.
 */
final class ResponseBody extends InputStream {
    /** How long an unread body keeps its connection. */
    private static final long ABANDONED_MILLIS = 600_000;

    private final HttpExchange.Response response;
    private final EgressLimits limits;
    private final long endNanos;
    private final boolean gzip;
    private InputStream body;
    private long given;
    private boolean ended;
    private boolean tooLarge;

    ResponseBody(HttpExchange.Response response, EgressLimits limits, long endNanos, boolean gzip) {
        this.response = response;
        this.limits = limits;
        this.endNanos = endNanos;
        this.gzip = gzip;
        rest();
    }

    private void rest() {
        response.timer()
                .within(
                        Deadline.millis(ABANDONED_MILLIS, endNanos),
                        "the total timeout was" + " reached");
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0 || ended) {
            return length == 0 ? 0 : -1;
        }
        response.timer()
                .within(
                        Deadline.millis(limits.idleMillis(), endNanos),
                        "no more data arrived before the timeout");
        try {
            return countRefusal(into, offset, length);
        } catch (IOException e) {
            throw failed(e);
        } finally {
            rest();
        }
    }

    private int countRefusal(byte[] into, int offset, int length) throws IOException {
        long left = limits.maxBytes() - given;
        byte[] target = left > 0 ? into : new byte[1];
        int got =
                decoded()
                        .read(
                                target,
                                left > 0 ? offset : 0,
                                (int) Math.min(length, Math.max(1, left)));
        if (got < 0) {
            ended = true;
            response.close();
            return -1;
        }
        if (left <= 0) {
            tooLarge = true;
            response.connection().cut("the response is larger than requested");
            throw new IOException(
                    "The response of "
                            + response.connection().request().hostAndPort()
                            + " is larger than the "
                            + limits.maxBytes()
                            + " bytes that were requested.");
        }
        given += got;
        return got;
    }

    /** The beginning of a compressed body may come late, so it is read when it is needed. */
    private InputStream decoded() throws IOException {
        if (body == null) {
            InputStream framed = response.framing().body(response.in());
            body = gzip ? new GZIPInputStream(framed, 8_192) : framed;
        }
        return body;
    }

    private IOException failed(IOException e) {
        String place = response.connection().request().hostAndPort();
        IOException why = e;
        if (Thread.currentThread().isInterrupted()) {
            why = new InterruptedIOException("Reading from " + place + " was interrupted.");
        } else if (!tooLarge && response.connection().broken().isPresent()) {
            why =
                    new IOException(
                            "The connection to "
                                    + place
                                    + " was cut: "
                                    + response.connection().broken().get()
                                    + ".",
                            e);
        }
        response.connection().fail(String.valueOf(why.getMessage()));
        response.timer().close();
        return why;
    }

    @Override
    public void close() {
        response.close();
    }
}

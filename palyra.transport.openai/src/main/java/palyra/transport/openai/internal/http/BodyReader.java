package palyra.transport.openai.internal.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import palyra.transport.openai.internal.OpenAiSettings;

/** Reads bodies within bounds of bytes and time. */
public final class BodyReader {
    private static final int PIECE = 8_192;

    private BodyReader() {}

    /** Returns a body. A client that sends nothing at all is cut off by the HTTP server. */
    public static byte[] read(HttpServletRequest request, OpenAiSettings.Bounds bounds) {
        requireFits(request.getContentLengthLong(), bounds);
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(bounds.bodySeconds());
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        byte[] some = new byte[PIECE];
        try {
            InputStream in = request.getInputStream();
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                body.write(some, 0, read);
                requireFits(body.size(), bounds);
                if (System.nanoTime() - endNanos > 0) {
                    throw slow(bounds);
                }
            }
            return body.toByteArray();
        } catch (IOException e) {
            throw slow(bounds);
        }
    }

    private static void requireFits(long bytes, OpenAiSettings.Bounds bounds) {
        if (bytes > bounds.bodyBytes()) {
            throw new RefusedException(
                    413,
                    "invalid_request_error",
                    "request_too_large",
                    "",
                    "The body is larger than "
                            + bounds.bodyBytes()
                            + " bytes; send fewer earlier messages, or raise bodyBytes of"
                            + " palyra.transport.openai.",
                    Map.of("Connection", "close")); // the rest is still on its way
        }
    }

    private static RefusedException slow(OpenAiSettings.Bounds bounds) {
        return new RefusedException(
                408,
                "invalid_request_error",
                "request_timeout",
                "",
                "The body did not arrive within " + bounds.bodySeconds() + " seconds.",
                Map.of("Connection", "close"));
    }
}

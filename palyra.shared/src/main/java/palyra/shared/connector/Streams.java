package palyra.shared.connector;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** What connectors do with contents of files. Stateless. */
public final class Streams {
    private static final int BUFFER_BYTES = 16_384;

    private Streams() {}

    /**
     * Copies a content of at most so many bytes, counted as they come.
     *
     * @throws PalyraException RESOURCE_EXHAUSTED when there are more; at most {@code most} of them
     *     were written then
     */
    public static void copy(InputStream from, OutputStream to, long most) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long left = most;
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            if (read > left) {
                throw new PalyraException(
                        ErrorCode.RESOURCE_EXHAUSTED,
                        "The file has more than "
                                + most
                                + " bytes, which is the most that is fetched.");
            }
            to.write(buffer, 0, read);
            left -= read;
        }
    }
}

package palyra.api.core.egress;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A connection that is open until it is closed or cut. One thread may read while another writes;
 * every other method may be called by any thread. Interrupting a thread that reads or writes cuts
 * the connection.
 */
@ProviderType
public interface EgressConnection extends AutoCloseable {
    /**
     * Returns what the server sends: always the same stream, which has no buffer. At the end of
     * what the server sends it returns -1; when the connection was closed or cut it throws an
     * {@code IOException} that says why. Closing it closes the connection.
     */
    InputStream in();

    /**
     * Returns what the server gets: always the same stream, which has no buffer; give it whole
     * messages. Closing it tells the server that nothing more comes; reading goes on.
     */
    OutputStream out();

    /**
     * Goes on with TLS, for a request with {@link EgressTunnelRequest.Security#STARTTLS}; the
     * certificate must name the host. Only when the server said that it is ready, and from the
     * thread that reads. What was sent in clear after that answer is not taken: read it up to its
     * last byte, without a buffer that reads ahead.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when the request asked for something
     *     else, or it was done before; TOOL_UNAVAILABLE and TIMED_OUT, and then it is closed
     */
    void upgrade();

    /** Returns the IP address that is connected to. */
    String address();

    /** Returns the application protocol that the server chose; empty when it chose none. */
    String applicationProtocol();

    /** Returns why it is over, one sentence without its full stop; empty while it is open. */
    Optional<String> closed();

    /**
     * Closes it at once, also while other threads read and write, whose calls then fail. May be
     * called again.
     */
    @Override
    void close();
}

package palyra.shared.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.Closeable;
import java.util.function.Consumer;

/**
 * Tells the server's connection limits whether a request had an accepted credential: a connection
 * counts as authenticated while its last request had one.
 */
public final class ConnectionCredential {
    /**
     * Attribute of a request whose connection is limited: a {@code Consumer<String>} that takes the
     * id of the accepted credential, or an empty text, and a {@code Closeable}. Absent while the
     * connection closes.
     */
    public static final String ATTRIBUTE = "palyra.connection.credential";

    private ConnectionCredential() {}

    /**
     * Records a request.
     *
     * @param credential id of its accepted credential; empty when it has none
     * @throws palyra.api.PalyraException RESOURCE_EXHAUSTED when the credential has too many
     *     connections, or all connections are busy
     */
    @SuppressWarnings("unchecked") // set by the connection limits alone
    public static void record(HttpServletRequest request, String credential) {
        if (request.getAttribute(ATTRIBUTE) instanceof Consumer<?> connection) {
            ((Consumer<String>) connection).accept(credential);
        }
    }

    /** Returns what closes the connection of a request, whatever is being written to it. */
    public static Closeable connection(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Closeable connection
                ? connection
                : () -> {};
    }
}

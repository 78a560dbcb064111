package palyra.api.core.egress;

import java.io.IOException;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.Require;

/**
 * A WebSocket that is open. One thread at a time receives; every other method may be called by any
 * thread, and messages of several threads go one after the other. Pings of the server are answered
 * within {@link #receive}, so call it again and again. Interrupting a thread that is in one of the
 * methods cuts the connection.
 */
@ProviderType
public interface WebSocketConnection extends AutoCloseable {
    /**
     * Waits for the next message. {@link Message.Closed} is the last one: the connection is over
     * then.
     *
     * @throws IOException saying why, when the connection broke, was closed or cut, ended without a
     *     closing handshake, or the server broke the protocol or sent a message that is too large;
     *     the connection is over then
     */
    Message receive() throws IOException;

    /**
     * Sends a text.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when it has half a character
     * @throws IOException saying why, when it cannot be sent or {@link #close(int, String)} was
     *     called
     */
    void sendText(String text) throws IOException;

    /** Sends bytes. IOException as {@link #sendText}. */
    void sendBinary(byte[] bytes) throws IOException;

    /** Sends a ping, of at most 125 bytes; its answer counts as a sign of life and is not given. */
    void ping(byte[] bytes) throws IOException;

    /**
     * Begins the closing handshake: nothing more can be sent, and {@link #receive} gives what still
     * comes, up to the server's own {@code Closed}. After five seconds the connection is cut. Does
     * nothing when it was called before.
     *
     * @param code 1000, 1001, 1003, 1007 to 1011, or 3000 to 4999
     * @param reason at most 123 bytes of UTF-8
     * @throws palyra.api.PalyraException INVALID_ARGUMENT for another code or a longer reason
     */
    void close(int code, String reason) throws IOException;

    /** Returns the IP address that is connected to. */
    String address();

    /** Returns the subprotocol that the server chose; empty when it chose none. */
    String protocol();

    /** Returns why it is over, one sentence without its full stop; empty while it is open. */
    Optional<String> closed();

    /**
     * Closes it, also while other threads send and receive, whose calls then fail: at once, or
     * within five seconds when the server takes nothing any more. The server is told (code 1000)
     * unless something is being sent just now. May be called again.
     */
    @Override
    void close();

    /** What a server sends. */
    sealed interface Message {
        /** A text. */
        record Text(String text) implements Message {
            /** Checks. */
            public Text {
                Require.present(text, "text of a message");
            }
        }

        /** Bytes. */
        record Binary(byte[] bytes) implements Message {
            /** Copies. */
            public Binary {
                bytes = bytes.clone();
            }

            @Override
            public byte[] bytes() {
                return bytes.clone();
            }
        }

        /**
         * The end in order.
         *
         * @param code the server's status code (RFC 6455, section 7.4); 1005 when it gave none
         * @param reason the server's reason, at most 123 bytes; may be empty. It is the server's
         *     text: nothing to be believed
         */
        record Closed(int code, String reason) implements Message {
            /** Checks. */
            public Closed {
                reason = Require.orEmpty(reason);
            }
        }
    }
}

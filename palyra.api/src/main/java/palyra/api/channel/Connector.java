package palyra.api.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * One account on a chat platform. Register it as a service; the gateway starts it, hands it what is
 * to be sent, one message of a conversation at a time, and stops it before the service goes.
 *
 * <p>A connector keeps no list of what is to be sent, and sends nothing that was not handed to
 * {@link #send}. It needs no store: what it has to remember goes to {@link
 * ConnectorContext#accept(InboundMessage, byte[])} or {@link ConnectorContext#keepPosition}.
 */
@ConsumerType
public interface Connector {
    /** Returns which connector it is; always the same. */
    ConnectorId id();

    /** Returns what the platform can do; always the same. */
    ConnectorCapabilities capabilities();

    /**
     * Begins to connect and returns at once: connecting goes on in threads of the connector's own.
     * Called once between two calls of {@link #stop}.
     */
    void start(ConnectorContext context);

    /**
     * Ends connections and threads; returns when no thread of the connector calls the context any
     * more, within 5 seconds.
     */
    void stop();

    /** Returns how it is doing. Must not block. */
    ConnectorStatus status();

    /**
     * Sends a message and returns what became of it, within 30 seconds. Called by several threads
     * at a time, for different conversations. An exception counts as {@link Delivery.Unknown}. A
     * thread whose message is not waited for any longer is interrupted before {@link #stop}.
     */
    Delivery send(OutboundMessage message);

    /**
     * Finds out what became of a message that was handed to {@link #send}, in this life or an
     * earlier one: {@link Delivery.Delivered} when the platform has it, {@link Delivery.RetryAfter}
     * when it surely does not, {@link Delivery.Unknown} when the platform cannot tell now; it is
     * then asked again. Called with {@link ConnectorCapabilities.Feature#LOOKUP} alone.
     */
    default Delivery lookup(OutboundMessage message) {
        return new Delivery.Unknown(id() + " cannot find out what arrived");
    }

    /**
     * Returns the id of the thread that an answer to a message of a group can begin; empty where no
     * thread can begin. The id is known before the thread exists, and is the same at each call. The
     * first message that is sent to this thread begins it, with the name of its {@link
     * Conversation}; beginning it twice makes one thread. Must not block.
     */
    default String threadOf(InboundMessage message) {
        return "";
    }

    /**
     * Shows in a conversation that an answer is being made, once. Called with {@link
     * ConnectorCapabilities.Feature#TYPING} alone, for one conversation at a time, while a run
     * works and nothing is sent there. Best effort: it waits for no limit of the platform's and
     * returns within 5 seconds. An exception says that it was not shown, and another attempt may
     * succeed. A thread that is in it is interrupted before {@link #stop}.
     *
     * @return after how many milliseconds to call again, which is before the platform takes it away
     *     by itself, or as late as the platform wants; 0 for never again in this run
     */
    default long typing(Conversation conversation) {
        return 0;
    }

    /**
     * Writes the content of a file that was attached to a message, within 30 seconds. Called with
     * {@link ConnectorCapabilities.Feature#FILES_IN} alone, by several threads at a time; a thread
     * whose file is not waited for any longer is interrupted. What was written before an exception
     * is thrown away.
     *
     * @param file as the connector handed it in, in this life or an earlier one
     * @param out takes the content; left open
     * @param maxBytes most bytes that are wanted, whatever the platform says about the size; no
     *     more are written
     * @throws palyra.api.PalyraException NOT_FOUND when the platform does not have it any more,
     *     RESOURCE_EXHAUSTED when it has more bytes, TIMED_OUT, DENIED, TOOL_UNAVAILABLE
     * @throws IOException when {@code out} takes nothing, or the connection breaks off
     */
    default void fetch(InboundMessage.Attachment file, OutputStream out, long maxBytes)
            throws IOException {
        throw new PalyraException(ErrorCode.TOOL_UNAVAILABLE, id() + " cannot fetch files.");
    }

    /**
     * Cuts an answer into texts of messages, each of at most {@link
     * ConnectorCapabilities#maxCharacters} as people read it, in the form that the platform takes.
     * Called once for an answer: what it returns is kept. Must not block.
     *
     * @param markdown CommonMark as models write it; never empty
     * @return at least one text, none of them empty
     */
    default List<String> render(String markdown) {
        return MarkdownParts.cut(markdown, capabilities().maxCharacters());
    }
}

package palyra.testing.channel;

import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.channel.Connector;
import palyra.api.channel.Conversation;

/**
 * A platform of the author's own for the tests of a connector: a local server that speaks the
 * platform's protocol, or a folder, or what else the connector connects to. It outlives connectors:
 * one that starts later finds what an earlier one did not confirm. The methods are called by the
 * contract's thread unless they say otherwise; the platform itself may have threads.
 */
public interface ConnectorFixture extends AutoCloseable {
    /**
     * Returns a new connector to this platform, as after its activation: in each call for the same
     * account.
     */
    Connector connector();

    /**
     * Returns the secrets that the connector asks its context for: {@code vault:SCOPE/NAME}, value.
     */
    default Map<String, String> secrets() {
        return Map.of();
    }

    /**
     * Lets a person write to the connector's account, in a conversation of their own.
     *
     * @param person name of lower-case letters; each name is a conversation
     * @param text plain words; what is written earlier is earlier on the platform
     */
    void write(String person, String text);

    /**
     * Returns whether the platform counts a message as taken, so that it would not bring it to a
     * connector that starts later. Called by threads of the connector too. A platform that takes no
     * confirmations, but lets connectors read from a position of theirs, returns false.
     *
     * @param text text of a message that was written once
     */
    boolean isConfirmed(String text);

    /**
     * Returns the messages of a conversation that came from the connector, as people see them now.
     */
    List<String> posted(Conversation conversation);

    /** Cuts all connections, and lets none be made until {@link #mendConnection}. */
    void breakConnection();

    /** Lets connections be made again. */
    void mendConnection();

    /** Returns what {@link #fail} can do on this platform: what can happen there, no less. */
    Set<SendFault> faults();

    /** Lets something happen to each message that the connector sends, until {@link #recover}. */
    void fail(SendFault fault);

    /** Lets messages arrive as usual again. */
    void recover();

    /** Returns whether a message waits in {@link SendFault#STALLED} at the moment. */
    default boolean isStalled() {
        return false;
    }

    /** Returns the data of the buttons below the last message of a conversation. */
    default List<String> buttons(Conversation conversation) {
        return List.of();
    }

    /** Lets the person of a conversation press a button of its last message. */
    default void press(Conversation conversation, String data) {
        throw new UnsupportedOperationException("this platform has no buttons");
    }

    /**
     * Returns the account's reactions to the last message that a person wrote, as people see it.
     */
    default List<String> reactions(Conversation conversation) {
        throw new UnsupportedOperationException("this platform has no reactions");
    }

    /** Returns how many times the account was shown to write in a conversation. */
    default int typing(Conversation conversation) {
        throw new UnsupportedOperationException("this platform does not show who writes");
    }

    /** Lets a person write, as {@link #write} does, and attach a file. */
    default void attach(String person, String text, String name, byte[] content) {
        throw new UnsupportedOperationException("no files come from this platform");
    }

    /** Returns the files of the last message of a conversation, by their names. */
    default Map<String, byte[]> files(Conversation conversation) {
        throw new UnsupportedOperationException("no files are sent to this platform");
    }

    /** Returns whether a thread of a name is one of the platform, which outlives the connector. */
    default boolean isThreadOfPlatform(String name) {
        return false;
    }

    /** Ends the platform. */
    @Override
    void close() throws Exception;
}

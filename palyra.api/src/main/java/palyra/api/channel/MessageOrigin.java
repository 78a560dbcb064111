package palyra.api.channel;

import palyra.api.Require;

/**
 * Where on a chat platform a message came from, and so where its answer goes.
 *
 * @param conversation where it was written
 * @param sender who wrote it
 * @param messageId the platform's id of it; empty when the answer is not to quote it
 * @param responsePrefix what its answer begins with; may be empty; at most 256 characters
 * @param revision which change of the message it is: {@link InboundMessage#revision}; empty when it
 *     is as it was written first
 */
public record MessageOrigin(
        Conversation conversation,
        Sender sender,
        String messageId,
        String responsePrefix,
        String revision) {
    /** Checks. */
    public MessageOrigin {
        Require.present(conversation, "conversation");
        Require.present(sender, "sender");
        messageId = Require.orEmpty(messageId);
        responsePrefix =
                Require.atMost(Require.orEmpty(responsePrefix), 256, "prefix of an answer");
        revision = Require.orEmpty(revision);
    }

    /** Creates one of a message as it was written first. */
    public MessageOrigin(
            Conversation conversation, Sender sender, String messageId, String responsePrefix) {
        this(conversation, sender, messageId, responsePrefix, "");
    }

    /**
     * Returns what tells conversations of a connector apart: messages with the same key keep their
     * order.
     */
    public static String orderKey(Conversation conversation) {
        return conversation.thread().isEmpty()
                ? conversation.id()
                : conversation.id() + " " + conversation.thread();
    }
}

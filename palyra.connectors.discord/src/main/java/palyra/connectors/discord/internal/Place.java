package palyra.connectors.discord.internal;

import palyra.api.channel.Conversation;

/**
 * Where something happens on Discord.
 *
 * @param channel id of the channel, or of the thread
 * @param parent id of the channel that a thread belongs to; empty for a channel
 * @param direct whether it is a direct conversation
 * @param name display name; may be empty
 */
record Place(String channel, String parent, boolean direct, String name) {
    /** Returns the same as the gateway names it. */
    Conversation conversation() {
        return parent.isEmpty()
                ? new Conversation(channel, "", direct, name)
                : new Conversation(parent, channel, direct, name);
    }

    /** Returns the channel that is written to. */
    static String channel(Conversation conversation) {
        return conversation.thread().isEmpty() ? conversation.id() : conversation.thread();
    }

    /**
     * Returns the channel that has a message of a conversation: the one that began a thread is not
     * in it, and has its id.
     */
    static String channelOf(Conversation conversation, String message) {
        return message.equals(conversation.thread()) ? conversation.id() : channel(conversation);
    }
}

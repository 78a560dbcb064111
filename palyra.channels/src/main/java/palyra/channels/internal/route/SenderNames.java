package palyra.channels.internal.route;

import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.Sender;
import palyra.shared.hash.Digests;

/** Names of those on whose behalf runs of chat platforms work. Pure. */
public final class SenderNames {
    private static final int LONGEST = 128;

    private SenderNames() {}

    /** Returns the principal of a connector itself: {@code service:KIND:ACCOUNT}. */
    public static String connector(ConnectorId id) {
        return "service:" + id;
    }

    /** Returns the principal of a sender: {@code user:KIND:ACCOUNT:ID}. */
    public static String sender(ConnectorId id, Sender sender) {
        return usable("user:" + id + ":", sender.id());
    }

    /**
     * Returns the principal of a conversation in which everyone shares a session: {@code
     * service:KIND:ACCOUNT:in:ID}. A run there acts for no single sender, since each of them can
     * steer it.
     */
    public static String conversation(ConnectorId id, Conversation conversation) {
        return usable("service:" + id + ":in:", conversation.id());
    }

    /** Ids with other characters, or too long ones, are told by their digest. */
    private static String usable(String prefix, String id) {
        String whole = prefix + id;
        return whole.length() <= LONGEST && id.matches("[A-Za-z0-9._:@-]+")
                ? whole
                : prefix + "sha256-" + Digests.sha256Hex(id).substring(0, 32);
    }
}

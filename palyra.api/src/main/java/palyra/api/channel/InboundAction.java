package palyra.api.channel;

import palyra.api.Require;

/**
 * A button that someone pressed.
 *
 * @param data {@link OutboundMessage.Button#data} of the button
 * @param sender who pressed it; acts with the rights of this account alone
 * @param conversation where
 */
public record InboundAction(String data, Sender sender, Conversation conversation) {
    /** Checks. */
    public InboundAction {
        Require.text(data, "data of a button");
        Require.atMost(data, OutboundMessage.MAX_DATA, "data of a button");
        Require.present(sender, "sender");
        Require.present(conversation, "conversation");
    }
}

package palyra.api.channel;

import java.util.List;
import palyra.api.Require;

/**
 * One message to be sent, or one change of a message that was sent.
 *
 * @param key names this message for good: the same in each attempt, and different for each part of
 *     an answer. 25 characters of {@code [A-Za-z0-9_-]} at most; give it to the platform as nonce
 *     where it takes one
 * @param conversation where to
 * @param replyTo platform's id of the message that it answers; empty for none
 * @param editOf platform's id of the message that it replaces; empty for a new one. Only with
 *     {@link ConnectorCapabilities.Feature#EDITS}
 * @param text in the form that {@link Connector#render} gave it
 * @param buttons buttons below it, in order; only with {@link
 *     ConnectorCapabilities.Feature#BUTTONS}. An edit without buttons removes them
 */
public record OutboundMessage(
        String key,
        Conversation conversation,
        String replyTo,
        String editOf,
        String text,
        List<Button> buttons) {
    /** Longest data of a button, which is what the narrowest platform takes, in bytes. */
    public static final int MAX_DATA = 64;

    /**
     * A button.
     *
     * @param data what comes back in {@link InboundAction}: ASCII, at most {@link #MAX_DATA}
     *     characters
     * @param label what people read; at most 64 characters
     * @param dangerous whether it allows what cannot be undone
     */
    public record Button(String data, String label, boolean dangerous) {
        /** Checks. */
        public Button {
            Require.that(
                    data != null && data.matches("[!-~]{1," + MAX_DATA + "}"),
                    "data of a button '" + data + "' is not usable: 1 to 64 ASCII characters");
            Require.text(label, "label of a button");
            Require.atMost(label, 64, "label of a button");
        }
    }

    /** Checks and copies. */
    public OutboundMessage {
        Require.that(
                key != null && key.matches("[A-Za-z0-9_-]{1,25}"),
                "key of a message '"
                        + key
                        + "' is not usable: 1 to 25 of letters, digits, _ and -");
        Require.present(conversation, "conversation");
        replyTo = Require.orEmpty(replyTo);
        editOf = Require.orEmpty(editOf);
        Require.text(text, "text of a message");
        buttons = List.copyOf(buttons);
    }
}

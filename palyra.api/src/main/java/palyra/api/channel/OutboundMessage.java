package palyra.api.channel;

import java.nio.charset.StandardCharsets;
import java.util.List;
import palyra.api.Require;

/**
 * One message to be sent, one change of a message that was sent, or one reaction to a message.
 *
 * @param key names this message for good: the same in each attempt, and different for each part of
 *     an answer. 25 characters of {@code [A-Za-z0-9_-]} at most; give it to the platform as nonce
 *     where it takes one
 * @param conversation where to
 * @param replyTo platform's id of the message that it answers; empty for none
 * @param editOf platform's id of the message that it replaces; empty for a new one. Only with
 *     {@link ConnectorCapabilities.Feature#EDITS}
 * @param reactionTo platform's id of the message to which {@code text} is the account's reaction;
 *     empty for a message. Only with {@link ConnectorCapabilities.Feature#REACTIONS}. The same
 *     reaction to the same message, sent again, is one reaction
 * @param text in the form that {@link Connector#render} gave it; of a reaction one emoji, or the
 *     platform's name of one: at most {@link #MAX_REACTION} bytes of UTF-8
 * @param buttons buttons below it, in order; only with {@link
 *     ConnectorCapabilities.Feature#BUTTONS}. An edit without buttons removes them
 */
public record OutboundMessage(
        String key,
        Conversation conversation,
        String replyTo,
        String editOf,
        String reactionTo,
        String text,
        List<Button> buttons) {
    /** Longest reaction in bytes of UTF-8. */
    public static final int MAX_REACTION = 64;

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
        reactionTo = Require.orEmpty(reactionTo);
        Require.text(text, "text of a message");
        buttons = List.copyOf(buttons);
        if (!reactionTo.isEmpty()) {
            requireReaction(text);
            Require.that(
                    editOf.isEmpty() && replyTo.isEmpty() && buttons.isEmpty(),
                    "a reaction changes and answers no message and has no buttons");
        }
    }

    /** Creates a message, or a change of one. */
    public OutboundMessage(
            String key,
            Conversation conversation,
            String replyTo,
            String editOf,
            String text,
            List<Button> buttons) {
        this(key, conversation, replyTo, editOf, "", text, buttons);
    }

    /** Returns a reaction to a message of a conversation. */
    public static OutboundMessage reaction(
            String key, Conversation conversation, String reactionTo, String text) {
        Require.text(reactionTo, "id of the message that is reacted to");
        return new OutboundMessage(key, conversation, "", "", reactionTo, text, List.of());
    }

    /** Refuses what cannot be a reaction. INVALID_ARGUMENT. */
    public static void requireReaction(String text) {
        Require.text(text, "reaction");
        Require.that(
                text.getBytes(StandardCharsets.UTF_8).length <= MAX_REACTION
                        && text.codePoints()
                                .noneMatch(
                                        c ->
                                                Character.isWhitespace(c)
                                                        || Character.isISOControl(c)),
                "reaction '"
                        + text.substring(0, Math.min(text.length(), MAX_REACTION))
                        + "' is not usable: one emoji, or the platform's name of one, of at most "
                        + MAX_REACTION
                        + " bytes without spaces");
    }
}

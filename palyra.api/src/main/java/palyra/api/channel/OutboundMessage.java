package palyra.api.channel;

import java.io.IOException;
import java.io.InputStream;
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
 * @param text in the form that {@link Connector#render} gave it, empty for files alone; of a
 *     reaction one emoji, or the platform's name of one: at most {@link #MAX_REACTION} bytes of
 *     UTF-8
 * @param buttons buttons below it, in order; only with {@link
 *     ConnectorCapabilities.Feature#BUTTONS}. An edit without buttons removes them
 * @param files files that it carries, in order, at most {@link #MAX_FILES}; only of a new message
 *     and with {@link ConnectorCapabilities.Feature#FILES_OUT}. They arrive with the text or not at
 *     all, and the key is that of both
 */
public record OutboundMessage(
        String key,
        Conversation conversation,
        String replyTo,
        String editOf,
        String reactionTo,
        String text,
        List<Button> buttons,
        List<File> files) {
    /** Most files of a message. */
    public static final int MAX_FILES = 10;

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

    /**
     * A file to be sent.
     *
     * @param name file name without a folder; at most 128 characters
     * @param mediaType media type, such as {@code application/pdf}
     * @param bytes size of the content in bytes
     * @param content the content, the same each time; may be opened by any thread
     */
    public record File(String name, String mediaType, long bytes, Content content) {
        /** What opens the content of a file. */
        @FunctionalInterface
        public interface Content {
            /** Opens it from its beginning; the caller closes the stream. */
            InputStream open() throws IOException;
        }

        /** Checks. */
        public File {
            Require.text(name, "name of a file");
            Require.atMost(name, 128, "name of a file");
            Require.that(
                    name.chars().noneMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c)),
                    "name of a file '" + name + "' is not usable: leave folders and controls out");
            Require.text(mediaType, "media type of a file");
            Require.that(bytes >= 0, "a file has at least 0 bytes, not " + bytes);
            Require.present(content, "content of a file");
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
        buttons = List.copyOf(buttons);
        files = List.copyOf(files);
        text = Require.orEmpty(text);
        if (files.isEmpty()) {
            Require.text(text, "text of a message");
        }
        Require.that(
                files.size() <= MAX_FILES && (files.isEmpty() || (editOf + reactionTo).isEmpty()),
                "a new message has at most " + MAX_FILES + " files, a change or reaction none");
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
        this(key, conversation, replyTo, editOf, "", text, buttons, List.of());
    }

    /** Creates a message without files, a change of one, or a reaction to one. */
    public OutboundMessage(
            String key,
            Conversation conversation,
            String replyTo,
            String editOf,
            String reactionTo,
            String text,
            List<Button> buttons) {
        this(key, conversation, replyTo, editOf, reactionTo, text, buttons, List.of());
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

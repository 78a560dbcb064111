package palyra.api.channel;

import java.util.List;
import java.util.Set;
import palyra.api.Require;

/**
 * What was written on a platform.
 *
 * @param event what happened
 * @param messageId the platform's id of the message: 1 to 96 printable ASCII characters without a
 *     space, unique within the account. With {@code revision} it tells whether an event was seen
 *     before
 * @param revision for EDITED and DELETED: what tells this change from others of the message, such
 *     as the time of the edit; at most 32 such characters. Empty for WRITTEN
 * @param sender who wrote it
 * @param conversation where
 * @param replyTo id of the message that it answers; empty for none
 * @param text what was written, as plain text; empty for DELETED, and for a message of attachments
 *     alone
 * @param mentionsAccount whether it addresses the connector's own account, by a mention or as a
 *     reply to one of its messages
 * @param mentions ids of the other accounts that it mentions
 * @param attachments files that came with it
 * @param sentAtMillis unix time in milliseconds, by the platform's clock
 * @param broadcast whether it addresses everyone
 */
public record InboundMessage(
        Event event,
        String messageId,
        String revision,
        Sender sender,
        Conversation conversation,
        String replyTo,
        String text,
        boolean mentionsAccount,
        Set<String> mentions,
        List<Attachment> attachments,
        long sentAtMillis,
        Broadcast broadcast) {
    /** Whether a message addresses everyone in a conversation. A later version may add some. */
    public enum Broadcast {
        /** The platform does not tell: words such as {@code @everyone} in the text decide. */
        BY_TEXT,
        /** It notifies everyone, whatever its text says. */
        YES,
        /** It notifies no one but whom it names, whatever its text says. */
        NO
    }

    /** What happened to a message. */
    public enum Event {
        /** It was written. */
        WRITTEN,
        /** Its text was changed: it counts as written so while its run has not begun. */
        EDITED,
        /** It was taken back: it is withdrawn while its run has not begun. */
        DELETED
    }

    /**
     * A file on the platform.
     *
     * @param name file name as the platform says; may be anything
     * @param mediaType media type as the platform says; may be empty
     * @param bytes size in bytes as the platform says; -1 when it does not
     * @param reference by what the connector finds it again; at most 2,048 characters
     */
    public record Attachment(String name, String mediaType, long bytes, String reference) {
        /** Checks. */
        public Attachment {
            name = Require.atMost(Require.orEmpty(name), 512, "name of an attachment");
            mediaType = Require.atMost(Require.orEmpty(mediaType), 128, "media type");
            reference =
                    Require.atMost(Require.orEmpty(reference), 2_048, "reference of an attachment");
        }
    }

    /** Longest text in characters. */
    public static final int MAX_TEXT = 65_536;

    private static final int MOST = 64;

    /** Checks and copies. */
    public InboundMessage {
        Require.present(event, "event");
        Require.that(
                messageId != null && messageId.matches("[!-~]{1,96}"),
                "id of a message '"
                        + messageId
                        + "' is not usable: 1 to 96 printable ASCII characters without a space");
        revision = Require.orEmpty(revision);
        Require.that(
                revision.matches("[!-~]{0,32}") && revision.isEmpty() == (event == Event.WRITTEN),
                "revision '" + revision + "' of a message that was " + event + " is not usable");
        Require.present(broadcast, "broadcast");
        Require.present(sender, "sender");
        Require.present(conversation, "conversation");
        replyTo = Require.atMost(Require.orEmpty(replyTo), 96, "id of the answered message");
        text = Require.atMost(Require.orEmpty(text), MAX_TEXT, "text of a message");
        mentions = Set.copyOf(mentions);
        attachments = List.copyOf(attachments);
        Require.that(
                mentions.size() <= MOST && attachments.size() <= MOST,
                "a message has at most " + MOST + " mentions and " + MOST + " attachments");
    }

    /** Creates one whose text tells whether it addresses everyone. */
    public InboundMessage(
            Event event,
            String messageId,
            String revision,
            Sender sender,
            Conversation conversation,
            String replyTo,
            String text,
            boolean mentionsAccount,
            Set<String> mentions,
            List<Attachment> attachments,
            long sentAtMillis) {
        this(
                event,
                messageId,
                revision,
                sender,
                conversation,
                replyTo,
                text,
                mentionsAccount,
                mentions,
                attachments,
                sentAtMillis,
                Broadcast.BY_TEXT);
    }

    /** Returns a written message without the rarer members. */
    public static InboundMessage written(
            String messageId,
            Sender sender,
            Conversation conversation,
            String text,
            boolean mentionsAccount,
            long sentAtMillis) {
        return new InboundMessage(
                Event.WRITTEN,
                messageId,
                "",
                sender,
                conversation,
                "",
                text,
                mentionsAccount,
                Set.of(),
                List.of(),
                sentAtMillis);
    }

    /** Returns the same whose attachments cannot be fetched. */
    public InboundMessage withoutReferences() {
        return new InboundMessage(
                event,
                messageId,
                revision,
                sender,
                conversation,
                replyTo,
                text,
                mentionsAccount,
                mentions,
                attachments.stream()
                        .map(
                                file ->
                                        new Attachment(
                                                file.name(), file.mediaType(), file.bytes(), ""))
                        .toList(),
                sentAtMillis,
                broadcast);
    }
}

package palyra.api.channel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import palyra.api.Require;
import palyra.api.channel.InboundMessage.Attachment;

/**
 * Where on a chat platform a message came from, and so where its answer goes.
 *
 * @param conversation where it was written
 * @param sender who wrote it
 * @param messageId the platform's id of it; empty when the answer is not to quote it
 * @param responsePrefix what its answer begins with; may be empty; at most 256 characters
 * @param revision which change of the message it is: {@link InboundMessage#revision}; empty when it
 *     is as it was written first
 * @param files files that came with it and can be fetched, in order; together at most {@link
 *     #MAX_FILES_BYTES}. Null counts as none
 */
public record MessageOrigin(
        Conversation conversation,
        Sender sender,
        String messageId,
        String responsePrefix,
        String revision,
        List<Attachment> files) {
    /** Most bytes of UTF-8 of what is kept about the files of a message. */
    public static final int MAX_FILES_BYTES = 16_384;

    /** Checks and copies. */
    public MessageOrigin {
        Require.present(conversation, "conversation");
        Require.present(sender, "sender");
        messageId = Require.orEmpty(messageId);
        responsePrefix =
                Require.atMost(Require.orEmpty(responsePrefix), 256, "prefix of an answer");
        revision = Require.orEmpty(revision);
        files = files == null ? List.of() : List.copyOf(files);
        int bytes = files.stream().mapToInt(MessageOrigin::bytes).sum();
        Require.that(
                bytes <= MAX_FILES_BYTES,
                "the files of a message are described in "
                        + bytes
                        + " bytes; at most "
                        + MAX_FILES_BYTES
                        + " are kept");
    }

    /** Creates one of a message without files. */
    public MessageOrigin(
            Conversation conversation,
            Sender sender,
            String messageId,
            String responsePrefix,
            String revision) {
        this(conversation, sender, messageId, responsePrefix, revision, List.of());
    }

    /** Creates one of a message as it was written first. */
    public MessageOrigin(
            Conversation conversation, Sender sender, String messageId, String responsePrefix) {
        this(conversation, sender, messageId, responsePrefix, "", List.of());
    }

    /** Returns the files that can be fetched, as far as there is room for what is kept of them. */
    public static List<Attachment> fetchable(List<Attachment> attached) {
        List<Attachment> kept = new ArrayList<>();
        int room = MAX_FILES_BYTES;
        for (Attachment one : attached) {
            if (!one.reference().isEmpty() && bytes(one) <= room) {
                room -= bytes(one);
                kept.add(one);
            }
        }
        return kept;
    }

    private static int bytes(Attachment file) {
        return Stream.of(file.name(), file.mediaType(), file.reference())
                .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length)
                .sum();
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

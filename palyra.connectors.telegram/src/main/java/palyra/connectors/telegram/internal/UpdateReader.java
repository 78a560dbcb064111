package palyra.connectors.telegram.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import palyra.api.Require;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.InboundMessage.Attachment;
import palyra.api.channel.InboundMessage.Event;
import palyra.api.channel.Sender;
import palyra.shared.connector.Reading;
import palyra.shared.connector.Texts;

/**
 * Reads updates of the Bot API. Pure. A message is named {@code CHAT/ID}, because its id is unique
 * within its chat alone.
 */
final class UpdateReader {
    private static final List<String> FILES =
            List.of("animation", "audio", "document", "sticker", "video", "video_note", "voice");
    private static final int MOST = 64;
    private static final int NAME = 256;

    private final Bot bot;

    UpdateReader(Bot bot) {
        this.bot = bot;
    }

    /**
     * Returns what an update means.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when it is malformed
     */
    Inbound read(JsonNode update) {
        return Reading.of(() -> of(update));
    }

    private Inbound of(JsonNode update) {
        if (update.has("message")) {
            return message(update.path("message"), Event.WRITTEN);
        }
        if (update.has("edited_message")) {
            return message(update.path("edited_message"), Event.EDITED);
        }
        if (update.has("callback_query")) {
            return press(update.path("callback_query"));
        }
        return new Inbound.Ignored();
    }

    private Inbound message(JsonNode message, Event event) {
        Sender sender = sender(message);
        String text = Texts.wellFormed(textOf(message));
        List<Attachment> attachments = attachments(message);
        boolean empty = text.isEmpty() && attachments.isEmpty(); // one of the service, or of a kind
        if (empty || sender.id().equals(Long.toString(bot.id()))) {
            return new Inbound.Ignored();
        }
        Set<String> mentions = new HashSet<>();
        boolean mentioned = mentions(message, mentions);
        JsonNode answered = answered(message);
        long date = whole(message, event == Event.EDITED ? "edit_date" : "date");
        return new Inbound.Message(
                new InboundMessage(
                        event,
                        name(message),
                        event == Event.EDITED ? revision(date, text) : "",
                        sender,
                        conversation(message),
                        answered.isMissingNode() ? "" : name(message.path("chat"), answered),
                        text,
                        mentioned || isOwn(answered),
                        mentions,
                        attachments,
                        date * 1_000));
    }

    /** Two edits within one second differ by their text. */
    private static String revision(long date, String text) {
        return date + "-" + Integer.toHexString(text.hashCode());
    }

    /** In the topics of a forum a message that answers none answers the topic's creation. */
    private static JsonNode answered(JsonNode message) {
        JsonNode answered = message.path("reply_to_message");
        return answered.has("forum_topic_created") ? answered.path("none") : answered;
    }

    private boolean isOwn(JsonNode answered) {
        return answered.path("from").path("id").asLong() == bot.id();
    }

    private static String textOf(JsonNode message) {
        return message.path(message.has("text") ? "text" : "caption").asText("");
    }

    /** Collects the ids of other accounts; returns whether the bot itself is mentioned. */
    private boolean mentions(JsonNode message, Set<String> others) {
        String text = textOf(message);
        boolean mentioned = false;
        for (JsonNode entity :
                message.path(message.has("text") ? "entities" : "caption_entities")) {
            String words = words(text, entity).toLowerCase(Locale.ROOT);
            switch (entity.path("type").asText()) {
                case "mention", "bot_command" -> mentioned |= addresses(words);
                case "text_mention" -> {
                    long id = entity.path("user").path("id").asLong();
                    mentioned |= id == bot.id();
                    if (id != 0 && id != bot.id() && others.size() < MOST) {
                        others.add(Long.toString(id));
                    }
                }
                default -> {}
            }
        }
        return mentioned;
    }

    private boolean addresses(String words) {
        return !bot.username().isEmpty()
                && words.endsWith("@" + bot.username().toLowerCase(Locale.ROOT));
    }

    /** Places of entities are in UTF-16 units, as those of Java. */
    private static String words(String text, JsonNode entity) {
        int from = Math.clamp(entity.path("offset").asLong(), 0, text.length());
        int to = Math.clamp(from + entity.path("length").asLong(), from, text.length());
        return text.substring(from, to);
    }

    /** Of those who write in the name of a chat Telegram tells the chat alone. */
    private static Sender sender(JsonNode message) {
        JsonNode chat = message.path("sender_chat");
        if (!chat.isMissingNode()) {
            return new Sender(
                    id(chat), Texts.line(chat.path("title").asText(""), NAME), false, true);
        }
        return user(message.path("from"));
    }

    private static Sender user(JsonNode user) {
        String name = user.path("first_name").asText("") + " " + user.path("last_name").asText("");
        return new Sender(
                id(user), Texts.line(name, NAME), user.path("is_bot").asBoolean(false), true);
    }

    private static Conversation conversation(JsonNode message) {
        JsonNode chat = message.path("chat");
        boolean direct = chat.path("type").asText().equals("private");
        // Without this mark the thread is one of answers, which Telegram shows as none.
        boolean topic = message.path("is_topic_message").asBoolean(false);
        return new Conversation(
                id(chat),
                topic ? Long.toString(whole(message, "message_thread_id")) : "",
                direct,
                direct ? "" : Texts.line(chat.path("title").asText(""), NAME));
    }

    private static String name(JsonNode message) {
        return name(message.path("chat"), message);
    }

    private static String name(JsonNode chat, JsonNode message) {
        return id(chat) + "/" + whole(message, "message_id");
    }

    private static String id(JsonNode of) {
        return Long.toString(whole(of, "id"));
    }

    private static long whole(JsonNode of, String field) {
        JsonNode value = of.path(field);
        Require.that(
                value.isIntegralNumber() && value.canConvertToLong(),
                field + " is not a whole number");
        return value.longValue();
    }

    private static List<Attachment> attachments(JsonNode message) {
        List<Attachment> found = new ArrayList<>();
        JsonNode photos = message.path("photo");
        if (!photos.isEmpty()) {
            found.add(attachment(photos.get(photos.size() - 1), "image/jpeg")); // the largest
        }
        for (String kind : FILES) {
            boolean again = kind.equals("document") && message.has("animation");
            if (message.has(kind) && !again) {
                found.add(attachment(message.path(kind), ""));
            }
        }
        return found;
    }

    private static Attachment attachment(JsonNode file, String mediaType) {
        String reference = file.path("file_id").asText("");
        Require.that(!reference.isEmpty() && reference.length() <= 2_048, "file_id is not usable");
        return new Attachment(
                Texts.line(file.path("file_name").asText(""), 512),
                Texts.line(file.path("mime_type").asText(mediaType), 128),
                file.path("file_size").asLong(-1),
                reference);
    }

    private Inbound press(JsonNode query) {
        String id = query.path("id").asText("");
        Require.that(!id.isEmpty(), "id of a callback query is missing");
        JsonNode message = query.path("message");
        String data = query.path("data").asText("");
        if (message.isMissingNode() || data.isBlank()) {
            return new Inbound.Press(id, Optional.empty());
        }
        return new Inbound.Press(
                id,
                Optional.of(
                        new InboundAction(data, user(query.path("from")), conversation(message))));
    }
}

package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import palyra.api.Require;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.InboundMessage.Attachment;
import palyra.api.channel.InboundMessage.Broadcast;
import palyra.api.channel.InboundMessage.Event;
import palyra.api.channel.Sender;
import palyra.shared.connector.Reading;
import palyra.shared.connector.Texts;

/** Reads messages of Discord. Pure but for the role that it asks for. */
final class MessageReader {
    private static final int PLAIN = 0;
    private static final int REPLY = 19;
    private static final int MOST = 64;
    private static final int NAME = 256;

    private final DiscordSettings settings;
    private final String bot;
    private final Function<JsonNode, String> ownRole;

    /**
     * Creates it.
     *
     * @param bot id of the bot
     * @param ownRole returns which role that a message mentions is the bot's own; empty for none
     */
    MessageReader(DiscordSettings settings, String bot, Function<JsonNode, String> ownRole) {
        this.settings = settings;
        this.bot = bot;
        this.ownRole = ownRole;
    }

    /** Returns the id of a message. INVALID_ARGUMENT when it has none. */
    static long id(JsonNode message) {
        return Long.parseLong(snowflake(message, "id"));
    }

    static String snowflake(JsonNode of, String field) {
        String id = of.path(field).asText("");
        Require.that(Snowflakes.isOne(id), field + " is not an id of Discord");
        return id;
    }

    /**
     * Returns what a message means.
     *
     * @param event whether it was written or edited
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when it is malformed
     */
    Inbound read(JsonNode message, Event event, Place place) {
        return Reading.of(() -> of(message, event, place), Directory.NotNowException.class);
    }

    private Inbound of(JsonNode message, Event event, Place place) {
        JsonNode author = message.path("author");
        if (author.path("id").asText("").equals(bot)) {
            return new Inbound.Own(message.path("nonce").asText(""));
        }
        int type = message.path("type").asInt(-1);
        boolean edited = event == Event.EDITED;
        // Discord changes a message too when it has found what a link leads to.
        boolean unchanged = edited && !message.path("edited_timestamp").isTextual();
        if (type != PLAIN && type != REPLY || isOtherProgram(message) || unchanged) {
            return new Inbound.Ignored();
        }
        List<Attachment> attachments = attachments(message, place);
        Set<String> mentions = new HashSet<>();
        String role = mentionedRole(message);
        boolean mentioned =
                mentions(message, mentions) || isToBot(message, type) || !role.isEmpty();
        String text = text(message, role);
        if (text.isEmpty() && attachments.isEmpty() && !mentioned) {
            return new Inbound.Ignored(); // a sticker, or what the bot may not read
        }
        long id = id(message);
        return new Inbound.Message(
                new InboundMessage(
                        event,
                        Long.toString(id),
                        edited ? revision(message) : "",
                        sender(message),
                        place.conversation(),
                        type == REPLY
                                ? message.path("message_reference").path("message_id").asText("")
                                : "",
                        text,
                        mentioned,
                        mentions,
                        attachments,
                        edited ? editedMillis(message) : Snowflakes.millis(id),
                        broadcast(message)));
    }

    /** Returns that a message was taken back. */
    static InboundMessage deleted(long id, Sender sender, Place place) {
        return new InboundMessage(
                Event.DELETED,
                Long.toString(id),
                "deleted",
                sender,
                place.conversation(),
                "",
                "",
                false,
                Set.of(),
                List.of(),
                System.currentTimeMillis());
    }

    /** Who may not notify everyone can write so all the same, and it notifies none. */
    private static Broadcast broadcast(JsonNode message) {
        JsonNode told = message.path("mention_everyone");
        return !told.isBoolean()
                ? Broadcast.BY_TEXT
                : told.asBoolean() ? Broadcast.YES : Broadcast.NO;
    }

    private boolean isOtherProgram(JsonNode message) {
        JsonNode webhook = message.path("webhook_id");
        String id = webhook.isTextual() ? webhook.asText() : author(message);
        boolean program =
                webhook.isTextual() || message.path("author").path("bot").asBoolean(false);
        return program
                && !settings.acceptBots().contains(id)
                && !settings.acceptBots().contains(author(message));
    }

    private static String author(JsonNode message) {
        return message.path("author").path("id").asText("");
    }

    private static Sender sender(JsonNode message) {
        return sender(
                message.path("author"),
                message.path("member"),
                message.path("webhook_id").isTextual());
    }

    /** Returns a person or program as the server calls them. */
    static Sender sender(JsonNode user, JsonNode member, boolean webhook) {
        String name = "";
        for (String one :
                List.of(
                        member.path("nick").asText(""),
                        user.path("global_name").asText(""),
                        user.path("username").asText(""))) {
            if (name.isEmpty() && !one.equals("null")) {
                name = one;
            }
        }
        return new Sender(
                snowflake(user, "id"),
                Texts.line(name, NAME),
                webhook || user.path("bot").asBoolean(false),
                true);
    }

    /** Discord gives two edits within a millisecond one time; their texts tell them apart. */
    private static String revision(JsonNode message) {
        return editedMillis(message)
                + "-"
                + Integer.toHexString(message.path("content").asText("").hashCode());
    }

    /** Returns when a message was edited last; 0 when it never was, or when that is no time. */
    static long lastEditMillis(JsonNode message) {
        try {
            return message.path("edited_timestamp").isTextual() ? editedMillis(message) : 0;
        } catch (palyra.api.PalyraException e) {
            return 0;
        }
    }

    private static long editedMillis(JsonNode message) {
        try {
            return OffsetDateTime.parse(message.path("edited_timestamp").asText())
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new palyra.api.PalyraException(
                    palyra.api.ErrorCode.INVALID_ARGUMENT, "edited_timestamp is no time");
        }
    }

    /** Empty as well where the bot may not read the text, which a mention of a role is part of. */
    private String mentionedRole(JsonNode message) {
        String role = message.path("mention_roles").isEmpty() ? "" : ownRole.apply(message);
        return message.path("content").asText("").contains("<@&" + role + ">") ? role : "";
    }

    /** Returns the text without the bot's own mention. */
    private String text(JsonNode message, String role) {
        String text = Texts.wellFormed(message.path("content").asText(""));
        String own = role.isEmpty() ? "" : "|&" + Pattern.quote(role);
        String mention = "<@(?:!?" + Pattern.quote(bot) + own + ")>";
        return text.replaceAll("[ \\t]*" + mention + "[ \\t]?[,:]?", " ").strip();
    }

    private boolean isToBot(JsonNode message, int type) {
        JsonNode answered = message.path("referenced_message").path("author").path("id");
        return type == REPLY && answered.asText("").equals(bot);
    }

    /** Collects the ids of other accounts; returns whether the bot itself is mentioned. */
    private boolean mentions(JsonNode message, Set<String> others) {
        boolean mentioned = false;
        for (JsonNode one : message.path("mentions")) {
            String id = one.path("id").asText("");
            if (id.equals(bot)) {
                // An answer mentions whom it answers, also without writing so.
                mentioned = true;
            } else if (Snowflakes.isOne(id) && others.size() < MOST) {
                others.add(id);
            }
        }
        return mentioned;
    }

    private List<Attachment> attachments(JsonNode message, Place place) {
        List<Attachment> found = new ArrayList<>();
        for (JsonNode one : message.path("attachments")) {
            if (found.size() == MOST) {
                break;
            }
            long bytes = one.path("size").asLong(-1);
            boolean fits = bytes >= 0 && bytes <= settings.maxAttachmentBytes();
            found.add(
                    new Attachment(
                            Texts.line(one.path("filename").asText(""), 512),
                            Texts.line(one.path("content_type").asText(""), 128),
                            bytes,
                            fits
                                    ? place.channel()
                                            + "/"
                                            + message.path("id").asText()
                                            + "/"
                                            + snowflake(one, "id")
                                    : ""));
        }
        return found;
    }
}

package palyra.connectors.discord.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import palyra.api.PalyraException;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.OutboundMessage.Button;
import palyra.shared.connector.Texts;

/**
 * Sends messages, changes those that were sent, reacts, and finds out what arrived. Thread-safe.
 */
final class MessageSender {
    private static final int SEND_MILLIS = 15_000; // of the 30 s that a connector has
    private static final int BEGIN_MILLIS = 5_000;
    private static final int AGAIN_MILLIS = 8_000;
    private static final int LONGEST_THREAD = 80; // characters of its name
    private static final int UNKNOWN_CHANNEL = 10_003;
    private static final int THREAD_IS_THERE = 160_004;
    private static final int TYPING_MILLIS = 4_000; // of the 5 s that a connector has
    private static final long TYPING_EVERY_MILLIS = 8_000; // Discord shows it for 10 s
    private static final int UPLOAD_MILLIS = 25_000;
    private static final int BUSY_MILLIS = 500;
    private static final int NO_EMBEDS = 1 << 2;
    private static final int ROW = 1;
    private static final int BUTTON = 2;
    private static final int SECONDARY = 2;
    private static final int DANGER = 4;
    private static final int IN_ROW = 5;
    private static final int LOOKED_AT = 100;

    private final Account account;
    private final Semaphore upload =
            new Semaphore(1); // one at a time: a file is in memory several times

    MessageSender(Account account) {
        this.account = account;
    }

    Delivery send(OutboundMessage message) {
        String channel = Place.channel(message.conversation());
        if (!Snowflakes.isOne(channel)) {
            return new Delivery.Refused("'" + channel + "' is not the id of a channel");
        }
        String other = message.editOf() + message.reactionTo(); // never both
        if (!other.isEmpty() && !Snowflakes.isOne(other)) {
            return new Delivery.Refused("'" + other + "' is not the id of a message");
        }
        boolean uploads = !message.files().isEmpty();
        if (uploads && !upload.tryAcquire()) {
            return Delivery.RetryAfter.of(BUSY_MILLIS, "another file is being sent");
        }
        try {
            account.ledger().sending(message.key());
            ApiAnswer answer = call(message, SEND_MILLIS);
            if (!isWithoutThread(answer, message.conversation()) || !other.isEmpty()) {
                return delivery(message, answer);
            }
            ApiAnswer begun = begin(message.conversation(), BEGIN_MILLIS);
            if (!isThere(begun)) {
                return unbegun(begun);
            }
            return uploads
                    ? new Delivery.RetryAfter(1, true, "its thread has just begun")
                    : delivery(message, call(message, AGAIN_MILLIS));
        } catch (IOException e) {
            return new Delivery.Refused("a file cannot be read: " + e.getMessage());
        } catch (TokenException e) {
            return new Delivery.RetryAfter(0, false, e.getMessage());
        } catch (PalyraException e) {
            return switch (e.code()) {
                case OUTCOME_UNKNOWN, CANCELLED, INTERNAL -> unknown(message, e.getMessage());
                default -> new Delivery.RetryAfter(0, false, e.getMessage());
            };
        } finally {
            if (uploads) {
                upload.release();
            }
        }
    }

    /** Shows that the bot writes; see {@link palyra.api.channel.Connector#typing}. */
    long typing(Conversation conversation) {
        String channel = Place.channel(conversation);
        if (!Snowflakes.isOne(channel)) {
            return 0;
        }
        ApiAnswer answer = account.api().attempt(Route.typing(channel), TYPING_MILLIS / 2);
        if (isWithoutThread(answer, conversation)
                && isThere(begin(conversation, TYPING_MILLIS / 2))) {
            return 1; // now there is a place to show it
        }
        if (answer instanceof ApiAnswer.Refused refused) {
            if (refused.status() == 429) {
                return Math.max(TYPING_EVERY_MILLIS, refused.retryMillis());
            }
            if (refused.status() == 403 || refused.status() == 404) {
                return 0;
            }
            throw new IllegalStateException(refused.shown());
        }
        return TYPING_EVERY_MILLIS;
    }

    /** Returns whether an answer says that a thread is not there, which can begin. */
    private boolean isWithoutThread(ApiAnswer answer, Conversation conversation) {
        return answer instanceof ApiAnswer.Refused refused
                && refused.code() == UNKNOWN_CHANNEL
                && Snowflakes.isOne(conversation.thread())
                && Snowflakes.isOne(conversation.id())
                && !conversation.name().isBlank()
                && !account.directory().isGone(conversation.thread());
    }

    /**
     * A thread has the id of the message that begins it, so it is one however often it is begun.
     */
    private ApiAnswer begin(Conversation conversation, int millis) {
        String name = Texts.line(conversation.name(), LONGEST_THREAD);
        return account.api()
                .call(
                        Route.thread(conversation.id(), conversation.thread()),
                        DiscordApi.JSON.createObjectNode().put("name", name),
                        millis);
    }

    private static boolean isThere(ApiAnswer begun) {
        return begun instanceof ApiAnswer.Done
                || begun instanceof ApiAnswer.Refused refused && refused.code() == THREAD_IS_THERE;
    }

    /** The message itself was surely not sent. */
    private static Delivery unbegun(ApiAnswer answer) {
        if (!(answer instanceof ApiAnswer.Refused refused)) {
            return Delivery.RetryAfter.of(0, "Discord did not say whether the thread began");
        }
        boolean passes =
                refused.status() == 408 || refused.status() == 429 || refused.status() >= 500;
        return passes
                ? new Delivery.RetryAfter(refused.retryMillis(), !refused.global(), refused.shown())
                : new Delivery.Refused("The thread cannot begin. " + refused.shown());
    }

    private ApiAnswer call(OutboundMessage message, int millis) throws IOException {
        return message.files().isEmpty()
                ? account.api().call(route(message), body(message), millis)
                : account.api()
                        .call(
                                route(message),
                                (ObjectNode) body(message),
                                message.files(),
                                UPLOAD_MILLIS);
    }

    private static Route route(OutboundMessage message) {
        String channel = Place.channel(message.conversation());
        if (!message.editOf().isEmpty()) {
            return Route.edit(channel, message.editOf());
        }
        return message.reactionTo().isEmpty()
                ? Route.post(channel)
                : Route.react(
                        Place.channelOf(message.conversation(), message.reactionTo()),
                        message.reactionTo(),
                        message.text());
    }

    private JsonNode body(OutboundMessage message) {
        if (!message.reactionTo().isEmpty()) {
            return MissingNode.getInstance();
        }
        ObjectNode body =
                DiscordApi.JSON.createObjectNode().put("content", Texts.wellFormed(message.text()));
        body.putObject("allowed_mentions").put("replied_user", false).putArray("parse");
        if (!account.settings().linkPreviews()) {
            body.put("flags", NO_EMBEDS);
        }
        if (message.editOf().isEmpty()) {
            body.put("nonce", message.key()).put("enforce_nonce", true);
            boolean began = message.replyTo().equals(message.conversation().thread());
            if (Snowflakes.isOne(message.replyTo()) && !began) {
                body.putObject("message_reference")
                        .put("message_id", message.replyTo())
                        .put("fail_if_not_exists", false);
            }
        }
        if (!message.buttons().isEmpty() || !message.editOf().isEmpty()) {
            body.set("components", rows(message.buttons()));
        }
        return body;
    }

    private static ArrayNode rows(List<Button> buttons) {
        ArrayNode rows = DiscordApi.JSON.createArrayNode();
        ArrayNode row = null;
        for (Button button : buttons) {
            if (row == null || row.size() == IN_ROW) {
                row = rows.addObject().put("type", ROW).putArray("components");
            }
            row.addObject()
                    .put("type", BUTTON)
                    .put("style", button.dangerous() ? DANGER : SECONDARY)
                    .put("label", Texts.wellFormed(button.label()))
                    .put("custom_id", button.data());
        }
        return rows;
    }

    private Delivery delivery(OutboundMessage message, ApiAnswer answer) {
        return switch (answer) {
            case ApiAnswer.Done done -> delivered(message, done.result());
            case ApiAnswer.Unreadable unreadable ->
                    unknown(message, "Discord: " + unreadable.reason());
            case ApiAnswer.Refused refused -> refused(message, refused);
        };
    }

    private Delivery delivered(OutboundMessage message, JsonNode result) {
        if (!message.editOf().isEmpty()) {
            return new Delivery.Delivered(message.editOf());
        }
        if (!message.reactionTo().isEmpty()) {
            return new Delivery.Delivered("");
        }
        String id = result.path("id").asText("");
        if (!Snowflakes.isOne(id)) {
            return new Delivery.Unknown("Discord took it and did not name the message");
        }
        account.ledger()
                .sent(message.key(), Place.channel(message.conversation()), Long.parseLong(id));
        return new Delivery.Delivered(id);
    }

    private static Delivery refused(OutboundMessage message, ApiAnswer.Refused refused) {
        int status = refused.status();
        if (status == 429) {
            return new Delivery.RetryAfter(
                    Math.max(1, refused.retryMillis()), !refused.global(), refused.shown());
        }
        if (status >= 500) { // what is behind the server that says so may have acted
            return unknown(message, refused.shown());
        }
        if (status == 408 || status == 409 || status == 401) {
            return new Delivery.RetryAfter(0, false, refused.shown());
        }
        return new Delivery.Refused(refused.shown());
    }

    /** The same change or reaction made twice is the same as once; a message is not. */
    private static Delivery unknown(OutboundMessage message, String reason) {
        return message.editOf().isEmpty() && message.reactionTo().isEmpty()
                ? new Delivery.Unknown(reason)
                : Delivery.RetryAfter.of(0, reason);
    }

    /**
     * Looks for a message. Discord drops a repeated nonce for some minutes only, and does not show
     * it in what was written earlier; so a message counts as this one when it carries the key, when
     * an event told so, or when it is the bot's, has this text and files of these sizes in this
     * place, came later than every message that is known to be an earlier one, and is known as no
     * other one.
     */
    Delivery lookup(OutboundMessage message) {
        if (!message.editOf().isEmpty() || !message.reactionTo().isEmpty()) {
            return Delivery.RetryAfter.of(0, "made twice it is the same as once");
        }
        Optional<Ledger.Sent> known = account.ledger().sent(message.key());
        if (known.isPresent()) {
            return new Delivery.Delivered(Long.toString(known.get().message()));
        }
        String channel = Place.channel(message.conversation());
        if (!Snowflakes.isOne(channel)) {
            return Delivery.RetryAfter.of(0, "it was never sent");
        }
        String bot = account.ledger().bot();
        if (bot.isEmpty()) {
            return new Delivery.Unknown("it is not known yet who the bot is");
        }
        try {
            return found(
                    message,
                    channel,
                    bot,
                    account.api().call(Route.messages(channel, 0, LOOKED_AT), SEND_MILLIS));
        } catch (TokenException | PalyraException e) {
            return new Delivery.Unknown(e.getMessage());
        }
    }

    private Delivery found(OutboundMessage message, String channel, String bot, ApiAnswer answer) {
        if (!(answer instanceof ApiAnswer.Done done)) {
            boolean gone =
                    answer instanceof ApiAnswer.Refused refused
                            && (refused.status() == 404 || refused.status() == 403);
            String why =
                    answer instanceof ApiAnswer.Refused refused ? refused.shown() : "no answer";
            return gone ? Delivery.RetryAfter.of(0, why) : new Delivery.Unknown(why);
        }
        if (done.result().isEmpty() && !isEmpty(channel)) {
            return new Delivery.Unknown(
                    "the bot may not read what was written there; give its role Read Message"
                            + " History in the channel's settings, Permissions");
        }
        long floor = floor(message, channel);
        boolean whole = done.result().size() < LOOKED_AT;
        List<JsonNode> own = new ArrayList<>();
        for (JsonNode one : done.result()) {
            long id = one.path("id").asLong();
            whole |= id <= floor;
            if (id > floor && one.path("author").path("id").asText().equals(bot)) {
                own.add(one);
            }
        }
        for (JsonNode one : own) {
            if (isIt(message, one)) {
                long id = one.path("id").asLong();
                account.ledger().sent(message.key(), channel, id);
                return new Delivery.Delivered(Long.toString(id));
            }
        }
        return whole
                ? Delivery.RetryAfter.of(0, "it did not arrive")
                : new Delivery.Unknown(
                        "it is not among the last 100 messages, and may have been before them");
    }

    /** Discord shows an empty list, too, to a bot that may not read. */
    private boolean isEmpty(String channel) {
        return account.api().call(Route.channel(channel), SEND_MILLIS)
                        instanceof ApiAnswer.Done done
                && done.result().path("last_message_id").isNull();
    }

    /** What is sent comes after the message that it answers, and after what was sent before. */
    private long floor(OutboundMessage message, String channel) {
        String replyTo = message.replyTo();
        long answered = Snowflakes.isOne(replyTo) ? Long.parseLong(replyTo) : 0;
        return Math.max(answered, account.ledger().lastSent(channel));
    }

    private boolean isIt(OutboundMessage message, JsonNode one) {
        String nonce = one.path("nonce").asText("");
        if (!nonce.isEmpty() && !nonce.equals("null")) {
            return nonce.equals(message.key());
        }
        return one.path("content").asText("").strip().equals(message.text().strip())
                && sizes(one).equals(sizes(message))
                && !account.ledger().isOfAnother(message.key(), one.path("id").asLong());
    }

    private static List<Long> sizes(JsonNode one) {
        List<Long> sizes = new ArrayList<>();
        one.path("attachments").forEach(file -> sizes.add(file.path("size").asLong()));
        return sizes;
    }

    private static List<Long> sizes(OutboundMessage message) {
        return message.files().stream().map(OutboundMessage.File::bytes).toList();
    }
}

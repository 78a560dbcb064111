package palyra.connectors.telegram.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.OutboundMessage.Button;
import palyra.api.core.egress.EgressRequest.EgressLimits;
import palyra.shared.connector.Texts;

/** Sends messages, changes those that were sent, and reacts to others. Thread-safe. */
final class MessageSender {
    private static final Logger LOG = LoggerFactory.getLogger(MessageSender.class);
    private static final long LONGEST_MILLIS = 26_000; // of the 30 s that a connector has
    private static final long SHORTEST_MILLIS = 1_000;
    private static final int TYPING_MILLIS = 4_000; // of the 5 s that a connector has
    private static final long TYPING_EVERY_MILLIS = 4_000; // Telegram shows it for 5 s
    private static final long MAX_BYTES = 8L << 20;
    private static final int SHORT_LABEL = 16; // such buttons share a row
    private static final int IN_ROW = 3;

    private final BotApi api;
    private final TelegramSettings settings;

    MessageSender(BotApi api, TelegramSettings settings) {
        this.api = api;
        this.settings = settings;
    }

    Delivery send(OutboundMessage message) {
        try {
            if (!isChat(message.conversation().id())) {
                return new Delivery.Refused(
                        "'" + message.conversation().id() + "' is not the number of a chat");
            }
            if (isAboutAnother(message) && !isName(other(message))) {
                return new Delivery.Refused(
                        "'" + other(message) + "' is not the name of a message: CHAT/ID");
            }
            return new Attempt(message).make();
        } catch (TokenException e) {
            return new Delivery.RetryAfter(0, false, e.getMessage());
        } catch (PalyraException e) {
            return switch (e.code()) {
                case OUTCOME_UNKNOWN, CANCELLED, INTERNAL -> unknown(message, e.getMessage());
                default -> new Delivery.RetryAfter(0, false, e.getMessage());
            };
        }
    }

    /** Shows that the bot writes; see {@link palyra.api.channel.Connector#typing}. */
    long typing(Conversation conversation) {
        if (!isChat(conversation.id())) {
            return 0;
        }
        ObjectNode parameters =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("chat_id", conversation.id())
                        .put("action", "typing");
        thread(parameters, conversation);
        ApiAnswer answer = api.call("sendChatAction", parameters, limits(TYPING_MILLIS));
        if (answer instanceof ApiAnswer.Refused refused) {
            if (refused.code() == 429) {
                return Math.max(TYPING_EVERY_MILLIS, refused.retryMillis());
            }
            if (refused.code() == 400 || refused.code() == 403) {
                return 0;
            }
            throw new IllegalStateException(refused.shown());
        }
        return TYPING_EVERY_MILLIS;
    }

    private static boolean isChat(String id) {
        return id.matches("-?[0-9]{1,19}");
    }

    private static void thread(ObjectNode parameters, Conversation conversation) {
        if (conversation.thread().matches("[0-9]{1,18}")) {
            parameters.put("message_thread_id", Long.parseLong(conversation.thread()));
        }
    }

    private static EgressLimits limits(int millis) {
        return new EgressLimits(
                Math.min(millis, 5_000), millis, millis, millis, MAX_BYTES, 0, Set.of());
    }

    private static boolean isAboutAnother(OutboundMessage message) {
        return !other(message).isEmpty();
    }

    /** Returns the name of the message that is changed or reacted to; empty for a new message. */
    private static String other(OutboundMessage message) {
        return message.editOf() + message.reactionTo(); // never both
    }

    private static boolean isName(String name) {
        return name.matches("-?[0-9]{1,19}/[0-9]{1,19}");
    }

    private static String chat(String name) {
        return name.substring(0, name.indexOf('/'));
    }

    private static long id(String name) {
        return Long.parseLong(name.substring(name.indexOf('/') + 1));
    }

    /** The same change or reaction made twice is the same as once; a message is not. */
    private static Delivery unknown(OutboundMessage message, String reason) {
        return isAboutAnother(message)
                ? Delivery.RetryAfter.of(0, reason)
                : new Delivery.Unknown(reason);
    }

    /** One message on its way: one call, and another one where Telegram says how. */
    private final class Attempt {
        private final OutboundMessage message;
        private final boolean edit;
        private final boolean reaction;
        private final long endNanos =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS);
        private String chat;
        private boolean plain;
        private boolean moved;

        Attempt(OutboundMessage message) {
            this.message = message;
            edit = !message.editOf().isEmpty();
            reaction = !message.reactionTo().isEmpty();
            chat = isAboutAnother(message) ? chat(other(message)) : message.conversation().id();
        }

        private String method() {
            return edit ? "editMessageText" : reaction ? "setMessageReaction" : "sendMessage";
        }

        Delivery make() {
            while (true) {
                long left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
                if (left < SHORTEST_MILLIS) {
                    return Delivery.RetryAfter.of(0, "there was no time left to send it otherwise");
                }
                ApiAnswer answer =
                        api.call(
                                method(),
                                reaction ? reactionParameters() : parameters(),
                                limits((int) Math.min(left, 15_000)));
                switch (answer) {
                    case ApiAnswer.Done done -> {
                        return new Delivery.Delivered(name(done.result()));
                    }
                    case ApiAnswer.Unreadable unreadable -> {
                        return unknown(message, "Telegram: " + unreadable.reason());
                    }
                    case ApiAnswer.Refused refused -> {
                        if (!mend(refused)) {
                            return refused(refused);
                        }
                    }
                }
            }
        }

        /** Returns whether it is to be sent otherwise. */
        private boolean mend(ApiAnswer.Refused refused) {
            if (!refused.migratedTo().isEmpty() && !moved && !isAboutAnother(message)) {
                LOG.info("Chat {} of {} is {} now.", chat, settings.id(), refused.migratedTo());
                moved = true;
                chat = refused.migratedTo();
                return true;
            }
            if (refused.code() == 400 && refused.says("can't parse entities") && !plain) {
                LOG.warn("{} sends a text without form: {}", settings.id(), refused.shown());
                plain = true;
                return true;
            }
            return false;
        }

        private Delivery refused(ApiAnswer.Refused refused) {
            int code = refused.code();
            if (edit && refused.says("message is not modified")) {
                return new Delivery.Delivered(message.editOf());
            }
            if (reaction && refused.says("not_modified")) {
                return new Delivery.Delivered("");
            }
            if (code == 429) {
                // A group has a limit of its own; elsewhere it is that of the bot.
                return new Delivery.RetryAfter(
                        refused.retryMillis(), chat.startsWith("-"), refused.shown());
            }
            if (code == 504) { // a server on the way gave up: what is behind it may have acted
                return unknown(message, refused.shown());
            }
            if (code >= 500 || code == 409) {
                return new Delivery.RetryAfter(refused.retryMillis(), false, refused.shown());
            }
            return new Delivery.Refused(refused.shown());
        }

        /** Takes the place of what the bot reacted with before. A number is a custom emoji. */
        private ObjectNode reactionParameters() {
            boolean custom = message.text().matches("[0-9]{5,32}");
            ObjectNode parameters =
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("chat_id", chat)
                            .put("message_id", id(message.reactionTo()));
            parameters
                    .putArray("reaction")
                    .addObject()
                    .put("type", custom ? "custom_emoji" : "emoji")
                    .put(custom ? "custom_emoji_id" : "emoji", Texts.wellFormed(message.text()));
            return parameters;
        }

        private ObjectNode parameters() {
            ObjectNode parameters = JsonNodeFactory.instance.objectNode().put("chat_id", chat);
            String text = plain ? TelegramHtml.plain(message.text()) : message.text();
            parameters.put("text", Texts.wellFormed(text));
            if (!plain) {
                parameters.put("parse_mode", "HTML");
            }
            parameters
                    .putObject("link_preview_options")
                    .put("is_disabled", !settings.linkPreviews());
            if (edit) {
                parameters.put("message_id", id(message.editOf()));
            } else {
                place(parameters);
            }
            if (!message.buttons().isEmpty()) {
                parameters.putObject("reply_markup").set("inline_keyboard", rows());
            }
            return parameters;
        }

        private void place(ObjectNode parameters) {
            if (!moved) {
                thread(parameters, message.conversation());
            }
            String replyTo = message.replyTo();
            if (isName(replyTo) && chat(replyTo).equals(chat)) {
                parameters
                        .putObject("reply_parameters")
                        .put("message_id", id(replyTo))
                        .put("allow_sending_without_reply", true);
            }
        }

        private ArrayNode rows() {
            List<Button> buttons = message.buttons();
            boolean brief = buttons.stream().allMatch(b -> b.label().length() <= SHORT_LABEL);
            ArrayNode rows = JsonNodeFactory.instance.arrayNode();
            ArrayNode row = null;
            for (Button button : buttons) {
                if (row == null || !brief || row.size() == IN_ROW) {
                    row = rows.addArray();
                }
                ObjectNode one =
                        row.addObject()
                                .put("text", Texts.wellFormed(button.label()))
                                .put("callback_data", button.data());
                if (button.dangerous()) {
                    one.put("style", "danger");
                }
            }
            return rows;
        }

        /** An edit is answered with the message, or with true for some kinds. */
        private String name(JsonNode result) {
            JsonNode id = result.path("message_id");
            return edit ? message.editOf() : id.isIntegralNumber() ? chat + "/" + id.asText() : "";
        }
    }
}

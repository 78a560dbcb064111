package palyra.connectors.webhook.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.InboundMessage.Event;
import palyra.api.channel.Sender;
import palyra.shared.connector.Reading;
import palyra.shared.json.JsonFields;
import palyra.shared.json.StrictJson;

/** Reads the body of a request. Pure. */
final class MessageReader {
    private static final List<String> FIELDS =
            List.of(
                    "id",
                    "conversation",
                    "thread",
                    "sender",
                    "text",
                    "direct",
                    "mentions_bot",
                    "reply_to",
                    "sent_at");
    private static final List<String> SENDER_FIELDS = List.of("id", "name");
    private static final int ID = 128;
    private static final int NAME = 256;

    private MessageReader() {}

    /** Names the field, what it is and what to send. */
    private record Refusals(String within) implements JsonFields.Refusals {
        @Override
        public RuntimeException wrong(String field, JsonNode found, String wanted) {
            String name = within + field;
            return refused(
                    (name.isEmpty() ? "The message" : "'" + name.replaceAll("\\.$", "") + "'")
                            + (found.isMissingNode() ? " is missing" : " is not usable")
                            + ": send "
                            + wanted
                            + ".");
        }

        @Override
        public RuntimeException unknown(String field, Collection<String> known) {
            return refused(
                    "Field '"
                            + within
                            + JsonFields.shown(field)
                            + "' is not known; known are "
                            + String.join(", ", new TreeSet<>(known))
                            + ".");
        }

        private static PalyraException refused(String message) {
            return new PalyraException(ErrorCode.INVALID_ARGUMENT, message);
        }
    }

    /**
     * Returns the message.
     *
     * @param signedAtMillis when it was sent, if it does not say so itself
     * @throws PalyraException INVALID_ARGUMENT when it is malformed
     */
    static InboundMessage read(byte[] body, long signedAtMillis) {
        return Reading.of(() -> of(body, signedAtMillis));
    }

    private static InboundMessage of(byte[] body, long signedAtMillis) {
        JsonFields fields =
                new JsonFields(StrictJson.parse(body, "The message"), new Refusals(""))
                        .withoutNulls();
        fields.requireOnly(FIELDS);
        JsonFields sender =
                new JsonFields(fields.get("sender"), new Refusals("sender.")).withoutNulls();
        sender.requireOnly(SENDER_FIELDS);
        return new InboundMessage(
                Event.WRITTEN,
                fields.text("id", ID),
                "",
                new Sender(
                        sender.text("id", ID),
                        sender.optionalText("name", NAME).orElse(""),
                        false,
                        true),
                new Conversation(
                        fields.text("conversation", ID),
                        fields.optionalText("thread", ID).orElse(""),
                        fields.flag("direct", false),
                        ""),
                fields.optionalText("reply_to", ID).orElse(""),
                text(fields),
                fields.flag("mentions_bot", false),
                Set.of(),
                List.of(),
                sentAt(fields, signedAtMillis));
    }

    private static String text(JsonFields fields) {
        String text = fields.text("text", InboundMessage.MAX_TEXT);
        if (text.isBlank()) {
            throw fields.wrong("text", "a text that is not blank");
        }
        return text;
    }

    private static long sentAt(JsonFields fields, long signedAtMillis) {
        if (!fields.has("sent_at")) {
            return signedAtMillis;
        }
        try {
            return OffsetDateTime.parse(fields.text("sent_at", 64)).toInstant().toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw fields.wrong("sent_at", "a time such as 2026-03-01T12:00:00Z");
        }
    }
}

package palyra.connectors.telegram.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.OutboundMessage.Button;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.telegram.FakeTelegram;
import palyra.testing.telegram.FakeTelegram.Sent;

class SendingTest {
    private static final String FORUM = "-1001000";

    private final Stage stage = new Stage();

    @BeforeEach
    void ready() {
        stage.telegram.chat(Stage.ANNA, "private");
        stage.telegram.chat(Long.parseLong(FORUM), "supergroup");
        stage.ready();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private Delivery send(OutboundMessage message) {
        return stage.connector.send(message);
    }

    private String delivered(OutboundMessage message) {
        return assertInstanceOf(Delivery.Delivered.class, send(message)).messageId();
    }

    private Delivery.RetryAfter retried(OutboundMessage message) {
        return assertInstanceOf(Delivery.RetryAfter.class, send(message));
    }

    private String refused(OutboundMessage message) {
        return assertInstanceOf(Delivery.Refused.class, send(message)).reason();
    }

    private Sent last() {
        List<Sent> sent = stage.telegram.sent();
        return sent.get(sent.size() - 1);
    }

    private static OutboundMessage reaction(String to, String emoji) {
        return OutboundMessage.reaction(
                "k1", Conversation.direct(Long.toString(Stage.ANNA)), to, emoji);
    }

    @Test
    void aReactionIsOneHoweverOftenItIsSent() {
        stage.telegram.say(Stage.ANNA, "hello");
        String message = Stage.ANNA + "/101";
        assertEquals("", delivered(reaction(message, "👍")));
        assertEquals("", delivered(reaction(message, "👍")));
        assertEquals(Map.of(message, "👍"), stage.telegram.reactions());
        delivered(reaction(message, "🔥"));
        assertEquals(Map.of(message, "🔥"), stage.telegram.reactions());
        stage.telegram.fail("setMessageReaction", Fault.droppedAfter());
        retried(reaction(message, "👍"));
        assertTrue(refused(reaction(message, "🦄")).contains("REACTION_INVALID"));
        assertTrue(refused(reaction(message, "12345678")).contains("REACTION_INVALID"));
        assertTrue(refused(reaction("101", "👍")).contains("CHAT/ID"));
        assertTrue(stage.telegram.sent().isEmpty());
    }

    @Test
    void typingIsShownInTheThreadAndNotAskedForWhereItIsRefused() {
        assertEquals(4_000, stage.connector.typing(new Conversation(FORUM, "77", false, "Forum")));
        JsonNode call = stage.telegram.typing().getFirst();
        assertEquals(FORUM, call.path("chat_id").asText());
        assertEquals(77, call.path("message_thread_id").asInt());
        assertEquals(0, stage.connector.typing(Conversation.direct("4003")));
        assertEquals(0, stage.connector.typing(Conversation.direct("general")));
        stage.telegram.fail(
                "sendChatAction",
                Fault.answering(429, "<html>", "Retry-After: 30"),
                Fault.answering(500, error(500, "Internal Server Error")));
        assertEquals(30_000, stage.connector.typing(Stage.WITH_ANNA));
        assertThrows(IllegalStateException.class, () -> stage.connector.typing(Stage.WITH_ANNA));
        assertEquals(1, stage.telegram.typing().size());
    }

    private static String error(int code, String description) {
        return "{\"ok\":false,\"error_code\":" + code + ",\"description\":\"" + description + "\"}";
    }

    @Test
    void aMessageArrivesInItsThreadAsAnAnswerWithButtons() {
        Conversation topic = new Conversation(FORUM, "77", false, "Forum");
        String id =
                delivered(
                        Stage.to(
                                topic,
                                FORUM + "/5",
                                "",
                                "<b>May I</b> delete &lt;it&gt;?",
                                new Button("a:1", "Approve", true),
                                new Button("d:1", "Deny", false)));
        Sent sent = last();
        assertEquals(FORUM + "/" + sent.id(), id);
        assertEquals("May I delete <it>?", sent.text());
        JsonNode call = sent.call();
        assertEquals(77, call.path("message_thread_id").asInt());
        assertEquals(5, call.path("reply_parameters").path("message_id").asInt());
        assertTrue(call.path("reply_parameters").path("allow_sending_without_reply").asBoolean());
        assertTrue(call.path("link_preview_options").path("is_disabled").asBoolean());
        JsonNode row = call.path("reply_markup").path("inline_keyboard").path(0);
        assertEquals("a:1", row.path(0).path("callback_data").asText());
        assertEquals("danger", row.path(0).path("style").asText());
        assertEquals("Deny", row.path(1).path("text").asText());
        assertFalse(row.path(1).has("style"));
    }

    @Test
    void longButtonsHaveARowEach() {
        delivered(
                Stage.text(
                        "?",
                        new Button("1", "Approve", false),
                        new Button("2", "Approve for the rest of this session", false)));
        assertEquals(2, last().call().path("reply_markup").path("inline_keyboard").size());
    }

    @Test
    void anEditReplacesTextAndButtons() {
        String id = delivered(Stage.text("thinking", new Button("x", "Stop", false)));
        assertEquals(id, delivered(Stage.to(Stage.WITH_ANNA, "", id, "done")));
        assertEquals(1, stage.telegram.sent().size());
        assertEquals("done", last().text());
        assertFalse(last().call().has("reply_markup"));
        assertEquals(id, delivered(Stage.to(Stage.WITH_ANNA, "", id, "done")));
        assertTrue(
                refused(Stage.to(Stage.WITH_ANNA, "", Stage.ANNA + "/9999", "x"))
                        .contains("message to edit not found"));
        assertTrue(refused(Stage.to(Stage.WITH_ANNA, "", "17", "x")).contains("CHAT/ID"));
    }

    @Test
    void aTextThatTelegramCannotParseIsSentWithoutForm() {
        String id =
                delivered(
                        Stage.text(
                                "<b>1 &lt; 2</b> <a href=\"https://a.test/?b&amp;c\">x</a> <oops>"));
        assertEquals(Stage.ANNA + "/" + last().id(), id);
        assertEquals("1 < 2 x (https://a.test/?b&c) ", last().text());
        assertFalse(last().call().has("parse_mode"));
        assertEquals(2, stage.telegram.calls("sendMessage").size());
    }

    @Test
    void aLimitIsWaitedForAsLongAsTelegramSays() {
        stage.telegram.fail(
                "sendMessage",
                Fault.answering(
                        429,
                        "{\"ok\":false,\"error_code\":429,\"description\":\"Too Many Requests:"
                                + " retry after 7\",\"parameters\":{\"retry_after\":7}}"),
                Fault.answering(429, "<html>", "Retry-After: 3"),
                Fault.answering(429, error(429, "Too Many Requests")));
        Delivery.RetryAfter alone = retried(Stage.text("a"));
        assertEquals(7_000, alone.millis());
        assertFalse(alone.conversationOnly());
        Delivery.RetryAfter group = retried(Stage.to(Conversation.group(FORUM, ""), "", "", "a"));
        assertEquals(3_000, group.millis());
        assertTrue(group.conversationOnly());
        assertEquals(0, retried(Stage.text("a")).millis());
        assertEquals(List.of(), stage.telegram.sent());
    }

    @Test
    void whatTelegramWillNeverTakeIsRefused() {
        stage.telegram.chat(4_002, "blocked");
        assertTrue(
                refused(Stage.to(Conversation.direct("4002"), "", "", "a"))
                        .contains("blocked by the user"));
        assertTrue(
                refused(Stage.to(Conversation.direct("4003"), "", "", "a"))
                        .contains("chat not found"));
        assertTrue(
                refused(Stage.to(Conversation.direct("general"), "", "", "a"))
                        .contains("'general' is not the number of a chat"));
        assertTrue(refused(Stage.text("a".repeat(4_097))).contains("message is too long"));
    }

    @Test
    void aGroupThatBecameASupergroupIsFollowed() {
        stage.telegram.migrate(-500, -1005000);
        String id = delivered(Stage.to(Conversation.group("-500", ""), "-500/3", "", "hello"));
        assertTrue(id.startsWith("-1005000/"), id);
        assertEquals(-1005000, last().chat());
        assertFalse(last().call().has("reply_parameters"));
        delivered(Stage.to(Conversation.group("-500", ""), "", id, "changed"));
        assertEquals("changed", last().text());
    }

    @Test
    void anErrorOfTheServerIsTriedAgain() {
        stage.telegram.fail(
                "sendMessage",
                Fault.answering(500, error(500, "Internal Server Error")),
                Fault.answering(502, "<html>"));
        assertEquals(0, retried(Stage.text("a")).millis());
        assertFalse(retried(Stage.text("a")).conversationOnly());
        assertEquals(List.of(), stage.telegram.sent());
    }

    @Test
    void anAnswerThatDoesNotComeLeavesItUnknown() {
        stage.telegram.fail(
                "sendMessage",
                Fault.droppedBefore(),
                Fault.droppedAfter(),
                Fault.truncated(),
                Fault.garbled(),
                Fault.answering(504, "<html>"));
        for (int i = 0; i < 5; i++) {
            assertInstanceOf(Delivery.Unknown.class, send(Stage.text("a")), "fault " + i);
        }
        assertEquals(3, stage.telegram.sent().size());
    }

    @Test
    void anEditWhoseAnswerDoesNotComeIsMadeAgain() {
        String id = delivered(Stage.text("a"));
        stage.telegram.fail("editMessageText", Fault.droppedAfter());
        retried(Stage.to(Stage.WITH_ANNA, "", id, "b"));
        assertEquals(id, delivered(Stage.to(Stage.WITH_ANNA, "", id, "b")));
        assertEquals("b", last().text());
    }

    @Test
    void whatCannotBeReachedIsTriedAgain() {
        stage.telegram.goDown();
        assertFalse(retried(Stage.text("a")).conversationOnly());
        stage.telegram.comeBack();
        delivered(Stage.text("a"));
    }

    @Test
    void withoutTokenOrWayOutOrStartItIsTriedAgain() {
        stage.telegram.token("1:another_token_0123456789");
        assertTrue(retried(Stage.text("a")).reason().contains("@BotFather"));
        stage.telegram.token(FakeTelegram.TOKEN);
        delivered(Stage.text("a"));
        stage.egress.remove(stage.loopback);
        assertTrue(retried(Stage.text("a")).reason().contains("egress client"));
        stage.connector.stop();
        assertTrue(retried(Stage.text("a")).reason().contains("stopped"));
    }

    @Test
    void halvesOfCharactersAreReplaced() {
        delivered(Stage.text("a\ud83db"));
        assertEquals("a\ufffdb", last().text());
    }

    @Test
    void conversationsSendAtTheSameTime() throws Exception {
        List<Thread> senders =
                java.util.stream.IntStream.range(0, 8)
                        .mapToObj(
                                i ->
                                        Thread.ofPlatform()
                                                .start(() -> delivered(Stage.text("m" + i))))
                        .toList();
        for (Thread sender : senders) {
            sender.join();
        }
        assertEquals(8, stage.telegram.sent().size());
    }
}

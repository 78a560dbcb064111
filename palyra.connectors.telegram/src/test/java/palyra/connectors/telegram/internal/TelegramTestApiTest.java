package palyra.connectors.telegram.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage.Button;
import palyra.api.core.egress.EgressClient;
import palyra.sandbox.internal.egress.RealEgress;
import palyra.shared.gate.Gate;
import palyra.testing.telegram.FakeTelegram;
import palyra.testing.wait.Await;

/** With a Bot API of others and the product's egress client; skipped where npm is missing. */
class TelegramTestApiTest {
    private static final Conversation CHAT = Conversation.direct("1");

    private final FakeContext context = new FakeContext();
    private TelegramTestApi api;
    private RealEgress egress;
    private TelegramConnector connector;

    @BeforeEach
    void start() throws Exception {
        Optional<String> missing = TelegramTestApi.missing();
        assumeTrue(missing.isEmpty(), () -> "telegram-test-api: " + missing.orElse(""));
        api = TelegramTestApi.start();
        egress = new RealEgress(api.port());
        Gate<EgressClient> gate = new Gate<>("The egress client", ErrorCode.TOOL_UNAVAILABLE, 0);
        gate.add(egress.client(), Map.of());
        connector = new TelegramConnector(Stage.settings(api.url()), gate, Stage.QUICK);
        connector.start(context);
    }

    @AfterEach
    void stop() throws Exception {
        if (connector != null) {
            connector.stop();
            context.closed = true;
            egress.close();
            api.close();
        }
    }

    /** As its {@code TelegramClient.makeMessage}. */
    private static ObjectNode message(String text) {
        ObjectNode message = common().put("botToken", FakeTelegram.TOKEN).put("text", text);
        return message.put("date", System.currentTimeMillis() / 1_000);
    }

    private static ObjectNode common() {
        ObjectNode common = JsonNodeFactory.instance.objectNode();
        common.putObject("from")
                .put("id", 1)
                .put("first_name", "TestName")
                .put("username", "testUserName")
                .put("is_bot", false);
        common.putObject("chat")
                .put("id", 1)
                .put("title", "Test Name")
                .put("first_name", "TestName")
                .put("username", "testUserName")
                .put("type", "private");
        return common;
    }

    private void say(String text) {
        api.ask("/sendMessage", message(text));
    }

    /** Returns what the person sees, as its {@code TelegramClient.getUpdates}. */
    private JsonNode seen() {
        ObjectNode asked = JsonNodeFactory.instance.objectNode();
        return api.ask("/getUpdates", asked.put("token", FakeTelegram.TOKEN).put("chatId", 1));
    }

    private JsonNode history() {
        ObjectNode asked = JsonNodeFactory.instance.objectNode();
        return api.ask("/getUpdatesHistory", asked.put("token", FakeTelegram.TOKEN));
    }

    @Test
    void aPersonAsksAndSeesTheAnswerAndItsChange() {
        say("hello");
        say("again");
        Await.until("both", () -> context.texts().equals(List.of("hello", "again")));
        assertEquals(State.READY, connector.status().state());
        InboundMessage hello = context.accepted.get(0);
        assertTrue(hello.conversation().direct());
        assertEquals("TestName", hello.sender().name());

        String text = connector.render("**Hi** <you>").get(0);
        Delivery sent = connector.send(Stage.to(CHAT, hello.messageId(), "", text));
        String id = assertInstanceOf(Delivery.Delivered.class, sent).messageId();
        JsonNode seen = seen().path(0).path("message");
        assertEquals("<b>Hi</b> &lt;you&gt;", seen.path("text").asText());
        assertEquals("HTML", seen.path("parse_mode").asText());

        assertInstanceOf(
                Delivery.Delivered.class, connector.send(Stage.to(CHAT, "", id, "changed")));
        assertTrue(history().toString().contains("\"text\":\"changed\""), history().toString());
    }

    @Test
    void aPersonPressesAButton() {
        say("delete it");
        Await.until("the message", () -> context.accepted.size() == 1);
        connector.send(Stage.to(CHAT, "", "", "May I?", new Button("ok:1", "Yes", true)));
        JsonNode button =
                seen().path(0).path("message").path("reply_markup").path("inline_keyboard").path(0);
        ObjectNode query = JsonNodeFactory.instance.objectNode();
        query.put("botToken", FakeTelegram.TOKEN).set("from", common().path("from"));
        query.set("message", common());
        query.put("data", button.path(0).path("callback_data").asText());
        api.ask("/sendCallback", query);
        Await.until("the press", () -> context.pressed.size() == 1);
        assertEquals("ok:1", context.pressed.get(0).data());
        assertEquals(CHAT.id(), context.pressed.get(0).conversation().id());
        say("after");
        Await.until("the next message", () -> context.accepted.size() == 2);
    }
}

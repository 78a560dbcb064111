package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.OutboundMessage.Button;
import palyra.testing.discord.Channel;
import palyra.testing.discord.FakeDiscord;
import palyra.testing.discord.Faults;
import palyra.testing.discord.Message;
import palyra.testing.discord.Permission;
import palyra.testing.discord.Posted;
import palyra.testing.http.FaultyApi.Fault;

/** What leaves, in which form, and what is said of it. */
class SendingTest {
    private static final String TYPING = "POST /channels/{channel_id}/typing";

    private final Stage stage = new Stage().ready();
    private final Conversation anna = Stage.direct(stage.dm);

    @AfterEach
    void close() {
        List<String> broken = stage.discord.violations();
        stage.close();
        assertEquals(List.of(), broken, "Discord's rules");
    }

    private Posted last() {
        return stage.discord.posted(stage.dm).getLast();
    }

    private static String id(Delivery delivery) {
        return assertInstanceOf(Delivery.Delivered.class, delivery).messageId();
    }

    private static String refused(Delivery delivery) {
        return assertInstanceOf(Delivery.Refused.class, delivery).reason();
    }

    @Test
    void aMessagePingsNobodyShowsNoPreviewAndCarriesItsKey() {
        OutboundMessage message = stage.text(anna, "hello @everyone https://example.org");
        assertEquals(
                last(message).message().id(),
                stage.discord.posted(stage.dm).getLast().message().id());
        JsonNode asked = last().asked().getFirst();
        assertEquals(message.key(), asked.path("nonce").asText());
        assertTrue(asked.path("enforce_nonce").asBoolean());
        assertEquals(0, asked.path("allowed_mentions").path("parse").size());
        assertFalse(asked.path("allowed_mentions").path("replied_user").asBoolean(true));
        assertEquals(4, asked.path("flags").asInt());
        assertFalse(asked.has("components"));
    }

    private Posted last(OutboundMessage message) {
        id(stage.connector.send(message));
        return last();
    }

    @Test
    void anAnswerQuotesAndOneToADeletedMessageArrivesAllTheSame() {
        Message asked = stage.discord.say(stage.anna, stage.dm, "question");
        id(stage.connector.send(stage.message(anna, asked.id(), "", "answer")));
        assertEquals(asked.id(), last().replyTo());
        stage.discord.delete(asked);
        id(stage.connector.send(stage.message(anna, asked.id(), "", "late answer")));
        assertEquals("late answer", last().content());
        id(stage.connector.send(stage.message(anna, "i1400000000000000001", "", "to a command")));
        assertEquals("", last().replyTo());
    }

    @Test
    void aChangeReplacesTextAndButtons() {
        Button yes = new Button("approval:1:y", "Approve once", true);
        Button no = new Button("approval:1:n", "Deny", false);
        String id = id(stage.connector.send(stage.text(anna, "question", yes, no)));
        JsonNode row = last().components().path(0);
        assertEquals(1, row.path("type").asInt());
        assertEquals("approval:1:y", row.path("components").path(0).path("custom_id").asText());
        assertEquals(4, row.path("components").path(0).path("style").asInt());
        assertEquals(2, row.path("components").path(1).path("style").asInt());
        for (int i = 0; i < 2; i++) {
            assertEquals(id, id(stage.connector.send(stage.message(anna, "", id, "was answered"))));
        }
        assertEquals("was answered", last().content());
        assertEquals(0, last().components().size());
        assertEquals(1, stage.discord.posted(stage.dm).size());
    }

    @Test
    void manyButtonsAreInRowsOfFive() {
        Button[] buttons = new Button[12];
        for (int i = 0; i < buttons.length; i++) {
            buttons[i] = new Button("b" + i, "Button " + i, false);
        }
        id(stage.connector.send(stage.text(anna, "choose", buttons)));
        assertEquals(3, last().components().size());
        assertEquals(2, last().components().path(2).path("components").size());
    }

    @Test
    void aReactionIsMadeOnceAndAnUnknownOneIsRefused() {
        Message asked = stage.discord.say(stage.anna, stage.dm, "question");
        for (int i = 0; i < 2; i++) {
            id(stage.connector.send(OutboundMessage.reaction("r" + i, anna, asked.id(), "👀")));
        }
        assertEquals(List.of("👀"), stage.discord.reactions(asked));
        String why =
                refused(
                        stage.connector.send(
                                OutboundMessage.reaction("x", anna, asked.id(), "nix")));
        assertTrue(why.contains("Emoji"), why);
    }

    @Test
    void anAnswerInAThreadGoesIntoTheThread() {
        Channel room = stage.discord.textChannel(stage.discord.guild("guild"), "room");
        Channel thread = stage.discord.thread(stage.anna, room, "thread");
        id(
                stage.connector.send(
                        stage.text(new Conversation(room.id(), thread.id(), false, ""), "in")));
        assertEquals("in", stage.discord.posted(thread).getLast().content());
        assertEquals(List.of(), stage.discord.posted(room));
    }

    @Test
    void typingIsShownInTheThreadAndNotAskedForWhereItIsRefused() {
        Channel room = stage.discord.textChannel(stage.discord.guild("guild"), "room");
        Channel thread = stage.discord.thread(stage.anna, room, "thread");
        assertEquals(
                8_000, stage.connector.typing(new Conversation(room.id(), thread.id(), false, "")));
        assertEquals(1, stage.discord.typing(thread));
        stage.discord.deny(room, Permission.SEND_MESSAGES);
        assertEquals(0, stage.connector.typing(Stage.room(room)));
        assertEquals(0, stage.connector.typing(Conversation.direct("x")));
        stage.discord.fail(TYPING, Fault.answering(502, "oh no"));
        assertThrows(IllegalStateException.class, () -> stage.connector.typing(anna));
        assertEquals(List.of(), stage.discord.violations());
    }

    @Test
    void limitOfTypingIsKeptAndHoldsUpNoAnswer() {
        stage.discord.fail(TYPING, Faults.rateLimited(60_000));
        assertEquals(60_000, stage.connector.typing(anna), 1_000);
        assertTrue(stage.connector.typing(anna) > 50_000);
        assertEquals(1, stage.discord.calls(TYPING).size(), "it is not asked again");
        id(stage.send("an answer"));
    }

    @Test
    void aShortLimitIsWaitedForAndALongOneIsSaid() {
        stage.discord.fail(FakeDiscord.POST, Faults.rateLimited(150));
        id(stage.send("soon"));
        assertEquals(2, stage.discord.calls(FakeDiscord.POST).size());
        stage.discord.fail(FakeDiscord.POST, Faults.rateLimited(60_000));
        Delivery.RetryAfter later =
                assertInstanceOf(Delivery.RetryAfter.class, stage.send("later"));
        assertTrue(later.millis() > 50_000 && later.conversationOnly(), later.toString());
        int calls = stage.discord.calls(FakeDiscord.POST).size();
        assertInstanceOf(Delivery.RetryAfter.class, stage.send("later still"));
        assertEquals(calls, stage.discord.calls(FakeDiscord.POST).size(), "it is not asked again");
        palyra.testing.discord.User bert = stage.discord.user("bert");
        Conversation other = Stage.direct(stage.discord.dm(bert));
        id(stage.connector.send(stage.text(other, "another channel goes on")));
    }

    @Test
    void theAccountsLimitHoldsUpAll() {
        stage.discord.fail(FakeDiscord.POST, Faults.globallyRateLimited(30_000));
        Delivery.RetryAfter later =
                assertInstanceOf(Delivery.RetryAfter.class, stage.send("later"));
        assertFalse(later.conversationOnly());
        palyra.testing.discord.User bert = stage.discord.user("bert");
        Conversation other = Stage.direct(stage.discord.dm(bert));
        Delivery.RetryAfter too =
                assertInstanceOf(
                        Delivery.RetryAfter.class, stage.connector.send(stage.text(other, "too")));
        assertFalse(too.conversationOnly());
        assertEquals(1, stage.discord.calls(FakeDiscord.POST).size());
    }

    @Test
    void anAddressThatIsKeptOutAsksForNothingMeanwhile() {
        stage.discord.fail(FakeDiscord.POST, Faults.banned());
        Delivery.RetryAfter later =
                assertInstanceOf(Delivery.RetryAfter.class, stage.send("later"));
        assertTrue(later.millis() > 500_000 && !later.conversationOnly(), later.toString());
        assertInstanceOf(Delivery.Unknown.class, stage.connector.lookup(stage.text(anna, "x")));
        assertEquals(0, stage.discord.calls("GET /channels/{channel_id}/messages").size());
    }

    @Test
    void bucketsAreKeptWithoutARefusal() {
        stage.discord.limit(FakeDiscord.POST, 3, Duration.ofMillis(400));
        for (int i = 0; i < 9; i++) {
            id(stage.send("text " + i));
        }
        assertEquals(9, stage.discord.posted(stage.dm).size());
        assertTrue(
                stage.discord.calls(FakeDiscord.POST).size() <= 10,
                stage.discord.calls(FakeDiscord.POST).size() + " calls for 9 messages");
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void aServerThatFailedMayHaveActed(int status) {
        stage.discord.fail(FakeDiscord.POST, Fault.answering(status, "oh no"));
        assertInstanceOf(Delivery.Unknown.class, stage.send("text"));
        String id = id(stage.send("other"));
        stage.discord.fail(FakeDiscord.EDIT, Fault.answering(status, "oh no"));
        assertInstanceOf(
                Delivery.RetryAfter.class,
                stage.connector.send(stage.message(anna, "", id, "changed")),
                "made twice it is the same as once");
    }

    @Test
    void refusalsHaveDiscordsWordsAndARemedy() {
        stage.discord.closeDms(stage.anna);
        String closed = refused(stage.send("text"));
        assertTrue(closed.contains("Cannot send messages to this user"), closed);
        assertTrue(closed.contains("Privacy Settings"), closed);
        Channel room = stage.discord.textChannel(stage.discord.guild("guild"), "room");
        stage.discord.deny(room, Permission.SEND_MESSAGES);
        String denied = refused(stage.connector.send(stage.text(Stage.room(room), "text")));
        assertTrue(denied.contains("Missing Permissions"), denied);
        assertTrue(denied.contains("Send Messages"), denied);
        stage.discord.deny(room, Permission.VIEW_CHANNEL);
        String unseen = refused(stage.connector.send(stage.text(Stage.room(room), "text")));
        assertTrue(unseen.contains("Missing Access"), unseen);
        assertTrue(unseen.contains("View Channel"), unseen);
        stage.discord.delete(room);
        String gone = refused(stage.connector.send(stage.text(Stage.room(room), "text")));
        assertTrue(gone.contains("Unknown Channel"), gone);
        assertTrue(
                refused(stage.connector.send(stage.text(Conversation.direct("x"), "y")))
                        .contains("'x'"));
        assertTrue(
                refused(stage.connector.send(stage.message(anna, "", "nix", "y")))
                        .contains("'nix'"));
    }

    @Test
    void aTextThatIsTooLongIsRefusedAndNotCutHere() {
        assertTrue(refused(stage.send("x".repeat(2_001))).contains("2000"));
    }

    private Delivery lost(OutboundMessage message) {
        stage.discord.fail(FakeDiscord.POST, Fault.droppedAfter());
        Delivery delivery = stage.connector.send(message);
        assertInstanceOf(Delivery.Unknown.class, delivery);
        return delivery;
    }

    @Test
    void afterACrashOfAnHourWhatArrivedIsFoundWithoutItsKey() {
        byte[] earlier = stage.context.keptPosition().orElseThrow();
        OutboundMessage message = stage.text(anna, "the answer\nin two lines");
        lost(message);
        stage.connector.stop();
        stage.discord.gateway().forget(); // no event tells of it either
        stage.crash(earlier);
        String found = id(stage.connector.lookup(message));
        assertEquals(last().message().id(), found);
        assertInstanceOf(
                Delivery.RetryAfter.class,
                stage.connector.lookup(stage.text(anna, "another answer")));
    }

    @Test
    void anEqualTextThatWasSentBeforeIsNotTakenForTheLostOne() {
        id(stage.send("Done."));
        OutboundMessage second = stage.text(anna, "Done.");
        stage.discord.fail(FakeDiscord.POST, Fault.droppedBefore());
        assertInstanceOf(Delivery.Unknown.class, stage.connector.send(second));
        stage.swap();
        assertInstanceOf(Delivery.RetryAfter.class, stage.connector.lookup(second));
        id(stage.connector.send(second));
        assertEquals(2, stage.discord.posted(stage.dm).size());
        OutboundMessage third = stage.text(anna, "Done.");
        lost(third);
        stage.swap();
        assertEquals(last().message().id(), id(stage.connector.lookup(third)));
        assertEquals(3, stage.discord.posted(stage.dm).size());
    }

    @Test
    void whereTheBotMayNotReadItSaysThatItDoesNotKnow() {
        Channel room = stage.discord.textChannel(stage.discord.guild("guild"), "room");
        OutboundMessage message = stage.text(Stage.room(room), "answer");
        assertInstanceOf(Delivery.RetryAfter.class, stage.connector.lookup(message), "it is empty");
        stage.discord.say(stage.anna, room, "something");
        stage.discord.deny(room, Permission.READ_MESSAGE_HISTORY);
        Delivery.Unknown unknown =
                assertInstanceOf(Delivery.Unknown.class, stage.connector.lookup(message));
        assertTrue(unknown.reason().contains("Read Message History"), unknown.reason());
    }

    @Test
    void whatMayHaveScrolledAwayIsNotKnown() {
        OutboundMessage message = stage.text(anna, "answer");
        for (int i = 0; i < 100; i++) {
            stage.discord.say(stage.anna, stage.dm, "text " + i);
        }
        assertInstanceOf(Delivery.Unknown.class, stage.connector.lookup(message));
    }

    @Test
    void oneKeySentTwiceWithinMinutesIsOneMessage() {
        OutboundMessage message = stage.text(anna, "once");
        assertEquals(id(stage.connector.send(message)), id(stage.connector.send(message)));
        assertEquals(1, stage.discord.posted(stage.dm).size());
    }
}

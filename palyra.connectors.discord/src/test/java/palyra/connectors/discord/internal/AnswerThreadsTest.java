package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.Sender;
import palyra.testing.discord.Channel;
import palyra.testing.discord.FakeDiscord;
import palyra.testing.discord.Message;
import palyra.testing.discord.Permission;
import palyra.testing.discord.Posted;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.wait.Await;

/** Threads that begin with the first thing that is sent to them. */
class AnswerThreadsTest {
    private static final String BEGIN = "POST /channels/{channel_id}/messages/{message_id}/threads";

    private final Stage stage = new Stage();
    private final Channel room = stage.discord.textChannel(stage.discord.guild("guild"), "room");
    private Message asked;
    private Conversation thread;

    @BeforeEach
    void ready() {
        stage.ready();
        asked = stage.discord.say(stage.anna, room, "a question");
        thread = new Conversation(room.id(), asked.id(), false, "a question");
    }

    @AfterEach
    void close() {
        List<String> broken = stage.discord.violations();
        stage.close();
        assertEquals(List.of(), broken, "Discord's rules");
    }

    private Delivery send(OutboundMessage message) {
        return stage.connector.send(message);
    }

    private void sent(String text) {
        assertInstanceOf(
                Delivery.Delivered.class, send(stage.message(thread, asked.id(), "", text)));
    }

    private List<Channel> threads() {
        return stage.discord.threads(room);
    }

    private List<Posted> posted() {
        return stage.discord.posted(threads().getFirst());
    }

    private static InboundMessage written(String id, Conversation place) {
        return InboundMessage.written(
                id, new Sender("1234567890123456789", "", false, true), place, "text", true, 0);
    }

    @Test
    void messagesOfChannelsBeginThreadsAndOthersDoNot() {
        Conversation channel = Conversation.group(room.id(), "room");
        assertEquals(asked.id(), stage.connector.threadOf(written(asked.id(), channel)));
        assertEquals("", stage.connector.threadOf(written("i" + asked.id(), channel)));
        assertEquals("", stage.connector.threadOf(written(asked.id(), thread)));
        assertEquals("", stage.connector.threadOf(written(asked.id(), Stage.direct(stage.dm))));
    }

    @Test
    void firstAnswerBeginsTheThreadAndOthersFollow() {
        sent("an answer");
        sent("another one");
        assertEquals(1, threads().size());
        assertEquals("a question", threads().getFirst().name());
        assertEquals(asked.id(), threads().getFirst().id());
        assertEquals(
                List.of("an answer", "another one"),
                posted().stream().map(Posted::content).toList());
        assertEquals("", posted().getFirst().replyTo(), "what it answers is not in the thread");
        assertEquals(1, stage.discord.calls(BEGIN).size());
    }

    @Test
    void namesOfThreadsAreShortAndOneWithoutANameIsNotBegun() {
        thread = new Conversation(room.id(), asked.id(), false, "x".repeat(200));
        sent("an answer");
        assertEquals("x".repeat(80), threads().getFirst().name());
        Message other = stage.discord.say(stage.anna, room, "another question");
        Conversation nameless = new Conversation(room.id(), other.id(), false, "");
        assertInstanceOf(Delivery.Refused.class, send(stage.text(nameless, "an answer")));
        assertEquals(1, threads().size());
    }

    @Test
    void lostAnswerToBeginningLeavesOneThreadAndOneMessage() {
        OutboundMessage message = stage.text(thread, "an answer");
        assertInstanceOf(Delivery.RetryAfter.class, stage.connector.lookup(message));
        for (Fault fault : List.of(Fault.droppedBefore(), Fault.droppedAfter())) {
            stage.discord.fail(BEGIN, fault);
            Delivery delivery = send(message);
            assertFalse(delivery instanceof Delivery.Delivered, delivery.toString());
            assertFalse(delivery instanceof Delivery.Refused, delivery.toString());
            stage.swap();
            assertInstanceOf(Delivery.RetryAfter.class, stage.connector.lookup(message));
        }
        stage.discord.fail(FakeDiscord.POST, Fault.droppedAfter());
        assertInstanceOf(Delivery.Unknown.class, send(message));
        stage.swap();
        assertInstanceOf(Delivery.Delivered.class, stage.connector.lookup(message));
        assertEquals(1, threads().size());
        assertEquals(1, posted().size());
    }

    @Test
    void threadThatBeganMeanwhileIsUsed() {
        stage.discord.thread(stage.anna, asked, "of Anna");
        stage.discord.fail(
                FakeDiscord.POST,
                Fault.answering(404, "{\"message\":\"Unknown Channel\",\"code\":10003}"));
        sent("an answer");
        assertEquals(1, stage.discord.calls(BEGIN).size());
        assertEquals("of Anna", threads().getFirst().name());
        assertEquals(1, posted().size());
    }

    @Test
    void deletedThreadIsNotBegunAgain() {
        sent("an answer");
        stage.discord.delete(threads().getFirst());
        stage.discord.say(stage.anna, stage.dm, "after it");
        stage.awaitTexts("after it");
        Delivery.Refused refused =
                assertInstanceOf(Delivery.Refused.class, send(stage.text(thread, "late")));
        assertTrue(refused.reason().contains("deleted"), refused.reason());
        assertEquals(List.of(), threads());
    }

    @Test
    void whereNoThreadMayBeginItSaysWhatIsMissing() {
        stage.discord.deny(room, Permission.CREATE_PUBLIC_THREADS);
        Delivery.Refused refused =
                assertInstanceOf(Delivery.Refused.class, send(stage.text(thread, "an answer")));
        assertTrue(refused.reason().contains("cannot begin"), refused.reason());
        assertTrue(refused.reason().contains("Create Public Threads"), refused.reason());
    }

    @Test
    void limitOnThreadsIsWaitedFor() {
        stage.discord.fail(BEGIN, palyra.testing.discord.Faults.rateLimited(60_000));
        Delivery.RetryAfter later =
                assertInstanceOf(Delivery.RetryAfter.class, send(stage.text(thread, "an answer")));
        assertTrue(later.millis() > 50_000 && later.conversationOnly(), later.toString());
    }

    @Test
    void typingBeginsItTooAndReactionsAreAtTheMessageThatBeganIt() {
        stage.connector.typing(thread);
        Await.until("the thread", () -> threads().size() == 1);
        assertEquals(8_000, stage.connector.typing(thread));
        assertEquals(1, stage.discord.typing(threads().getFirst()));
        send(OutboundMessage.reaction("r1", thread, asked.id(), "👀"));
        assertEquals(List.of("👀"), stage.discord.reactions(asked));
    }
}

package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.OutboundMessage.Button;
import palyra.testing.discord.Channel;
import palyra.testing.discord.Connection;
import palyra.testing.discord.FakeDiscord;
import palyra.testing.discord.Interaction;
import palyra.testing.discord.Message;
import palyra.testing.discord.Posted;
import palyra.testing.discord.Trouble;
import palyra.testing.http.FaultyApi.Fault;
import palyra.testing.wait.Await;

/** What users of other gateways report of Discord, each as a test. */
class PublicThreadsTest {
    private final Stage stage = new Stage();
    private final Channel room = stage.discord.textChannel(stage.discord.guild("guild"), "room");

    @AfterEach
    void close() {
        List<String> broken = stage.discord.violations();
        stage.close();
        assertEquals(List.of(), broken, "Discord's rules");
    }

    /** OpenClaw #111577: storms of reconnections drop direct messages. */
    @Test
    void openClaw111577StormsOfReconnectionsDropNoDirectMessage() {
        stage.ready();
        List<String> expected = new ArrayList<>();
        Trouble[] troubles = {Trouble.DROP, Trouble.RECONNECT, Trouble.LEAVE, Trouble.INVALID};
        for (int i = 0; i < 40; i++) {
            stage.discord.say(stage.anna, stage.dm, "text " + i);
            expected.add("text " + i);
            if (i == 0) {
                stage.awaitTexts("text 0"); // with a stranger's first message it is known
            }
            stage.discord.gateway().befall(troubles[i % troubles.length]);
        }
        Await.until(
                "all messages, not " + stage.texts(),
                java.time.Duration.ofSeconds(30),
                () -> stage.texts().size() >= expected.size());
        assertEquals(expected, stage.texts());
    }

    /** OpenClaw #75719: after a hot reload no listener is left. */
    @Test
    void openClaw75719AfterReloadsItListensAndPressesArrive() {
        stage.ready();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            if (i % 2 == 0) {
                stage.swap();
            } else {
                stage.connector.use(stage.settings);
            }
            stage.discord.say(stage.anna, stage.dm, "text " + i);
            expected.add("text " + i);
            stage.awaitTexts(expected.toArray(String[]::new));
        }
        stage.connector.send(
                stage.text(Stage.direct(stage.dm), "question", new Button("b", "Yes", false)));
        stage.discord.press(stage.anna, stage.discord.posted(stage.dm).getLast().message(), "b");
        Await.until("the press", () -> stage.context.pressed().size() == 1);
    }

    /** OpenClaw #58958: two owners of the reconnection connect one over the other. */
    @Test
    void openClaw58958OneOwnerReconnects() {
        stage.discord.gateway().heartbeatEvery(java.time.Duration.ofMillis(100));
        stage.ready();
        for (int i = 0; i < 5; i++) {
            int before = stage.discord.gateway().connections().size();
            stage.discord.gateway().befall(Trouble.ZOMBIE); // the heart finds it dead
            stage.discord.gateway().befall(Trouble.DROP); // and so does the reader
            Await.until(
                    "another connection",
                    () -> stage.discord.gateway().connections().size() > before);
            stage.discord.gateway().awaitConnected();
            assertEquals(before + 1, stage.discord.gateway().connections().size());
            assertTrue(
                    stage.discord.gateway().connections().stream().filter(Connection::open).count()
                            <= 1);
        }
        assertEquals(1, stage.discord.gateway().readies());
    }

    /** OpenClaw #68350: one key for all chunks lets the later ones vanish. */
    @Test
    void openClaw68350EachChunkHasItsKeyAndArrives() {
        stage.ready();
        List<String> chunks = stage.connector.render("word ".repeat(1_500) + "last");
        assertTrue(chunks.size() >= 4, chunks.size() + " chunks");
        Set<String> nonces = new HashSet<>();
        for (String chunk : chunks) {
            assertInstanceOf(
                    Delivery.Delivered.class,
                    stage.connector.send(stage.text(Stage.direct(stage.dm), chunk)));
        }
        List<Posted> posted = stage.discord.posted(stage.dm);
        assertEquals(chunks, posted.stream().map(Posted::content).toList());
        posted.forEach(one -> nonces.add(one.asked().getFirst().path("nonce").asText()));
        assertEquals(chunks.size(), nonces.size());
    }

    /** Hermes #73032: a lost answer makes a second thread and a second answer. */
    @Test
    void hermes73032ALostAnswerInAThreadMakesNoSecondOne() {
        stage.ready();
        Message question = stage.discord.say(stage.anna, room, "a question");
        OutboundMessage answer =
                stage.text(
                        new Conversation(room.id(), question.id(), false, "a question"),
                        "the answer");
        stage.discord.fail(
                "POST /channels/{channel_id}/messages/{message_id}/threads", Fault.droppedAfter());
        Delivery begun = stage.connector.send(answer);
        assertFalse(begun instanceof Delivery.Delivered, begun.toString());
        assertEquals(1, stage.discord.threads(room).size(), "it is there, but not known to be");
        stage.swap();
        assertInstanceOf(Delivery.RetryAfter.class, stage.connector.lookup(answer));
        stage.discord.fail(FakeDiscord.POST, Fault.droppedAfter());
        assertInstanceOf(Delivery.Unknown.class, stage.connector.send(answer));
        stage.swap();
        assertInstanceOf(Delivery.Delivered.class, stage.connector.lookup(answer));
        assertEquals(1, stage.discord.threads(room).size());
        assertEquals(1, stage.discord.posted(stage.discord.threads(room).getFirst()).size());
    }

    /** Hermes #104915: a button answers the oldest question in place of its own. */
    @Test
    void hermes104915AButtonAnswersItsOwnQuestion() {
        stage.ready();
        List<Message> cards = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            stage.connector.send(
                    stage.text(
                            Stage.direct(stage.dm),
                            "question " + i,
                            new Button("approval:" + i + ":y", "Yes", true)));
            cards.add(stage.discord.posted(stage.dm).getLast().message());
        }
        stage.discord.press(stage.anna, cards.get(1), "approval:1:y");
        Await.until("the press", () -> !stage.context.pressed().isEmpty());
        assertEquals("approval:1:y", stage.context.pressed().getFirst().data());
        assertEquals(1, stage.context.pressed().size());
    }

    /** Hermes #83707: an interaction reaches the wrong agent. */
    @Test
    void hermes83707AnInteractionIsOfItsConversation() {
        stage.ready();
        stage.discord.awaitCommands(3);
        Channel thread = stage.discord.thread(stage.anna, room, "thread");
        stage.discord.slash(stage.anna, thread, "ask", Map.of("text", "in the thread"));
        stage.discord.slash(stage.anna, room, "ask", Map.of("text", "in the room"));
        stage.discord.slash(stage.anna, stage.dm, "ask", Map.of("text", "directly"));
        stage.awaitTexts("in the thread", "in the room", "directly");
        assertEquals(
                List.of(
                        new Conversation(room.id(), thread.id(), false, "thread"),
                        new Conversation(room.id(), "", false, "room"),
                        Conversation.direct(stage.dm.id())),
                stage.context.stored().stream().map(one -> one.conversation()).toList());
    }

    /** Hermes #74248: the final answer is sent by two paths. */
    @Test
    void hermes74248AnAnswerToACommandIsSentByTheOutboxAlone() {
        stage.ready();
        stage.discord.awaitCommands(3);
        Interaction asked = stage.discord.slash(stage.anna, room, "ask", Map.of("text", "x"));
        stage.awaitTexts("x");
        stage.connector.send(
                stage.message(
                        Stage.room(room),
                        stage.context.stored().getFirst().messageId(),
                        "",
                        "the answer"));
        Interaction after =
                stage.discord.awaitAnswer(
                        asked,
                        one -> one.original().filter(m -> !m.content().isEmpty()).isPresent());
        assertEquals(List.of(), after.followups());
        assertEquals(
                1,
                stage.discord.posted(room).stream()
                        .filter(one -> one.content().contains("the answer"))
                        .count());
        assertTrue(!after.original().orElseThrow().content().contains("the answer"));
    }

    /** Hermes #108443: a button is unknown after a restart. */
    @Test
    void hermes108443AButtonWorksAfterARestartAndSaysWhenItIsOver() {
        stage.ready();
        stage.connector.send(
                stage.text(
                        Stage.direct(stage.dm),
                        "question",
                        new Button("approval:1:y", "Yes", true)));
        Message card = stage.discord.posted(stage.dm).getLast().message();
        stage.connector.stop();
        stage.discord.gateway().forget();
        stage.swap();
        Interaction pressed = stage.discord.press(stage.anna, card, "approval:1:y");
        Interaction answered =
                stage.discord.awaitAnswer(
                        pressed,
                        one -> one.original().filter(m -> !m.content().isEmpty()).isPresent());
        assertEquals("Approved by anna", answered.original().orElseThrow().content());
        assertTrue(answered.original().orElseThrow().isEphemeral());
    }
}

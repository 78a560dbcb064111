package palyra.testing.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.testing.channel.FakeConnectorContext.AcceptFault;

/** Every message comes in once and in order, whatever happens to either side. */
interface InboundRules extends ConnectorRules {
    /** Far above what a connector without a pause makes of five attempts. */
    long LEAST_PAUSES_MILLIS = 20;

    /** What was written comes in, by whom and where, however long before the start it was. */
    @Test
    default void messagesComeIn() {
        stage().fixture().write(ANNA, "written before");
        stage().startReady();
        stage().fixture().write(BERT, "written after");
        stage().awaitStored(2);
        for (InboundMessage message : stage().context().stored()) {
            assertEquals(InboundMessage.Event.WRITTEN, message.event());
            assertFalse(message.sender().bot(), "a person is no bot: " + message.sender());
        }
        InboundMessage first = stage().context().stored().get(0);
        InboundMessage second = stage().context().stored().get(1);
        assertNotEquals(first.conversation().id(), second.conversation().id());
        assertNotEquals(first.sender().id(), second.sender().id());
        assertEquals(
                List.of("written after", "written before"),
                ConnectorStage.texts(stage().context().stored()).stream().sorted().toList());
    }

    /** Messages of a conversation come in in their order. */
    @Test
    default void orderIsKeptInEachConversation() {
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        Conversation bert = stage().meet(BERT);
        for (int i = 0; i < 20; i++) {
            stage().fixture().write(ANNA, "anna " + i);
            stage().fixture().write(BERT, "bert " + i);
        }
        stage().awaitStored(42);
        assertEquals(numbered("anna", 20), stage().taken(anna));
        assertEquals(numbered("bert", 20), stage().taken(bert));
    }

    private static List<String> numbered(String person, int count) {
        List<String> texts = new ArrayList<>(List.of("hello from " + person));
        for (int i = 0; i < count; i++) {
            texts.add(person + " " + i);
        }
        return texts;
    }

    /** Who writes the same text twice wrote two messages. */
    @Test
    default void equalTextsAreTwoMessages() {
        stage().startReady();
        stage().fixture().write(ANNA, "again");
        stage().awaitStored(1);
        stage().fixture().write(ANNA, "again");
        stage().awaitStored(2);
        assertEquals(List.of("again", "again"), ConnectorStage.texts(stage().context().stored()));
    }

    /** The platform is told that a message was taken after it was taken, not before. */
    @Test
    default void nothingIsConfirmedBeforeItWasTaken() {
        List<String> early = Collections.synchronizedList(new ArrayList<>());
        stage().context()
                .onAccept(
                        message -> {
                            if (stage().fixture().isConfirmed(message.text())) {
                                early.add(message.text());
                            }
                        });
        for (int i = 0; i < 5; i++) {
            stage().fixture().write(ANNA, "text " + i);
        }
        stage().startReady();
        stage().awaitStored(5);
        assertEquals(List.of(), early, "confirmed to the platform before accept() returned");
    }

    /** What was never taken comes to the next life, whatever position was kept. */
    @Test
    default void whatWasRefusedComesInTheNextLife() {
        stage().fixture().write(ANNA, "first");
        stage().fixture().write(ANNA, "second");
        stage().context().refuse(true);
        stage().start();
        stage().until("a refusal", () -> stage().context().refusedAtNanos().size() >= 2);
        stage().nextLife();
        stage().awaitStored(2);
        assertEquals(List.of("first", "second"), ConnectorStage.texts(stage().context().stored()));
    }

    /** A message that was refused comes again under its id, and none overtakes it. */
    @Test
    default void refusedMessagesComeAgainInOrder() {
        stage().context().fail(AcceptFault.REFUSED, AcceptFault.REFUSED, AcceptFault.REFUSED);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            stage().fixture().write(ANNA, "text " + i);
            expected.add("text " + i);
        }
        stage().startReady();
        stage().awaitStored(4);
        assertEquals(expected, ConnectorStage.texts(stage().context().stored()));
        List<String> ids =
                stage().context().handedIn().stream()
                        .filter(one -> one.text().equals("text 0"))
                        .map(InboundMessage::messageId)
                        .toList();
        assertEquals(4, ids.size(), "handed in three times in vain and once more: " + ids);
        assertEquals(1, ids.stream().distinct().count(), "one message has one id: " + ids);
    }

    /** While the gateway takes nothing, the connector waits between its attempts. */
    @Test
    default void refusalsAreNotAskedForInARush() {
        stage().context().refuse(true);
        stage().fixture().write(ANNA, "patience");
        stage().start();
        stage().until("five attempts", () -> stage().context().refusedAtNanos().size() >= 5);
        stage().context().refuse(false);
        stage().awaitStored(1);
        List<Long> at = stage().context().refusedAtNanos();
        long millis = TimeUnit.NANOSECONDS.toMillis(at.get(4) - at.get(0));
        assertTrue(
                millis >= LEAST_PAUSES_MILLIS,
                "five attempts in " + millis + " ms: wait between attempts that are refused");
    }

    /** A message whose acceptance got lost comes again under the same id, and is one message. */
    @Test
    default void lostAcceptanceBringsTheSameIdAgain() {
        stage().context().fail(AcceptFault.ANSWER_LOST);
        stage().fixture().write(ANNA, "text 0");
        stage().fixture().write(ANNA, "text 1");
        stage().startReady();
        stage().awaitStored(2);
        stage().nextLife();
        stage().fixture().write(ANNA, "text 2");
        stage().awaitStored(3);
        assertEquals(
                List.of("text 0", "text 1", "text 2"),
                ConnectorStage.texts(stage().context().stored()));
    }

    /** What the rules do not answer is done, and the next message comes. */
    @Test
    default void ignoredMessagesHoldUpNothing() {
        stage().context().fail(AcceptFault.IGNORED);
        stage().fixture().write(ANNA, "ignored");
        stage().fixture().write(ANNA, "next");
        stage().startReady();
        stage().awaitStored(2);
        long ignored =
                stage().context().handedIn().stream()
                        .filter(one -> one.text().equals("ignored"))
                        .count();
        assertEquals(1, ignored, "a message that is not answered was handed in again");
    }

    /** Wherever the gateway dies, the next life has each message once, in order. */
    @Test
    default void nothingIsLostOrDoubledWhereverALifeEnds() {
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        Conversation bert = stage().meet(BERT);
        int written = 0;
        boolean died = true;
        for (int step = 1; died && step <= 100; step++) {
            stage().stop();
            stage().fixture().write(ANNA, "anna " + written);
            stage().fixture().write(BERT, "bert " + written++);
            stage().fixture().write(ANNA, "anna " + written);
            stage().fixture().write(BERT, "bert " + written++);
            died = liveUntil(step, 2 + 2 * written);
            stage().nextLife();
            stage().awaitStored(2 + 2 * written);
            assertEquals(numbered("anna", written), stage().taken(anna), "died at " + step);
            assertEquals(numbered("bert", written), stage().taken(bert), "died at " + step);
        }
        assertFalse(died, "a connector needs fewer than 100 calls for four messages");
    }

    private boolean liveUntil(int step, int stored) {
        stage().prepareNextLife();
        FakeConnectorContext context = stage().context();
        context.dieAt(step);
        stage().start();
        stage().until(
                        "the gateway to die at step " + step + ", or all to be taken in",
                        () -> context.died() || context.stored().size() >= stored);
        stage().stop();
        return context.died();
    }
}
